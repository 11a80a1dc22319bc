// Bundles the views that are fetched when the first of them is shown (src/shell/late_views.ts). What they share with the page, such as its
// signals and widgets, must not be there twice: main.js lists those values, and the views take them from there.
import { build } from 'esbuild';

const SHARED = 'globalThis.rooflineShared';
const RESOLVED = Symbol('resolved');

/** Resolves each import of a file in `shared` by onShared(path). */
const sharedImports = (shared, onShared) => ({
  name: 'shared-imports',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === RESOLVED || rest.kind === 'entry-point') return null;
      const found = await resolve(path, { ...rest, pluginData: RESOLVED });
      return shared.has(found.path) ? onShared(found.path) : found;
    });
  },
});

/** The names that an ES module takes from others, by their paths. */
function importedNames(code) {
  const names = new Map();
  for (const [, list, path] of code.matchAll(/import\s*\{([^}]*)\}\s*from\s*"([^"]+)"/g)) {
    const own = names.get(path) ?? new Set();
    for (const item of list.split(',')) own.add(item.trim().split(/\s+as\s+/)[0]);
    names.set(path, own);
  }
  return names;
}

/**
 * `options`: esbuild's, with the entry; `inMain`: absolute paths of the files in main.js. Returns esbuild's result, a script that sets
 * RooflineViews, and the text of the module by which main.js gives the views what they share.
 */
export async function lateViews(options, inMain) {
  const outline = await build({
    ...options,
    format: 'esm',
    minify: false,
    plugins: [sharedImports(inMain, path => ({ path, external: true }))],
  });
  const names = importedNames(outline.outputFiles[0].text);
  const keys = new Map();
  for (const [path, own] of names) for (const name of own) keys.set(`${path} ${name}`, keys.size);
  const exported = path =>
    [...(names.get(path) ?? [])].map(name => {
      const value = `${SHARED}[${keys.get(`${path} ${name}`)}]`;
      return name === 'default' ? `export default ${value};` : `export const ${name} = ${value};`;
    });
  const script = await build({
    ...options,
    globalName: 'RooflineViews',
    plugins: [
      sharedImports(inMain, path => ({ path, namespace: 'shared' })),
      {
        name: 'shared-values',
        setup({ onLoad }) {
          onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({ contents: exported(path).join('\n') }));
        },
      },
    ],
  });
  const imports = [...names].map(
    ([path, own]) =>
      `import { ${[...own].map(name => `${name} as s${keys.get(`${path} ${name}`)}`).join(', ')} } from ${JSON.stringify(path)};`,
  );
  const list = Array.from(keys.values(), key => `s${key}`);
  return { script, shared: `${imports.join('\n')}\n${SHARED} = [${list.join(', ')}];` };
}
