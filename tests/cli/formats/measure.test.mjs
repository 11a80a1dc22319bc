// Measured times and measured machines on the command line.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { folder, put, repository, roofline } from '../command.mjs';

const machine = {
  id: 'round',
  name: 'Round',
  peaks: { matrix: { fp16: 100e12, int8: 200e12 } },
  memories: [{ name: 'HBM', bandwidth: 1e12 }],
};

/// Square products in two formats, at 60% of the peak, 80% of the bandwidth and 5 us of launch.
function table() {
  const rows = [];
  for (const n of [64, 256, 1024, 4096])
    for (const [format, peak, width] of [
      ['fp16', 100e12, 2],
      ['int8', 200e12, 1],
    ]) {
      const seconds = Math.max((2 * n ** 3) / (0.6 * peak), (3 * n * n * width) / 0.8e12) + 5e-6;
      rows.push(`gemm,${n}x${n}x${n},${format},${seconds * 1e6}`);
    }
  return `operator,shape,format,measured_us\n${rows.join('\n')}\n`;
}

put('round.json', JSON.stringify(machine));
put('results.csv', table());

await test('analyze: a results table shows predicted against measured', () => {
  const text = roofline(['analyze', 'results.csv', '--machine', 'round.json']);
  assert.equal(text.status, 0, text.err);
  assert.match(
    text.out,
    /^# +name +measured +predicted +error( +typical +error)? +measured over FP16 +predicted over FP16$/m,
  );
  assert.match(text.out, /^predicted: mean absolute error \d+%, 0% of 8 within ±5%$/m);
  const { parity, ops } = JSON.parse(roofline(['analyze', 'results.csv', '--machine', 'round.json', '-o', 'json']).out);
  assert.equal(parity.baseline, 'fp16');
  assert.deepEqual(
    parity.ops.map(op => op.baseline),
    [0, 0, 2, 2, 4, 4, 6, 6],
  );
  assert.equal(parity.ops[7].speedup_predicted, 2);
  for (const [i, op] of parity.ops.entries()) assert.equal(op.error, ops[i].predicted_time_s / ops[i].time_s - 1);
  const mape = parity.ops.reduce((sum, { error }) => sum + Math.abs(error), 0) / 8;
  assert.ok(Math.abs(parity.predicted.mape - mape) < 1e-12);
});

await test('analyze --fit: the machine that the times were made with, as a file that --machine takes', () => {
  const { status, out, err } = roofline([
    'analyze',
    'results.csv',
    '--machine',
    'round.json',
    '--fit',
    'fitted.json',
    '-o',
    'json',
  ]);
  assert.equal(status, 0, err);
  JSON.parse(out);
  assert.match(
    err,
    /^fitted\.json: compute 60% of the peak, bandwidth 80%, launch 5 µs; root mean square error (0|<0\.001)%/,
  );
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
  put(
    'ert.json',
    JSON.stringify({
      empirical: {
        gbytes: {
          data: [
            ['L1', 1723.23],
            ['DRAM', 83],
          ],
        },
        gflops: { data: [['GFLOPs', 355.79]] },
      },
    }),
  );
  put(
    'clpeak.xml',
    '<clpeak><run device="GPU"><category name="x"><test name="single_precision_compute" unit="gflops"><metric name="float">5000</metric></test>' +
      '<test name="global_memory_bandwidth" unit="gbps"><metric name="float">200</metric></test></category></run></clpeak>',
  );
  for (const [name, bandwidth] of [
    ['ert.json', 83e9],
    ['clpeak.xml', 200e9],
  ]) {
    const result = roofline(['analyze', 'results.csv', '--machine', name, '-o', 'json']);
    assert.equal(result.status, 0, result.err);
    assert.equal(JSON.parse(result.out).machine.memories[0].bandwidth, bandwidth);
  }
  put('clpeak.xml', '<clpeak><run device="GPU"></clpeak>');
  const wrong = roofline(['analyze', 'results.csv', '--machine', 'clpeak.xml']);
  assert.equal(wrong.status, 1);
  assert.match(wrong.err, /^clpeak\.xml: line 1, column 35: not valid XML: expected <\/run>/);
});

