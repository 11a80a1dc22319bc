// The library for browsers and bundlers, which find the module by its URL.
import { start } from './library.mjs';

export { RooflineError } from './library.mjs';

export async function roofline({ wasm } = {}) {
  if (wasm) return start(wasm);
  const response = await fetch(new URL('./roofline.wasm', import.meta.url));
  if (!response.ok) throw new Error(`roofline.wasm cannot be fetched (${response.status})`);
  return start(await response.arrayBuffer());
}

export default roofline;
