// Assembles WebAssembly text, for instructions that Debian 12's Emscripten does not encode by the standard.
import { readFile } from 'node:fs/promises';
import wabt from 'wabt';

/** The module of a .wat file. Throws where the text is wrong, with the line. */
export async function assembled(path) {
  const { parseWat } = await wabt();
  const module = parseWat(path, await readFile(path), { relaxed_simd: true });
  module.validate();
  return Buffer.from(module.toBinary({}).buffer);
}
