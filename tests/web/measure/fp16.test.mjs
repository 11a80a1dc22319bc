// The FP16 shaders, on an adapter without FP16: the same text with f16 as another name of f32, which shows all but the rounding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../state/bundled.mjs';
import { pageWith, runShader } from './gpu.mjs';

const { shaderOf } = await bundled('measure/gpu/kernels.ts');
const { productShader } = await bundled('measure/gpu/products.ts');
const { operandsOf } = await bundled('measure/run_task.ts');
const { multiplyAdd, multiplyAddReference } = await bundled('measure/gpu/shaders.ts');
const { checkResult, leftAt, rightAt } = await bundled('measure/tasks.ts');

const widened = code => {
  assert.match(code, /^\s*enable f16;/);
  return code.replace('enable f16;', 'alias f16 = f32;');
};

test('measure: FP16 products', async () => {
  const page = await pageWith(null);
  for (const [rows, columns, depth] of [
    [70, 200, 261],
    [1, 1000, 515],
  ]) {
    const task = { kind: 'product', type: 'gemm', format: 'fp16', rows, columns, depth };
    const { code, workgroups, constants } = shaderOf(task, null);
    const results = await runShader(page, {
      code: widened(code),
      workgroups,
      constants,
      inputs: [
        Array.from({ length: rows * depth }, (_, i) => leftAt(task, i)),
        Array.from({ length: depth * columns }, (_, i) => rightAt(task, i)),
      ],
      results: rows * columns,
    });
    const every = results.map((_, i) => [Math.floor(i / columns), i % columns]);
    checkResult(task, place => results[place], every);
  }
  await page.close();
});

test('measure: products in large tiles', async () => {
  const page = await pageWith(null);
  const [rows, columns, depth] = [150, 140, 36];
  for (const format of ['fp32', 'fp16', 'int8']) {
    const task = { kind: 'product', type: 'gemm', format, rows, columns, depth };
    const int8 = format === 'int8';
    const code = productShader(format, 128, 8);
    const results = await runShader(page, {
      code: format === 'fp16' ? widened(code) : code,
      workgroups: [2, 2],
      constants: { rows, columns, depth: int8 ? depth / 4 : depth },
      inputs: int8
        ? operandsOf(task).map(bytes => [...new Int32Array(bytes.buffer)])
        : operandsOf({ ...task, format: 'fp32' }).map(numbers => [...numbers]),
      results: rows * columns,
      int32: int8,
    });
    checkResult(
      task,
      place => results[place],
      results.map((_, i) => [Math.floor(i / columns), i % columns]),
    );
  }
  await page.close();
});

test('measure: the FP16 peak', async () => {
  const page = await pageWith(null);
  const rounds = 20;
  const results = await runShader(page, {
    code: widened(multiplyAdd('f16')),
    workgroups: [2],
    constants: { rounds },
    inputs: [],
    results: 512,
  });
  for (const [i, found] of results.entries()) {
    const expected = multiplyAddReference(i & 1, rounds);
    assert.ok(Math.abs(found / expected - 1) < 1e-5, `${i}: ${found}, expected ${expected}`);
  }
  await page.close();
});
