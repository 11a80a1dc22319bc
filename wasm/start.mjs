// Starts the core, which comes in two modules (split.mjs). The second joins the first when its bytes are handed over, or when one of its
// functions is called before that: then they are asked for, there and then.

/**
 * @param createRoofline what Emscripten's glue exports
 * @param core the bytes of core.wasm
 * @param rest gives the bytes of rest.wasm, at once
 * @returns the module, and `join(bytes)`, which compiles rest.wasm beside the work and spares the call of `rest`; rejects where core.wasm is
 *   no module
 */
export async function start(createRoofline, core, rest) {
  const compiled = await WebAssembly.compile(core);
  let imports;
  let exports;
  let table;
  let joined = false;
  const instantiate = module => {
    if (joined) return;
    // Its functions replace those of `later` in the table.
    new WebAssembly.Instance(module, { ...imports, primary: exports });
    joined = true;
  };
  // What wasm-split puts in the table for a function of the second module.
  const later = new Proxy(
    {},
    {
      get:
        (_, slot) =>
        (...values) => {
          if (!joined) instantiate(new WebAssembly.Module(rest()));
          return table.get(Number(slot))(...values);
        },
    },
  );
  const module = await createRoofline({
    locateFile: file => file, // without it older glue wants a base URL, which a Blob's worker has not
    instantiateWasm(given, done) {
      imports = { ...given, placeholder: later };
      const instance = new WebAssembly.Instance(compiled, imports);
      exports = instance.exports;
      table = Object.values(exports).find(value => value instanceof WebAssembly.Table);
      done(instance, compiled);
      return exports;
    },
  });
  return { module, join: async bytes => instantiate(await WebAssembly.compile(bytes)) };
}
