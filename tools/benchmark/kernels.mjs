// The page's kernels over the native ones of the same width, on one core, in turns: what `Measure this machine` is worth. Prints JSON.
//     node tools/benchmark/kernels.mjs    after building bench_kernels and wasm
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const ROUNDS = 5;
const WINDOW_S = 0.004;
const REPEATS = 24;

const now = () => performance.now() / 1000;
const nothing = new Proxy({}, { get: () => () => 0, has: () => true });
const { instance } = await WebAssembly.instantiate(readFileSync(new URL('build/wasm/measure.wasm', root)), {
  env: nothing,
  wasi_snapshot_preview1: nothing,
  page: { now },
});
const kernels = instance.exports;
kernels._initialize?.();

const best = run => Math.max(...Array.from({ length: REPEATS }, run));
const memory = kernels.allocate(256 << 20);
const rate = (probe, at = 0, bytes = 0) => best(() => kernels.sample(probe, at, bytes, now(), now() + WINDOW_S));
const [m, n, k] = [96, 192, 512];
const [a, b, packed, c] = [m * k, k * n, k * n, m * n].map(count => kernels.allocate(4 * count));
kernels.pack_fp32(b, packed, n, k);
const product = () => {
  const start = now();
  kernels.product_fp32(a, packed, c, m, n, k);
  return (2 * m * n * k) / (now() - start);
};

const wasm = {};
const native = {};
const raise = (all, found) => {
  for (const [name, value] of Object.entries(found)) all[name] = Math.max(all[name] ?? 0, value);
};
for (let round = 0; round < ROUNDS; ++round) {
  raise(native, JSON.parse(execFileSync(new URL('build/native/bench_kernels', root).pathname, { encoding: 'utf8' })));
  raise(wasm, {
    fp64: rate(0),
    fp32: rate(1),
    int8: rate(2),
    read: rate(3, memory, 256 << 20),
    product: best(product),
  });
}
console.log(
  JSON.stringify({
    fp64_over_native: wasm.fp64 / native.fp64,
    fp32_over_native: wasm.fp32 / native.fp32,
    int8_over_native: wasm.int8 / native.int8,
    read_over_native: wasm.read / native.read,
    product_over_peak: wasm.product / wasm.fp32,
    native_product_over_peak: native.wide_product / native.wide_fp32,
  }),
);
