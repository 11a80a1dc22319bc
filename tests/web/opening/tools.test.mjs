// Files of tools, from the drop to the finding: an NPU's cycles, a trace of a CPU, a table of implementations that is asked about once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

// 131,072 MACs in 1,024 cycles at 50% are 256 a cycle.
const vela =
  'TFLite_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,DRAM AC,OnFlash AC,OffFlash AC,MAC Count,Network%,Util%,Name\n' +
  'CONV_2D,Conv2DBias,4096,50.0,1024.0,50.6,1024.0,300.0,0.0,0.0,0.0,131072,67.2,50.0,net/conv\n' +
  'MAX_POOL_2D,MaxPool,4096,50.0,1000.0,49.4,900.0,1000.0,0.0,0.0,0.0,64000,32.8,25.0,net/pool\n';

// 512 cubed in 100 µs: 2.68 TFLOP/s.
const product = {
  ph: 'X',
  cat: 'cpu_op',
  name: 'aten::mm',
  tid: 1,
  ts: 1,
  dur: 100,
  args: {
    'External id': 1,
    'Input Dims': [
      [512, 512],
      [512, 512],
    ],
    'Input type': ['float', 'float'],
  },
};
const trace = JSON.stringify({ schemaVersion: 1, deviceProperties: [], traceEvents: [product] });

const triton = 'M,N,K,cuBLAS,Triton\n4096,4096,4096,600.5,550.25\n8192,8192,8192,700.5,650.25\n';

test('files of tools', async () => {
  const page = await openPage();
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  const question = page.page.getByRole('group', { name: 'Which machine' });

  await page.drop({ 'net_per-layer.csv': vela });
  await check("Vela's cycles are a time on the NPU that they prove", async () => {
    assert.equal(await machine.inputValue(), 'Arm Ethos-U55-256');
    assert.equal(await question.count(), 0);
    assert.match(await page.totals.innerText(), /4\.05 µs/);
    assert.deepEqual((await page.tableNames()).sort(), ['net/conv', 'net/pool']);
  });

  await page.drop({ 'cpu.json': trace });
  await check('a trace of the host asks for its machine', async () => {
    assert.match(await question.innerText(), /^Which machine ran this\? The fastest rows reach 2\.68 TFLOP\/s/);
    assert.match(await page.totals.innerText(), /100 µs/);
  });
  await machine.click();
  await machine.fill('epyc 9654');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('and is judged by the one chosen', async () => {
    assert.equal(await question.count(), 0);
    assert.match(await page.headline(), /^Compute-bound, at 36%/);
  });

  await page.drop({ 'matmul.csv': triton });
  await check('a column for each implementation is asked about', async () =>
    assert.match(
      await page.alert(),
      /"cuBLAS" and "Triton": the table, as of Triton's perf_report, does not say in which unit they are/,
    ),
  );
  await page.button('Map columns…').click();
  const dialog = page.page.getByRole('dialog', { name: 'Columns of matmul.csv' });
  for (const name of ['cuBLAS', 'Triton']) await dialog.getByRole('combobox', { name }).selectOption('TFLOP/s');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.settled();
  await check('and, answered once, each is a row', async () =>
    assert.deepEqual((await page.tableNames()).sort(), [
      'Triton 4096x4096x4096',
      'Triton 8192x8192x8192',
      'cuBLAS 4096x4096x4096',
      'cuBLAS 8192x8192x8192',
    ]),
  );
  page.assertQuiet();
  await page.close();
});
