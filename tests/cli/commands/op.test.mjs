// roofline op: the calculator on the command line.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { roofline } from '../command.mjs';

const op = (...args) => {
  const result = roofline(['op', ...args]);
  assert.equal(result.status, 0, result.err);
  assert.equal(result.err, '');
  return result.out;
};
const json = (...args) => JSON.parse(op(...args, '-o', 'json'));
const gemm = ['gemm', 'm=1', 'n=4096', 'k=4096'];

function refused(status, args, message) {
  const result = roofline(['op', ...args]);
  assert.deepEqual([result.status, result.out], [status, ''], `${args.join(' ')}: ${result.err}`);
  assert.match(result.err, message);
}

await test('op: one row per format, in the order given', () => {
  const document = json(...gemm, '--formats', 'fp16,int8,int4', '--machine', 'jetson-orin-nano', '--set', 'mem_bw=60');
  assert.equal(document.schema, 'roofline-analysis/1');
  assert.equal(document.source, 'gemm m=1 n=4096 k=4096');
  assert.deepEqual(
    document.ops.map(row => [row.name, row.formats.weight, row.formats.activation, row.formats.output]),
    [
      ['fp16', 'fp16', 'fp16', 'fp16'],
      ['int8', 'int8', 'int8', 'int8'],
      ['int4', 'int4', 'int4', 'int4'],
    ],
  );
  assert.deepEqual(
    document.ops.map(row => Number((row.predicted_time_s * 1e6).toFixed(4))),
    [559.5136, 279.7568, 139.8784],
  );
  assert.deepEqual(
    document.ops.map(row => row.bytes),
    [33570816, 16785408, 8392704],
  );
  assert.equal(document.ops[2].formats.compute, 'int8');
  assert.deepEqual(
    json('attention', 'heads=8', 'head_dim=64', 'query_length=16', '--formats', 'fp8').ops[0].formats.kv,
    'fp8_e4m3',
  );
});

await test('op: the table has the formula with its numbers, the formats and what they buy', () => {
  const out = op(...gemm, '--formats', 'fp16,int8,int4:fp16', '--baseline', 'int8', '--machine', 'h100-sxm');
  assert.match(out, /matrix_flops += 2 \* B \* M \* N \* K = 2 \* 1 \* 1 \* 4096 \* 4096 = 33554432/);
  assert.match(out, /^int8 \* .* 1x +1x +[\d.]+ dB$/m);
  assert.match(out, /^fp16 .* 0\.5x/m);
  assert.match(out, /^int4:fp16 +fp16 /m);
});

await test('op: typical time, a range where conversions may be fused or not', () => {
  const args = [
    'gemm',
    'm=1024',
    'n=1024',
    'k=1024',
    '--formats',
    'fp16,int8',
    '--machine',
    'rtx-3080',
    '--stack',
    'none',
    '--set',
    'overhead.network=fp16',
    '--set',
    'overhead.launch_us=5',
  ];
  assert.match(op(...args), / 4x +1\.07x to 2\.94x /);
  const { ops, scenario } = json(...args);
  assert.equal(scenario.overhead.network, 'fp16');
  assert.equal(scenario.overhead.launch_s, 5e-6);
  const { typical, typical_time_s } = ops[1];
  assert.ok(Math.abs(typical_time_s - typical.fused_time_s - typical.conversion_s) < 1e-18);
  assert.equal(typical.launch_s, 5e-6);
  assert.equal(typical.cache, 'L2');
});

await test('op: sweeps', () => {
  const args = [
    'gemm',
    'n=4096',
    'k=4096',
    '--formats',
    'fp16,int8',
    '--machine',
    'a100-80gb-sxm',
    '--sweep',
    'm=1..8192',
  ];
  const swept = json(...args);
  assert.equal(swept.schema, 'roofline-sweep/1');
  assert.deepEqual(swept.axes[0].keys, ['m']);
  assert.equal(swept.axes[0].values.at(-1), 8192);
  assert.equal(swept.formats[0].predicted_time_s.length, swept.axes[0].values.length);
  assert.deepEqual(
    swept.crossings.map(({ format, at, from, to }) => [format, at, from, to]),
    [
      ['fp16', 166, 'HBM', 'compute'],
      ['int8', 166, 'HBM', 'compute'],
    ],
  );
  assert.match(op(...args), /fp16: bound by compute from m = 166 up \(HBM below\)/);
  const lines = op(...args, '-o', 'csv')
    .trim()
    .split('\r\n');
  assert.match(lines[0], /^m,format,flops,predicted_time_s,/);
  assert.equal(lines.length, 1 + 2 * swept.axes[0].values.length);
  const grid = json(...args, '--sweep', 'k=64..4096:linear:8');
  assert.equal(grid.formats[1].bound_by.length, grid.axes[0].values.length * 8);
  refused(2, [...gemm, '--sweep', 'm=9'], /^--sweep: m=9: expected a range such as m=1\.\.4096/);
  refused(2, [...gemm, '--sweep', 'mm=1..9'], /^--sweep: mm: is no parameter of matmul/);
  refused(2, [...gemm, '--sweep', 'm=1..9', '--sweep', 'n=1..9', '--sweep', 'k=1..9'], /one or two ranges, found 3/);
});

