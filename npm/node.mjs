// The library for Node: the module's bytes lie beside this file.
import { readFile } from 'node:fs/promises';
import { start } from './library.mjs';

export { RooflineError } from './library.mjs';

export async function roofline({ wasm } = {}) {
  return start(wasm ?? (await readFile(new URL('./roofline.wasm', import.meta.url))));
}

export default roofline;
