// Measured times and measured machines on the command line.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, roofline, test } from './check.mjs';

const put = (name, content) => writeFileSync(join(folder, name), content);
const machine = { id: 'round', name: 'Round', peaks: { matrix: { fp16: 100e12, int8: 200e12 } }, memories: [{ name: 'HBM', bandwidth: 1e12 }] };

/// Square products in two formats, at 60 % of the peak, 80 % of the bandwidth and 5 us of launch.
function table() {
  const rows = [];
  for (const n of [64, 256, 1024, 4096])
    for (const [format, peak, width] of [['fp16', 100e12, 2], ['int8', 200e12, 1]]) {
      const seconds = Math.max((2 * n ** 3) / (0.6 * peak), (3 * n * n * width) / 0.8e12) + 5e-6;
      rows.push(`gemm,${n}x${n}x${n},${format},${seconds * 1e6}`);
    }
  return `operator,shape,format,measured_us\n${rows.join('\n')}\n`;
}

export async function test_measure() {
  put('round.json', JSON.stringify(machine));
  put('results.csv', table());

  await test('analyze: a results table shows predicted against measured', () => {
    const text = roofline(['analyze', 'results.csv', '--machine', 'round.json']);
    assert.equal(text.status, 0, text.err);
    assert.match(text.out, /^# +name +measured +predicted +error +measured over FP16 +predicted over FP16$/m);
    assert.match(text.out, /^predicted: mean absolute error \d+ %, 0 % of 8 within ±5 %$/m);
    const { parity, ops } = JSON.parse(roofline(['analyze', 'results.csv', '--machine', 'round.json', '-o', 'json']).out);
    assert.equal(parity.baseline, 'fp16');
    assert.deepEqual(parity.ops.map((op) => op.baseline), [0, 0, 2, 2, 4, 4, 6, 6]);
    assert.equal(parity.ops[7].speedup_predicted, 2);
    for (const [i, op] of parity.ops.entries()) assert.equal(op.error, ops[i].predicted_time_s / ops[i].time_s - 1);
    const mape = parity.ops.reduce((sum, { error }) => sum + Math.abs(error), 0) / 8;
    assert.ok(Math.abs(parity.predicted.mape - mape) < 1e-12);
  });

  await test('analyze --fit: the machine that the times were made with, as a file that --machine takes', () => {
    const { status, out, err } = roofline(['analyze', 'results.csv', '--machine', 'round.json', '--fit', 'fitted.json', '-o', 'json']);
    assert.equal(status, 0, err);
    JSON.parse(out);
    assert.match(err, /^fitted\.json: compute 60 % of the peak, bandwidth 80 %, launch 5 µs; root mean square error 0/);
    const fitted = JSON.parse(readFileSync(join(folder, 'fitted.json'), 'utf8'));
    assert.equal(fitted.id, 'round-fitted');
    assert.ok(Math.abs(fitted.achievable.compute.value - 0.6) < 1e-9);
    assert.equal(fitted.launch_s.basis, 'measured');
    const again = JSON.parse(roofline(['analyze', 'results.csv', '--machine', 'fitted.json', '-o', 'json']).out);
    assert.ok(again.parity.typical.mape < 1e-9);
    assert.equal(again.parity.typical.within_band, 1);
  });

  await test('analyze --fit: too few measurements, and a place that cannot be written', () => {
    put('two.csv', table().split('\n').slice(0, 3).join('\n'));
    const few = roofline(['analyze', 'two.csv', '--machine', 'round.json', '--fit', 'x.json']);
    assert.equal(few.status, 1);
    assert.equal(few.out, '');
    assert.match(few.err, /at least three operations with a time.*found 2/);
    const nowhere = roofline(['analyze', 'results.csv', '--machine', 'round.json', '--fit', 'absent/x.json']);
    assert.equal(nowhere.status, 1);
    assert.match(nowhere.err, /absent\/x\.json: cannot be written/);
  });

  await test('analyze --machine: what ERT and clpeak measured', () => {
    put('ert.json', JSON.stringify({ empirical: { gbytes: { data: [['L1', 1723.23], ['DRAM', 83]] }, gflops: { data: [['GFLOPs', 355.79]] } } }));
    put('clpeak.xml', '<clpeak><run device="GPU"><category name="x"><test name="single_precision_compute" unit="gflops"><metric name="float">5000</metric></test>' +
      '<test name="global_memory_bandwidth" unit="gbps"><metric name="float">200</metric></test></category></run></clpeak>');
    for (const [name, bandwidth] of [['ert.json', 83e9], ['clpeak.xml', 200e9]]) {
      const result = roofline(['analyze', 'results.csv', '--machine', name, '-o', 'json']);
      assert.equal(result.status, 0, result.err);
      assert.equal(JSON.parse(result.out).machine.memories[0].bandwidth, bandwidth);
    }
    put('clpeak.xml', '<clpeak><run device="GPU"></clpeak>');
    const wrong = roofline(['analyze', 'results.csv', '--machine', 'clpeak.xml']);
    assert.equal(wrong.status, 1);
    assert.match(wrong.err, /^clpeak\.xml: line 1, column 35: not valid XML: expected <\/run>/);
  });

  await test('analyze: a table whose time has no unit is refused', () => {
    put('no-unit.csv', 'operator,shape,format,time\ngemv,64,fp16,3\n');
    const { status, out, err } = roofline(['analyze', 'no-unit.csv']);
    assert.equal(status, 1);
    assert.equal(out, '');
    assert.match(err, /no-unit\.csv: line 1, column 1: the column "time" has no unit: expected one in its name, such as time_us/);
  });
}