await test('op: two ranges as a table: the time or the rate, with what bounds', () => {
  const args = [
    'gemm',
    'n=4096',
    'k=4096',
    '--formats',
    'fp16',
    '--machine',
    'a100-80gb-sxm',
    '--sweep',
    'm=1..4096',
    '--sweep',
    'k=64..4096:4',
  ];
  assert.match(op(...args), /^ *k \\ m +1 .* 4096\n( +\d+( +[\d.]+ [nµm]?s [cH])+\n){4}/m);
  assert.match(
    op(...args, '--show', 'rate'),
    /312 TFLOP\/s c\n[^]*the attainable rate, c: bound by compute, H: bound by HBM/,
  );
  assert.match(op(...args, '--show', 'bound'), / HBM .* compute\n/);
  refused(2, [...args, '--show', 'colour'], /^--show: is "colour": expected time, rate, bound or fastest/);
});

await test('op: speed-ups over the baseline in JSON', () => {
  const { comparison, ops } = json(
    ...gemm,
    '--formats',
    'fp16,int8,int4',
    '--baseline',
    'int8',
    '--machine',
    'h100-sxm',
  );
  assert.equal(comparison.baseline, 'int8');
  assert.deepEqual(
    comparison.rows.map(({ index, name }) => [index, name]),
    [
      [0, 'fp16'],
      [1, 'int8'],
      [2, 'int4'],
    ],
  );
  for (const { index, speedup, typical_speedup } of comparison.rows) {
    assert.equal(speedup, ops[1].predicted_time_s / ops[index].predicted_time_s);
    assert.equal(typical_speedup, ops[1].typical_time_s / ops[index].typical_time_s);
  }
  assert.ok(comparison.rows[1].sqnr_db > 40);
  assert.equal(json(...gemm, '--formats', 'fp16,int8').comparison.baseline, 'fp16');
  const machines = (...args) =>
    json(...gemm, '--formats', 'fp16,int8', '--machine', 't4', '--machines', 't4,h100-sxm', ...args);
  assert.deepEqual(
    machines('--baseline', 'fp16').rows.map(({ speedup }) => speedup > 1.9),
    [false, true, true, true],
  );
  const other = machines('--baseline', 'h100-sxm');
  assert.deepEqual([other.baseline, other.baseline_format, other.rows[2].speedup], ['h100-sxm', null, 1]);
  assert.ok(other.rows[0].speedup < 0.1);
  refused(2, [...gemm, '--machines', 't4', '--baseline', 'h1000'], /^--baseline: .*unknown machine "h1000".*h100/);
});

await test('op: backward operators and Einstein sums', () => {
  const {
    ops: [backward],
  } = json('convolution_backward', 'input_shape=2,3,6,6', 'output_channels=6', 'kernel_size=4', 'padding=1');
  assert.equal(backward.flops, 57600);
  assert.match(
    op('attention_backward', 'heads=8', 'head_dim=64', 'query_length=128', 'batch=4'),
    /matrix_flops += 2 \* B \* H \* P \* \(3 \* D \+ 2 \* V\) = .* = 335544320/,
  );
  const {
    ops: [einsum],
  } = json('einsum', 'equation=nct,ncp->ntp', 'inputs=[[4,5,2],[4,5,12]]');
  assert.equal(einsum.flops, 960);
  refused(2, ['einsum', 'equation=ij', 'inputs=[[4,5]]'], /^einsum: equation: is "ij": expected two operands/);
  refused(
    2,
    ['matmul_backward', 'm=1', 'n=2', 'k=3', 'grad_input=false', 'grad_weight=false'],
    /^matmul_backward: grad_weight: is false/,
  );
});

