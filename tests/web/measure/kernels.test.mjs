// Every kernel of the page computes what the reference does, on the processor and on the GPU; and the reference refuses what is wrong.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check } from '../harness.mjs';
import { bundled } from '../state/bundled.mjs';
import { pageWith, parts } from './gpu.mjs';

const tasks = await bundled('measure/tasks.ts');

/** Sizes that no tile, workgroup or panel divides. */
const OPERATORS = [
  { type: 'gemm', parameters: { m: 70, n: 200, k: 260 }, formats: ['fp32', 'int8'] },
  { type: 'gemm', parameters: { m: 1, n: 1000, k: 516 }, formats: ['fp32', 'int8'] },
  { type: 'softmax', parameters: { input_shape: [3, 37, 304] }, formats: ['fp32'] },
  { type: 'layer_norm', parameters: { input_shape: [37, 304] }, formats: ['fp32'] },
  { type: 'sum', parameters: { input_shape: [37, 304], axis: -1 }, formats: ['fp32'] },
  { type: 'transpose', parameters: { input_shape: [37, 304] }, formats: ['fp32'] },
  { type: 'add', parameters: { input_self: [37, 304], input_other: [37, 304] }, formats: ['fp32'] },
];

const product = ({ m, n, k }) => `${m} x ${n} x ${k}`;
const rows = ({ input_shape, input_self = input_shape }) =>
  `${input_self.slice(0, -1).reduce((all, length) => all * length, 1)} x ${input_self.at(-1)}`;
const SIZES = { gemm: product, softmax: rows, layer_norm: rows, sum: rows, transpose: rows, add: rows };
const POWERS = { n: 1e-9, µ: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
const numberOf = text => {
  const [, value, prefix] = /^([\d.,]+) ([nµmkMGT]?)(?:s|B\/s|(?:FL)?OP\/s)$/.exec(text.trim());
  return Number(value.replaceAll(',', '')) * (POWERS[prefix] ?? 1);
};
const secondsOf = numberOf;

for (const operator of OPERATORS)
  test(`measure: ${operator.type} of ${JSON.stringify(operator.parameters)}`, async () => {
    const page = await pageWith(operator);
    await page.button('Run it in this browser…').click();
    const { run } = parts(page);
    for (const place of ['Processor', 'GPU'])
      for (const format of operator.formats) {
        await run.getByRole('button', { name: place, exact: true }).click();
        await run.getByRole('button', { name: format.toUpperCase(), exact: true }).click();
        await run.getByRole('button', { name: 'Run', exact: true }).click();
        // A time is shown only where the result has passed the reference; else an alert.
        await check(`${format} on the ${place}`, async () => {
          assert.deepEqual(await run.getByRole('alert').allInnerTexts(), []);
          const row = run.locator('tbody tr').filter({ hasText: format.toUpperCase() });
          assert.equal(await row.count(), 1);
          const [size, , time, rate] = (await row.innerText()).split('\t');
          assert.equal(size, SIZES[operator.type](operator.parameters));
          assert.ok(secondsOf(time) > 0 && Number.isFinite(numberOf(rate)) && numberOf(rate) > 0, `${time}, ${rate}`);
          // Rate and time are of the same run: work / time, to the rounding of both.
          const task = tasks.taskOf(operator, format, 'gpu');
          const work = tasks.flopsOf(task) ?? tasks.bytesOf(task);
          assert.ok(Math.abs((numberOf(rate) * secondsOf(time)) / work - 1) < 0.02, `${rate} x ${time} is not ${work}`);
        });
      }
    page.assertQuiet();
    await page.close();
  });

test('measure: a sweep runs every number of rows', async () => {
  const page = await pageWith({ type: 'gemm', parameters: { m: 1, n: 96, k: 64 }, formats: ['fp32'] });
  await page.button('Run it in this browser…').click();
  const { run } = parts(page);
  await run.getByRole('button', { name: 'Sweep its rows' }).click();
  await check('1 to 64 rows', async () =>
    assert.deepEqual(
      await run.locator('tbody th').allInnerTexts(),
      [1, 2, 4, 8, 16, 32, 64].map(rows => `${rows} x 96 x 64`),
    ),
  );
  const csv = await page.saved(run.getByRole('button', { name: 'CSV' }));
  const times = readFileSync(csv.path, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => Number(line.split(',')[4]));
  assert.equal(times.length, 7);
  assert.ok(
    times.every(time => time > 0),
    `${times}`,
  );
  await page.close();
});

test('measure: the reference accepts rounding and refuses a wrong element', () => {
  for (const { type, parameters, formats } of OPERATORS)
    for (const format of formats) {
      const task = tasks.taskOf({ type, parameters }, format, 'gpu');
      assert.equal(typeof task, 'object', String(task));
      const places = new Map(
        tasks
          .samplesOf(task)
          .map(([row, column]) => [
            tasks.placeOf(task, row, column),
            Math.fround(tasks.expectedAt(task, row, column).value),
          ]),
      );
      tasks.checkResult(task, place => places.get(place));
      const wrong = [...places.keys()].at(-1);
      assert.throws(
        () => tasks.checkResult(task, place => (place === wrong ? places.get(place) + 0.5 : places.get(place))),
        /wrong result/,
      );
      assert.throws(() => tasks.checkResult(task, () => NaN), /wrong result in row 0, column 0: NaN/);
    }
});

test('measure: what running takes in memory counts every copy', () => {
  const task = { kind: 'product', type: 'gemm', format: 'int8', rows: 3, columns: 5, depth: 8 };
  // Each of 4 cores: 3 x 8 bytes and the same in 16 bits; 8 x 5 bytes twice; 3 x 5 results of 32 bits.
  assert.equal(tasks.memoryOf(task, 'cpu', 4), 4 * 24 * 3 + 2 * 40 + 60);
  assert.equal(tasks.memoryOf({ ...task, format: 'fp32' }, 'cpu', 4), 4 * 96 + 2 * 160 + 60);
  assert.equal(tasks.memoryOf(task, 'gpu', 4), 2 * (24 + 40 + 60));
  assert.match(tasks.taskOf({ type: 'gemm', parameters: { m: 4, n: 16, k: 16 } }, 'fp16', 'cpu'), /GPU only/);
  assert.equal(tasks.taskOf({ type: 'gemm', parameters: { m: 4, n: 16, k: 16 } }, 'fp16', 'gpu').format, 'fp16');
});

test('measure: a product of two by two, by hand', () => {
  const task = { kind: 'product', type: 'gemm', format: 'int8', rows: 2, columns: 2, depth: 2 };
  const a = [0, 1, 2, 3].map(i => tasks.leftAt(task, i));
  const b = [0, 1, 2, 3].map(i => tasks.rightAt(task, i));
  assert.ok(a.every(x => x >= 0 && x <= 16) && b.every(x => x >= -8 && x <= 8));
  assert.equal(tasks.expectedAt(task, 1, 0).value, a[2] * b[0] + a[3] * b[2]);
  assert.equal(tasks.bytesOf({ ...task, rows: 3, columns: 5, depth: 8 }), 3 * 8 + 8 * 5 + 4 * 15);
  assert.equal(tasks.flopsOf({ ...task, rows: 3, columns: 5, depth: 8 }), 240);
});
