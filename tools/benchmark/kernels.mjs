// The page's kernels over the native ones of the same width, on one core, in turns: what `Measure this machine` is worth. Prints JSON.
// Relaxed SIMD is measured in Chromium: Node 20 has it behind a flag only.
//     node tools/benchmark/kernels.mjs    after building bench_kernels, wasm and page
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dist, end, openPage, root } from '../../tests/web/browser.mjs';

const ROUNDS = 5;
const WINDOW_S = 0.004;
const REPEATS = 24;

const now = () => performance.now() / 1000;
const nothing = new Proxy({}, { get: () => () => 0, has: () => true });
const { instance } = await WebAssembly.instantiate(readFileSync(`${root}/build/wasm/measure.wasm`), {
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
  raise(native, JSON.parse(execFileSync(`${root}/build/native/bench_kernels`, { encoding: 'utf8' })));
  raise(wasm, {
    fp64: rate(0),
    fp32: rate(1),
    int8: rate(2),
    read: rate(3, memory, 256 << 20),
    product: best(product),
  });
}

// Operations per second of products over those of the peaks, in relaxed SIMD: FP32, INT8.
const relaxed = await openPage();
const overPeak = await relaxed.page.evaluate(
  async ({ wasm: base64, size: [rows, columns, depth] }) => {
    const memory = new WebAssembly.Memory({ initial: 1024 });
    const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const { exports } = (await WebAssembly.instantiate(bytes, { measure: { memory } })).instance;
    const rate = (work, run) => {
      const start = performance.now();
      let done = 0;
      while (performance.now() - start < 10) for (let i = 0; i < 8; ++i, done += work) run(); // 10 ms: the clock's step is 0.1
      return done / (performance.now() - start);
    };
    const [chainRounds, megabyte] = [10_000, 1 << 20];
    return [
      ['fp32', 0, 1],
      ['int8', 1, 4],
    ].map(([name, tile, numbers]) => {
      let [peak, product] = [0, 0];
      for (let repeat = 0; repeat < 100; ++repeat) {
        peak = Math.max(
          peak,
          rate(12 * 8 * numbers * chainRounds, () => exports[name](0, chainRounds)),
        );
        const multiply = () => exports.product(tile, megabyte, 2 * megabyte, 8 * megabyte, rows, columns, depth);
        product = Math.max(product, rate(2 * rows * columns * depth * numbers, multiply));
      }
      return product / peak;
    });
  },
  { wasm: readFileSync(`${dist}/relaxed.wasm`, 'base64'), size: [m, n, k] },
);
await end();

console.log(
  JSON.stringify({
    fp64_over_native: wasm.fp64 / native.fp64,
    fp32_over_native: wasm.fp32 / native.fp32,
    int8_over_native: wasm.int8 / native.int8,
    read_over_native: wasm.read / native.read,
    product_over_peak: wasm.product / wasm.fp32,
    relaxed_product_over_peak: overPeak,
    native_product_over_peak: native.wide_product / native.wide_fp32,
  }),
);
