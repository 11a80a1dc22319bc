// Measured times and measured machines on the command line.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { folder, repository, roofline, test } from './check.mjs';

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

  await test('analyze --machine: ERT\'s sum', () => {
    put('sum', '  355.79 GFLOPs\n\n 2830.16 Weight\n\n 1723.23 L1\n   83.00 DRAM\n\nMETA_DATA\nHOSTNAME  (\'box\', [], [])\n');
    const result = roofline(['analyze', 'results.csv', '--machine', './sum', '-o', 'json']);
    assert.equal(result.status, 0, result.err);
    const { machine: found } = JSON.parse(result.out);
    assert.deepEqual([found.name, found.memories[0].bandwidth, found.peaks.vector.fp64], ['box, measured by ERT', 83e9, 355.79e9]);
  });

  // The kernels need a GPU; their arguments and the table do not.
  const gemm = (...args) => spawnSync('python3', [join(repository, 'tools/measure/gemm.py'), ...args], { encoding: 'utf8' });
  if (gemm('--help').error) {
    console.log('tools/measure/gemm.py: not tested, there is no python3');
  } else {
    await test('gemm.py: help, and arguments checked before PyTorch is looked for', () => {
      const help = gemm('--help');
      assert.deepEqual([help.status, help.stderr], [0, '']);
      assert.match(help.stdout, /--formats/);
      for (const [args, message] of [[['--formats', 'fp16,fp15'], /unknown format 'fp15': expected some of fp32, tf32/], [['--shapes', '4x4'], /expected three lengths/],
        [['--shapes', 'axb'], /expected MxNxK/], [['--runs', '0'], /expected 1 or more/], [['--cache', '-1'], /expected a size in MB/]]) {
        const { status, stdout, stderr } = gemm(...args);
        assert.deepEqual([status, stdout], [2, ''], args.join(' '));
        assert.match(stderr, message);
      }
    });

    await test('gemm.py: what is missing is said', () => {
      const python = code => spawnSync('python3', ['-c', code], { encoding: 'utf8' });
      if (python('import torch; assert torch.cuda.is_available()').status === 0) return;  // there is a GPU: nothing is
      const { status, stdout, stderr } = gemm();
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, python('import torch').status === 0 ? /finds no CUDA or ROCm GPU/ : /PyTorch is not installed: pip install torch/);
    });

    await test('gemm.py: the tables it writes are read, padded rows and the machine too', () => {
      const code = `import sys; sys.path.insert(0, ${JSON.stringify(join(repository, 'tools/measure'))}); import gemm
rows = [gemm.row_of("fp16", 1, 4096, 4096, 20e-6), gemm.row_of("int8", 1, 4096, 4096, 12e-6), gemm.row_of("fp8_e4m3", 512, 512, 512, 6e-6)]
gemm.write(rows, "NVIDIA H100 80GB HBM3", "a test", len(sys.argv) > 1, sys.stdout)
assert gemm.sets_needed(65536, 50 << 20) * 65536 >= 100 << 20 and gemm.sets_needed(1 << 30, 50 << 20) == 2
assert gemm.lacks("bf16", None, (7, 5)) and not gemm.lacks("bf16", None, (8, 0)) and gemm.lacks("fp8_e4m3", None, (8, 0)) and not gemm.lacks("fp8_e4m3", "6.0", (9, 4))`;
      for (const csv of [false, true]) {
        const made = spawnSync('python3', ['-c', code, ...(csv ? ['csv'] : [])], { encoding: 'utf8' });
        assert.equal(made.status, 0, made.stderr);
        put(csv ? 'gpu.csv' : 'gpu.json', made.stdout);
        const result = roofline(['analyze', csv ? 'gpu.csv' : 'gpu.json', '-o', 'json']);
        assert.equal(result.status, 0, result.err);
        const { ops, machine: found, diagnostics } = JSON.parse(result.out);
        assert.equal(found.id, 'h100-sxm');
        assert.deepEqual(diagnostics.filter(({ severity }) => severity !== 'info'), []);
        assert.deepEqual(ops.map(({ time_s, formats }) => [time_s, formats.output]), [[20e-6, 'fp16'], [12e-6, 'int32'], [6e-6, 'bf16']]);
        assert.equal(ops[1].flops, 2 * 4096 * 4096);
      }
    });
  }

  await test('analyze: a table whose time has no unit is refused', () => {
    put('no-unit.csv', 'operator,shape,format,time\ngemv,64,fp16,3\n');
    const { status, out, err } = roofline(['analyze', 'no-unit.csv']);
    assert.equal(status, 1);
    assert.equal(out, '');
    assert.match(err, /no-unit\.csv: line 1, column 1: the column "time" has no unit: expected one in its name, such as time_us/);
  });
}
