// An operator divided among the cores: nothing is left out or done twice, and each core's result is right. Without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../state/bundled.mjs';
import { kernelsOf, relaxedOf, skip } from './relaxed.mjs';

const { partOf, shareOf } = await bundled('measure/cpu_share.ts');

test('parts lie end to end, in whole steps', () => {
  for (const [count, step] of [
    [200, 16],
    [16, 16],
    [5, 1],
    [1, 1],
    [1000, 16],
  ])
    for (const cores of [1, 2, 3, 7, 64]) {
      const parts = Array.from({ length: cores }, (_, core) => partOf(count, step, core, cores));
      assert.equal(parts[0][0], 0);
      assert.equal(parts.at(-1)[1], count);
      for (const [i, [from, to]] of parts.entries()) {
        assert.ok(from <= to && (from % step === 0 || from === count), `${count} by ${step} among ${cores}: ${parts}`);
        if (i > 0) assert.equal(from, parts[i - 1][1]);
      }
      const sizes = parts.map(([from, to]) => Math.ceil((to - from) / step));
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, 'no core has more than a step more than another');
    }
});

/** Runs each core's part of operators, which it checks. `relaxed`: the kernels in relaxed SIMD; null: without. */
function divide(kernels, relaxed) {
  const tasks = [
    { kind: 'product', type: 'gemm', format: 'fp32', rows: 7, columns: 200, depth: 52 },
    { kind: 'product', type: 'gemm', format: 'int8', rows: 7, columns: 200, depth: 52 },
    { kind: 'softmax', type: 'softmax', format: 'fp32', rows: 5, columns: 48, depth: 1 },
    { kind: 'layer_norm', type: 'layer_norm', format: 'fp32', rows: 5, columns: 48, depth: 1 },
    { kind: 'row_sums', type: 'sum', format: 'fp32', rows: 5, columns: 48, depth: 1 },
    { kind: 'transpose', type: 'transpose', format: 'fp32', rows: 5, columns: 48, depth: 1 },
    { kind: 'add', type: 'add', format: 'fp32', rows: 5, columns: 48, depth: 1 },
  ];
  for (const task of tasks)
    for (const cores of [1, 2, 3, 8]) {
      let working = 0;
      for (let core = 0; core < cores; ++core) {
        const share = shareOf(kernels, relaxed, task, core, cores);
        if (!share) continue;
        ++working;
        share.run();
        share.check();
        share.release();
      }
      const most = task.kind === 'product' ? Math.ceil(task.columns / kernels.panel_columns()) : task.rows;
      assert.equal(working, Math.min(cores, most), `${task.kind} in ${task.format} among ${cores}`);
    }
}

test('each core computes its own part of the result', async () => divide(await kernelsOf(), null));

test('each core computes its own part of the result in relaxed SIMD', { skip }, async () => {
  const kernels = await kernelsOf();
  const relaxed = await relaxedOf(kernels);
  const used = [];
  const takes = relaxed.takes.bind(relaxed);
  relaxed.takes = (format, rows) => takes('fp32', rows) && used.push(format) > 0; // forces INT8, even if it is slower
  divide(kernels, relaxed);
  assert.deepEqual([...new Set(used)], ['fp32', 'int8']);
});

test('a core whose result was not computed says so', async () => {
  const kernels = await kernelsOf();
  const task = { kind: 'add', type: 'add', format: 'fp32', rows: 4, columns: 16, depth: 1 };
  const share = shareOf(kernels, null, task, 1, 2);
  assert.throws(() => share.check(), /^Error: wrong result in row 2, column 0: /);
});