await test('op: machines side by side', () => {
  const args = [...gemm, '--formats', 'fp16,int8', '--machine', 't4', '--machines', 't4,h100-sxm'];
  const { rows, baseline } = json(...args);
  assert.equal(baseline, 't4');
  assert.deepEqual(
    rows.map(row => [row.machine, row.name]),
    [
      ['t4', 'fp16'],
      ['t4', 'int8'],
      ['h100-sxm', 'fp16'],
      ['h100-sxm', 'int8'],
    ],
  );
  assert.equal(rows[0].speedup, 1);
  assert.ok(Math.abs(rows[2].speedup - 3350 / 320) < 1e-9);
  assert.equal(
    op(...args, '-o', 'csv')
      .trim()
      .split('\r\n').length,
    5,
  );
  assert.match(op(...args), /speed-ups refer to NVIDIA T4/);
  refused(2, [...gemm, '--machines', 't4,h1000'], /^--machines: .*unknown machine "h1000".*h100/);
});

await test('op: what is wrong is told with what was expected', () => {
  refused(2, ['gemn'], /^unknown operator "gemn": did you mean matmul or gemv\?/);
  refused(2, [], /TYPE/);
  refused(2, ['gemm', 'm'], /^m: expected KEY=VALUE/);
  refused(2, ['gemm', 'kk=1'], /^kk: is no parameter of matmul: did you mean k\?/);
  refused(2, ['gemm', 'n=0', 'k=4'], /^gemm: n: is 0: expected a positive whole number/);
  refused(2, ['gemm', 'n=4'], /^gemm: k: .*expected/);
  refused(2, [...gemm, '--formats', 'fp15'], /^--formats: unknown format "fp15": did you mean fp16\?/);
  refused(2, [...gemm, '--baseline', 'int8'], /^--baseline: int8 is not compared/);
  refused(2, [...gemm, '--machine', 'h1000'], /^--machine: .*h1000.*h100/);
  refused(1, [...gemm, '--machine', 'absent.json'], /^absent\.json: cannot be opened/);
  refused(
    2,
    [...gemm, '--set', 'overhead.tile=big'],
    /^--set overhead\.tile=big: .*expected a tile's rows and columns/,
  );
});

await test('words that nobody knows are named, with what is near; empty values are refused', () => {
  const wrong = (args, message) => {
    const { status, out, err } = roofline(args);
    assert.deepEqual([status, out], [2, ''], err);
    assert.match(err, message);
  };
  wrong(['analyz', 'commands.json'], /^unknown command analyz: did you mean analyze\?$/m);
  wrong(['nonsense'], /^unknown command nonsense$/m);
  wrong(['op', ...gemm, '--formts', 'fp16'], /--formts[^]*^did you mean --formats\?$/m);
  wrong(['op', ...gemm, '--machine', ''], /^--machine: expected a value, found an empty text$/m); // an unset variable
});

await test('op: launches are said to be missing where they are', () => {
  const softmax = ['softmax', 'input_shape=32,128,128', '--machine'];
  assert.ok(json(...softmax, 'a100-80gb-sxm').ops[0].typical.launch_s > 0);
  assert.doesNotMatch(op(...softmax, 'a100-80gb-sxm'), /without launches/);
  assert.match(op(...softmax, 'npu-32t50'), /without launches/);
});

await test('docs/guide/calculator.md: what INT8 would really buy, by its own commands', () => {
  const text = readFileSync(new URL('../../../docs/guide/calculator.md', import.meta.url), 'utf8').replaceAll(
    '\n',
    ' ',
  );
  const rows = [...text.matchAll(/\| (\d+) \| ([\d.]+x) \| ([\d.]+x) \| ([\d.]+x to [\d.]+x) \| [\d.]+x \|/g)];
  assert.equal(rows.length, 6);
  const command = /`roofline op ([^`]*--stack none)`/.exec(text)[1];
  const settings = [...text.matchAll(/`((?:--set overhead\.\w+=\w+ ?){2})`/g)].map(([, set]) => set);
  assert.equal(settings.length, 2);
  for (const [, n, bound, xla, typical] of rows) {
    const [byXla, ours] = settings.map(set => op(...`${command.replaceAll('=N', `=${n}`)} ${set}`.trim().split(/ +/)));
    const gains = table =>
      /^int8 .*$/m
        .exec(table)[0]
        .split(/ {2,}/)
        .filter(cell => /\dx$/.test(cell));
    assert.deepEqual(
      [gains(byXla), gains(ours)],
      [
        [bound, xla],
        [bound, typical],
      ],
      n,
    );
  }
});

test('op: a sweep gives a parameter that has no default', () => {
  const [, first] = op('gemm', 'm=461', 'n=2', '--formats', 'fp16', '--sweep', 'k=64..128:2', '-o', 'csv').split(
    /\r?\n/,
  );
  const [alone] = json('gemm', 'm=461', 'n=2', 'k=64', '--formats', 'fp16').ops;
  assert.equal(Number(first.split(',')[2]), alone.flops);
});
