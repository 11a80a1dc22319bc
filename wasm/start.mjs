// Starts the core, which comes in two modules (split.mjs). The second joins the first when its bytes are handed over, or when one of its
// functions is called before that: then they are asked for, there and then.

/**
 * @param createRoofline what Emscripten's glue exports
 * @param core the bytes of core.wasm
 * @param rest gives the bytes of rest.wasm, at once
 * @returns the module, and `join(bytes)`, which compiles rest.wasm beside the work and spares the call of `rest`
 */
export async function start(createRoofline, core, rest) {
  let imports;
  let exports;
  let joined = false;
  const instantiate = module => {
    if (joined) return;
    joined = true;
    // Its functions take the places of the placeholders in the table.
    new WebAssembly.Instance(module, { ...imports, primary: exports });
  };
  const table = () => Object.values(exports).find(value => value instanceof WebAssembly.Table);
  const placeholder = new Proxy(
    {},
    {
      get:
        (_, slot) =>
        (...values) => {
          if (!joined) instantiate(new WebAssembly.Module(rest()));
          return table().get(Number(slot))(...values);
        },
    },
  );
  const module = await createRoofline({
    locateFile: file => file, // without it older glue wants a base URL, which a Blob's worker has not
    instantiateWasm(given, done) {
      imports = { ...given, placeholder };
      WebAssembly.instantiate(core, imports).then(({ instance, module }) => {
        exports = instance.exports;
        done(instance, module);
      });
      return {};
    },
  });
  return { module, join: async bytes => instantiate(await WebAssembly.compile(bytes)) };
}