await test("analyze --machine: ERT's sum", () => {
  put(
    'sum',
    "  355.79 GFLOPs\n\n 2830.16 Weight\n\n 1723.23 L1\n   83.00 DRAM\n\nMETA_DATA\nHOSTNAME  ('box', [], [])\n",
  );
  const result = roofline(['analyze', 'results.csv', '--machine', './sum', '-o', 'json']);
  assert.equal(result.status, 0, result.err);
  const { machine: found } = JSON.parse(result.out);
  assert.deepEqual(
    [found.name, found.memories[0].bandwidth, found.peaks.vector.fp64],
    ['box, measured by ERT', 83e9, 355.79e9],
  );
});

// The kernels need a GPU; their arguments and the table do not.
const gemm = (...args) =>
  spawnSync('python3', [join(repository, 'tools/measure/gemm.py'), ...args], { encoding: 'utf8' });
const python = { skip: gemm('--help').error && 'there is no python3' };

await test('gemm.py: help, and arguments checked before PyTorch is looked for', python, () => {
  const help = gemm('--help');
  assert.deepEqual([help.status, help.stderr], [0, '']);
  assert.match(help.stdout, /--formats/);
  for (const [args, message] of [
    [['--formats', 'fp16,fp15'], /unknown format 'fp15': expected some of fp32, tf32/],
    [['--shapes', '4x4'], /expected three lengths/],
    [['--shapes', 'axb'], /expected MxNxK/],
    [['--runs', '0'], /expected 1 or more/],
    [['--cache', '-1'], /expected a size in MB/],
  ]) {
    const { status, stdout, stderr } = gemm(...args);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, message);
  }
});

await test('gemm.py: what is missing is said', python, () => {
  const python = code => spawnSync('python3', ['-c', code], { encoding: 'utf8' });
  if (python('import torch; assert torch.cuda.is_available()').status === 0) return; // there is a GPU: nothing is
  const { status, stdout, stderr } = gemm();
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(
    stderr,
    python('import torch').status === 0 ? /finds no CUDA or ROCm GPU/ : /PyTorch is not installed: pip install torch/,
  );
});

// No card is here: a stand-in for PyTorch shows what the script asks of one, and gives the times.
const on = (card, ...args) => {
  const log = join(folder, 'torch.json');
  const env = {
    ...process.env,
    PYTHONPATH: join(repository, 'tests/cli/formats/stand_in'),
    PYTHONDONTWRITEBYTECODE: '1',
    TORCH_CARD: JSON.stringify(card),
    TORCH_LOG: log,
  };
  const run = spawnSync('python3', [join(repository, 'tools/measure/gemm.py'), ...args], { encoding: 'utf8', env });
  return { ...run, ...JSON.parse(readFileSync(log, 'utf8')) };
};
const h100 = {
  name: 'NVIDIA H100 80GB HBM3',
  capability: [9, 0],
  ms: [7, 1, 3, 5, 100],
  properties: { L2_cache_size: 50 << 20 },
};
const small = ['--shapes', '1x256x512,128x64x256', '--runs', '5', '--cache', '1'];
const formats = stdout => [...new Set(JSON.parse(stdout).results.map(({ format }) => format))];

