// Relaxed SIMD: its kernels compute what the reference does, wrong ones do not count, and products are right at every size. Without a browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { kernelsOf, relaxedOf, relaxedWasm, skip } from './relaxed.mjs';

const text = readFileSync(fileURLToPath(new URL('../../../wasm/measure/relaxed.wat', import.meta.url)), 'utf8');
const { parseWat } = await createRequire(new URL('../../../web/package.json', import.meta.url))('wabt')();
const assembled = changed => parseWat('changed.wat', changed, { relaxed_simd: true }).toBinary({}).buffer;

/** The text with one function's text changed. */
function withWrong(name, from, to) {
  const start = text.indexOf(`(export "${name}")`);
  const at = text.indexOf(from, start);
  assert.ok(start > 0 && at > start);
  return assembled(text.slice(0, at) + to + text.slice(at + from.length));
}

test('relaxed SIMD: the module is small, and what its text says', () => {
  assert.ok(relaxedWasm.length < 4096, String(relaxedWasm.length));
  assert.deepEqual(relaxedWasm, Buffer.from(assembled(text)));
});

test('relaxed SIMD: every kernel is right, and has a rate', { skip }, async () => {
  const relaxed = await relaxedOf(await kernelsOf());
  assert.deepEqual(relaxed.wrong, []);
  const now = () => performance.now() / 1000;
  for (const probe of ['relaxed_fp64', 'relaxed_fp32', 'relaxed_int8', 'relaxed_int8_by_pairs']) {
    const began = now();
    const rate = Math.abs(relaxed.sample(probe, began + 0.002, began + 0.006)); // below 0: this process was held up
    assert.ok(now() >= began + 0.006);
    assert.ok(rate > 1e7 && rate < 1e13, `${probe}: ${rate}`);
    assert.ok(relaxed.sample(probe, now() - 1, now() - 0.9) < 0, 'a window that has passed is late');
  }
});

for (const [name, from, to] of [
  ['fp64', 'f64.const 0.999', 'f64.const 0.998'],
  ['fp32', '(local.set $c7 (f32x4.relaxed_madd (local.get $c7)', '(local.set $c7 (f32x4.relaxed_madd (local.get $c6)'],
  ['int8', 'i8x16 3 5 3 5', 'i8x16 3 5 3 4'],
  ['int8_by_pairs', '(i32.const 1)', '(i32.const 2)'],
])
  test(`relaxed SIMD: a wrong ${name} is found`, { skip }, async () => {
    const relaxed = await relaxedOf(await kernelsOf(), withWrong(name, from, to));
    assert.deepEqual(relaxed.wrong, [`relaxed_${name}`]);
    if (name === 'fp32' || name === 'int8') assert.equal(relaxed.takes(name, 64), false, 'nor does it multiply');
  });

test('relaxed SIMD: products at the ends of their ranges', { skip }, async () => {
  const kernels = await kernelsOf();
  const relaxed = await relaxedOf(kernels);
  assert.equal(relaxed.takes('fp32', 5), false, 'fewer rows than a tile');
  assert.equal(relaxed.takes('fp32', 6), true);
  for (const m of [6, 7, 11, 12, 13]) {
    const [n, k] = [16, 36];
    const [a, packed, c] = [m * k, n * k, m * n * 4].map(bytes => kernels.allocate(bytes));
    const left = Uint8Array.from({ length: m * k }, (_, i) => (i % 5 === 0 ? 127 : (i * 37) % 128));
    const right = Int8Array.from({ length: n * k }, (_, i) => (i % 3 === 0 ? -128 : i % 3 === 1 ? 127 : i * 31));
    new Uint8Array(kernels.memory.buffer, a).set(left);
    new Int8Array(kernels.memory.buffer, packed).set(right);
    relaxed.product('int8', a, packed, c, m, n, k);
    const at = (p, j) => right[Math.floor(j / 8) * 8 * k + (p - (p % 4)) * 8 + (j % 8) * 4 + (p % 4)];
    const expected = Array.from({ length: m * n }, (_, place) => {
      const [i, j] = [Math.floor(place / n), place % n];
      return Array.from({ length: k }, (_, p) => left[i * k + p] * at(p, j)).reduce((sum, one) => sum + one, 0);
    });
    assert.deepEqual([...new Int32Array(kernels.memory.buffer, c, m * n)], expected, `${m} rows`);
    for (const place of [a, packed, c]) kernels.release(place);
  }
});
