// A module of the page, for Node.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const web = new URL('../../../web/', import.meta.url);
const { build } = createRequire(new URL('package.json', web))('esbuild');

/** Imports a file of web/src. */
export async function bundled(path) {
  const entry = fileURLToPath(new URL(`src/${path}`, web));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