await test('gemm.py: all formats and shapes of a card that has them, as a table that is read', python, () => {
  const { status, stdout, stderr, products } = on(h100, '--runs', '5', '--cache', '20');
  assert.deepEqual([status, stderr], [0, '']);
  const { device, machine: named, method, results } = JSON.parse(stdout);
  assert.deepEqual([device, named], [h100.name, h100.name]);
  assert.match(method, /PyTorch 2\.6\.0, 5 runs each, median, CUDA events, operands over 40 MB/);
  const shapes = new Set(results.map(({ m, n, k }) => `${m}x${n}x${k}`));
  assert.equal(results.length, 6 * shapes.size);
  for (const shape of ['1x4096x4096', '1x14336x4096', '128x128x128', '8192x8192x8192', '16x4096x4096'])
    assert.ok(shapes.has(shape), shape);
  assert.ok(
    results.every(({ measured_us: us }) => us === 5000),
    'the median, of 1, 3, 5, 7 and 100 ms',
  );
  const calls = new Map(products.map(({ call, type, output, tf32 }) => [`${call} ${type} ${tf32}`, output]));
  assert.deepEqual(
    [...calls],
    [
      ['matmul float32 false', 'float32'],
      ['matmul float32 true', 'float32'],
      ['matmul float16 false', 'float16'],
      ['matmul bfloat16 false', 'bfloat16'],
      ['_scaled_mm float8_e4m3fn false', 'bfloat16'],
      ['_int_mm int8 false', 'int32'],
    ],
  );
  assert.ok(products.every(({ by_column }) => by_column));
  put('card.json', stdout);
  put('card.csv', on(h100, ...small, '--csv').stdout);
  for (const [file, rows] of [
    ['card.json', results.length],
    ['card.csv', 12],
  ]) {
    const read = roofline(['analyze', file, '-o', 'json']);
    assert.equal(read.status, 0, read.err);
    const { ops, machine: found, diagnostics } = JSON.parse(read.out);
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity !== 'info'),
      [],
    );
    assert.equal(found.id, 'h100-sxm');
    assert.equal(ops.length, rows);
    for (const op of ops) assert.ok(op.time_s === 5e-3 && op.flops > 0, op.name);
  }
});

await test('gemm.py: warm-up, and operands that rotate through twice the cache', python, () => {
  const { products, made } = on(h100, '--formats', 'fp16', '--shapes', '128x128x128', '--runs', '40', '--cache', '1');
  const timed = products.filter(({ timed: is }) => is);
  assert.equal(timed.length, 40);
  assert.equal(
    products.findIndex(({ timed: is }) => is),
    products.length - 40,
  );
  assert.ok(products.length > 40, 'something ran before');
  const sets = new Map(timed.map(({ a, b }) => [a, b]));
  const bytes = [...sets].flat().reduce((sum, buffer) => sum + made[buffer], 0);
  assert.ok(bytes >= 2e6 && bytes < 3e6, `${bytes}`);
  for (let i = sets.size; i < 40; ++i) assert.equal(timed[i].a, timed[i - sets.size].a);
});

await test(
  'gemm.py: formats that the card or PyTorch lacks, and shapes that do not fit, are left out and named',
  python,
  () => {
    const t4 = on({ name: 'Tesla T4', capability: [7, 5] }, ...small);
    assert.deepEqual([t4.status, formats(t4.stdout)], [0, ['fp32', 'fp16', 'int8']]);
    assert.match(t4.stderr, /^gemm\.py: bf16 1x256x512 left out: needs compute capability 8\.0, the card has 7\.5$/m);
    assert.deepEqual(formats(on({ capability: [8, 0] }, ...small).stdout), ['fp32', 'tf32', 'fp16', 'bf16', 'int8']);

    const mi300 = on(
      {
        name: 'AMD Instinct MI300X',
        capability: [9, 4],
        hip: '6.2',
        properties: { L2_cache_size: 4 << 20, gcnArchName: 'gfx942:sramecc+' },
      },
      ...small.slice(0, 4),
    );
    assert.deepEqual(formats(mi300.stdout), ['fp32', 'fp16', 'bf16', 'fp8_e4m3', 'int8']);
    assert.ok(mi300.products.some(({ type }) => type === 'float8_e4m3fnuz'));
    assert.match(JSON.parse(mi300.stdout).method, /operands over 537 MB/); // the Infinity Cache twice
    assert.match(mi300.stderr, /TF32 is not used on ROCm/);

    const old = on({ ...h100, lacks: ['_scaled_mm', 'float8_e4m3fnuz'] }, ...small);
    assert.match(old.stderr, /fp8_e4m3 1x256x512 left out: this PyTorch has no _scaled_mm/);
    const odd = on(h100, '--shapes', '17x100x64,32x32x32', '--cache', '1');
    assert.match(odd.stderr, /^gemm\.py: fp8_e4m3 17x100x64 left out: Expected both dimensions of mat2/m);
    assert.match(odd.stderr, /^gemm\.py: int8 17x100x64 left out: expected int8 and multiples of 8$/m);
    assert.equal(JSON.parse(odd.stdout).results.length, 10);

    const full = on(
      { ...h100, memory: 4e6 },
      '--formats',
      'fp16',
      '--shapes',
      '1024x1024x1024,64x64x64',
      '--cache',
      '0.1',
    );
    assert.match(full.stderr, /^gemm\.py: fp16 1024x1024x1024 left out: CUDA out of memory/);
    assert.deepEqual([full.emptied, JSON.parse(full.stdout).results.map(({ m }) => m)], [1, [64]]);

    const none = on({ ...h100, memory: 0 }, ...small);
    assert.deepEqual([none.status, none.stdout], [1, '']);
    assert.match(none.stderr, /nothing could be measured$/m);
    const absent = on({ name: null });
    assert.deepEqual([absent.status, absent.stdout], [1, '']);
    assert.match(absent.stderr, /finds no CUDA or ROCm GPU/);
  },
);

