// relaxed.wasm in Node: Node 20 has relaxed SIMD behind a flag, and its baseline compiler (Liftoff) gets sums of products of bytes wrong;
// Node 18 has it as it was before the standard, and cannot run relaxed.wasm.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { bundled } from '../state/bundled.mjs';

const dist = process.env.DIST ?? fileURLToPath(new URL('../../../dist', import.meta.url));
export const relaxedWasm = readFileSync(`${dist}/relaxed.wasm`);
if (!WebAssembly.validate(relaxedWasm))
  for (const flag of ['--experimental-wasm-relaxed-simd', '--no-liftoff']) setFlagsFromString(flag);

/** A reason to skip what needs relaxed SIMD. */
export const skip = !WebAssembly.validate(relaxedWasm) && 'this Node has no relaxed SIMD';

const { startKernels } = await bundled('measure/module.ts');
const { Relaxed } = await bundled('measure/relaxed.ts');

export const kernelsOf = () => startKernels(readFileSync(`${dist}/measure.wasm`));
export const relaxedOf = (kernels, wasm = relaxedWasm) => Relaxed.start(wasm, kernels);