await test('gemm.py: products of few rows are run padded, and their rows say so', python, () => {
  const { stdout, products } = on(h100, ...small, '--formats', 'fp16,fp8_e4m3,int8');
  assert.deepEqual(
    JSON.parse(stdout)
      .results.filter(({ m }) => m === 1)
      .map(({ note }) => note),
    [undefined, 'run with 16 rows', 'run with 32 rows'],
  );
  assert.deepEqual(
    [...new Set(products.filter(({ n }) => n === 256).map(({ type, m }) => `${type} ${m}`))],
    ['float16 1', 'float8_e4m3fn 16', 'int8 32'],
  );
});

await test('gemm.py: the tables it writes are read, padded rows and the machine too', python, () => {
  const code = `import sys; sys.path.insert(0, ${JSON.stringify(join(repository, 'tools/measure'))}); import gemm
rows = [gemm.row_of("fp16", 1, 4096, 4096, 20e-6), gemm.row_of("int8", 1, 4096, 4096, 12e-6), gemm.row_of("fp8_e4m3", 512, 512, 512, 6e-6)]
gemm.write(rows, "NVIDIA H100 80GB HBM3", "a test", len(sys.argv) > 1, sys.stdout)
assert gemm.sets_needed(65536, 50 << 20) * 65536 >= 100 << 20 and gemm.sets_needed(1 << 30, 50 << 20) == 2
smallest = min(m * k + k * n for m, n, k in gemm.GEMV + gemm.GEMM)
assert gemm.sets_needed(smallest, 256 << 20) * smallest >= 512 << 20
assert gemm.lacks("bf16", None, (7, 5)) and not gemm.lacks("bf16", None, (8, 0)) and gemm.lacks("fp8_e4m3", None, (8, 0)) and not gemm.lacks("fp8_e4m3", "6.0", (9, 4))`;
  for (const csv of [false, true]) {
    const made = spawnSync('python3', ['-c', code, ...(csv ? ['csv'] : [])], { encoding: 'utf8' });
    assert.equal(made.status, 0, made.stderr);
    put(csv ? 'gpu.csv' : 'gpu.json', made.stdout);
    const result = roofline(['analyze', csv ? 'gpu.csv' : 'gpu.json', '-o', 'json']);
    assert.equal(result.status, 0, result.err);
    const { ops, machine: found, diagnostics } = JSON.parse(result.out);
    assert.equal(found.id, 'h100-sxm');
    assert.deepEqual(
      diagnostics.filter(({ severity }) => severity !== 'info'),
      [],
    );
    assert.deepEqual(
      ops.map(({ time_s, formats }) => [time_s, formats.output]),
      [
        [20e-6, 'fp16'],
        [12e-6, 'int32'],
        [6e-6, 'bf16'],
      ],
    );
    assert.equal(ops[1].flops, 2 * 4096 * 4096);
  }
});

await test('analyze: a table whose time has no unit is refused', () => {
  put('no-unit.csv', 'operator,shape,format,time\ngemv,64,fp16,3\n');
  const { status, out, err } = roofline(['analyze', 'no-unit.csv']);
  assert.equal(status, 1);
  assert.equal(out, '');
  assert.match(
    err,
    /no-unit\.csv: line 1, column 1: the column "time" has no unit: expected one in its name, such as time_us/,
  );
});
