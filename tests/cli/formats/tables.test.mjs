// A table proves its own reading: what it states twice agrees with what the command makes of it, also with its columns in another order,
// under other headers, in other units, and without what proved it. Small tables of our own, and real ones where ../shared has them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { roofline } from '../command.mjs';
import { samples } from '../../samples.mjs';

// --- tables as rows of cells

function parse(text) {
  const rows = [];
  let row = [],
    cell = '',
    quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') row.push(cell), (cell = '');
    else if (c === '\n') row.push(cell), rows.push(row), (row = []), (cell = '');
    else if (c !== '\r') cell += c;
  }
  if (cell || row.length) row.push(cell), rows.push(row);
  return { header: rows[0].map(name => name.trim()), rows: rows.slice(1) };
}
const quote = cell => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const print = ({ header, rows }) => `${[header, ...rows].map(row => row.map(quote).join(',')).join('\n')}\n`;
const columns = ({ header, rows }, order) => ({
  header: order.map(c => header[c]),
  rows: rows.map(row => order.map(c => row[c] ?? '')),
});

/// Every column elsewhere: by a stride that shares no factor with their number.
function shuffled(table) {
  const n = table.header.length,
    gcd = (a, b) => (b ? gcd(b, a % b) : a);
  let stride = Math.floor(n * 0.618) || 1;
  while (gcd(stride, n) !== 1) ++stride;
  return columns(
    table,
    table.header.map((_, i) => ((n - 1 - i) * stride) % n),
  );
}
const renamed = (table, names) => ({ ...table, header: table.header.map(name => names[name] ?? name) });
const without = (table, names) =>
  columns(
    table,
    table.header
      .map((_, c) => c)
      .filter(
        c => !names.some(name => (name instanceof RegExp ? name.test(table.header[c]) : name === table.header[c])),
      ),
  );
/// { header: [its new name, the factor to its new unit] }
function scaled(table, units) {
  const factor = table.header.map(name => units[name]?.[1]);
  return {
    header: table.header.map(name => units[name]?.[0] ?? name),
    rows: table.rows.map(row =>
      row.map((cell, c) => (factor[c] && cell !== '' ? String(Number(cell) * factor[c]) : cell)),
    ),
  };
}

// --- what the command makes of them

function analysed(input, ...args) {
  const { status, out, err } = roofline(['analyze', '-', ...args, '-o', 'json'], { input });
  assert.equal(status, 0, err);
  return JSON.parse(out);
}
const remarks = ({ diagnostics }) =>
  diagnostics
    .filter(({ op }) => op === undefined || op === null)
    .map(({ message }) => message)
    .join('\n');
const within = (ours, theirs, tolerance, message) =>
  assert.ok(Math.abs(ours / theirs - 1) <= tolerance, `${message}: ${ours} for ${theirs}`);

/// Every row's rate and bandwidth as the untouched table states them. `rows`: what is left of them.
function agrees(document, { rate, bandwidth, tolerance = 0.06 }, rows, what) {
  assert.equal(document.ops.length, rows.length, what);
  let compared = 0;
  for (const [i, op] of document.ops.entries())
    for (const [column, unit, ours] of [
      [rate, rate?.[1], op.achieved_flops],
      [bandwidth, bandwidth?.[1], op.achieved_bandwidth],
    ]) {
      const theirs = Number(rows[i][column?.[0]]) * unit;
      if (!(theirs > 0)) continue;
      // The mean of rates is not the rate over all the time where calls differ widely: it lies within the row's own range.
      const [least, most] = ['min', 'max'].map(end => Number(rows[i][column[0].replace('mean', end)]) * unit);
      if (column[0].includes('mean') && most > 2 * least) {
        assert.ok(
          ours >= least && ours <= theirs,
          `${what}: ${op.name}, ${column[0]}: ${ours} of ${least} to ${theirs}`,
        );
        continue;
      }
      within(ours, theirs, tolerance, `${what}: ${op.name}, ${column[0]}`);
      ++compared;
    }
  assert.ok(compared > 0, what);
  assert.deepEqual(
    document.diagnostics.filter(({ severity }) => severity === 'error'),
    [],
    what,
  );
}

const lens = {
  M: 'm',
  'param: M': 'm',
  'param: N': 'n',
  'param: K': 'k',
  'param: B': 'batch_count',
  GFLOPS_first: 'gflop',
  GFLOPS: 'gflop',
  'Data Moved (MB)_first': 'Bytes moved (MB)',
  'Data Moved (MB)': 'Traffic (MB)',
  'FLOPS/Byte_first': 'AI',
  'FLOPS/Byte': 'arithmetic intensity',
  'TFLOPS/s_mean': 'TFLOP/s',
  'TB/s_mean': 'Bandwidth (TB/s)',
  'Kernel Time (µs)_mean': 'gpu_time_us_avg',
  'Kernel Time (µs)_sum': 'GPU time total [us]',
  name_count: 'calls',
  operation_count: 'occurrences',
  'param: dtype_A_B': 'precision',
};
const lensUnits = suffix => ({
  [`GFLOPS${suffix}`]: [`TFLOP${suffix}`, 1e-3],
  [`Data Moved (MB)${suffix}`]: [`Data Moved (GiB)${suffix}`, 1 / 1024],
  'TB/s_mean': ['GB/s_mean', 1e3],
  'TFLOPS/s_mean': ['GFLOPS/s_mean', 1e3],
  'Kernel Time (µs)_mean': ['Kernel Time (ms)_mean', 1e-3],
  'Kernel Time (µs)_sum': ['Kernel Time (ns)_sum', 1e3],
});
const lensRates = {
  rate: ['TFLOPS/s_mean', 1e12],
  bandwidth: ['TB/s_mean', 1e12],
  names: lens,
  redundant: [/^TFLOPS\/s/, /^TB\/s/, /^FLOPS\/Byte/],
  assumed: /no other column tells|names no unit/,
};

const real = [
  { file: 'tracelens_perf_report/h100_GEMM.csv', ...lensRates, units: lensUnits('_first') },
  { file: 'tracelens_perf_report/vit_h100_GEMM.csv', ...lensRates, units: lensUnits('_first') },
  { file: 'tracelens_perf_report/vit_h100_SDPA_fwd.csv', ...lensRates, units: lensUnits('_first') },
  {
    file: 'tracelens_perf_report/sglang_decode_GEMM.csv',
    ...lensRates,
    units: lensUnits('_first'),
    once: true,
    says: /4 rows have the same work, count and time .*"aten::mm" inside "aiter::gemm_a16w16".*counted once/,
  },
  {
    file: 'tracelens_perf_report/vit_h100_unified_perf_summary.csv',
    ...lensRates,
    units: lensUnits(''),
    says: /times are "Kernel Time \(µs\)_mean": so "TFLOPS\/s_mean" and "TB\/s_mean" have it; "mean_duration_us" is/,
  },
  { file: 'tracelens_perf_report/sglang_decode_unified_perf_summary.csv', ...lensRates, units: lensUnits('') },
  {
    file: 'kernel_tables/hipblaslt_gemm_40_rows.csv',
    rate: ['tflops', 1e12],
    names: { tflops: 'TFLOP/s', mean_microseconds: 'latency (us)', dtype: 'precision', arithmetic_intensity: 'AI' },
    units: { tflops: ['gflops', 1e3], mean_microseconds: ['mean_ms', 1e-3] },
    redundant: ['tflops', 'arithmetic_intensity'],
    assumed: null,
    says: /"A" and "B" say how operands are transposed/,
  },
  {
    file: 'kernel_tables/b200_gemms_40_rows.csv',
    rate: ['GEMM Performance (TFLOPs)', 1e12],
    names: { 'GEMM Performance (TFLOPs)': 'TFLOP/s', 'Kernel Time (us)': 'latency (us)', 'Batch Count': 'batch_count' },
    units: { 'GEMM Performance (TFLOPs)': ['GFLOP/s', 1e3], 'Kernel Time (us)': ['Kernel Time (ms)', 1e-3] },
    redundant: ['GEMM Performance (TFLOPs)'],
    assumed: null, // a shape and microseconds leave nothing open
  },
  {
    file: 'kernel_tables/triton_attention_30_rows.csv',
    rate: ['tflops', 1e12],
    names: { mean_microseconds: 'avg_us', arithmetic_intensity: 'AI' },
    units: { mean_microseconds: ['mean_ms', 1e-3] },
    says: /"tflops" is taken as a rate, per second: no other column tells/,
  },
  ...[1, 2, 3].map(i => ({
    file: `cutlass_profiler/superbench_gemm_${i}.csv`,
    rate: ['GFLOPs', 1e9],
    bandwidth: ['GB/s', 2 ** 30],
    names: { Runtime: 'latency', Bytes: 'Bytes moved' },
    units: { Runtime: ['Runtime (us)', 1e3], GFLOPs: ['TFLOP/s', 1e-3], 'GB/s': ['MB/s', 1024] },
    redundant: ['Bytes', 'Flops'],
    assumed: /"Runtime" is taken as ms/,
    says: /"Runtime" is taken as ms: so "GFLOPs" and "GB\/s" have it\n.*"GB\/s" is taken as in powers of 1024/,
  })),
  ...['gemm', 'conv'].map(kind => ({
    file: `iree_kernel_benchmark/iree_${kind}.csv`,
    rate: ['tflops', 1e12],
    names: { mean_microseconds: 'avg_us', arithmetic_intensity: 'AI', tflops: 'TFLOP/s' },
    units: { mean_microseconds: ['mean_ms', 1e-3], tflops: ['GFLOP/s', 1e3] },
  })),
];

// Written for this test. The kernel runs 20 us, 8 times; its host waits 900 us for each.
const own = `name,op category,Input Dims,Input type,operation_count,total_duration_us,mean_duration_us,GFLOPS,Data Moved (MB),FLOPS/Byte,Compute Spec,TB/s_mean,TFLOPS/s_mean,Kernel Time (µs)_mean,Kernel Time (µs)_sum
aten::mm,GEMM,"((1024, 1024), (1024, 1024))","('c10::BFloat16', 'c10::BFloat16')",8,7200,900,2.147483648,6.0,341.3333333333333,matrix_bf16,0.3145728,107.3741824,20,160
aten::mm,GEMM,"((512, 1024), (1024, 1024))","('c10::BFloat16', 'c10::BFloat16')",4,3600,900,1.073741824,4.0,256,matrix_bf16,0.34952533,89.478485,12,48
aten::gelu,elementwise,"((1024, 1024), ())","('c10::BFloat16', '')",8,7200,900,,,,,,,5,40
my::kernel,other,,,3,2700,900,,,,,,,7,21
`;

for (const { file, once, says, assumed, redundant, ...expected } of [
  ...real,
  { file: 'own', ...lensRates, units: lensUnits(''), says: /Kernel Time/ },
]) {
  const path = file === 'own' ? null : samples && join(samples, file);
  if (path !== null && (!path || !existsSync(path))) continue;
  const table = parse(path ? readFileSync(path, 'utf8') : own);
  const stated = table.rows.map(row => Object.fromEntries(table.header.map((name, c) => [name, row[c]]).reverse()));
  const left = once ? stated.filter(({ name, 'param: N': n }) => name !== 'aten::mm' || n === '151936') : stated;
  await test(`tables: ${file} agrees with its own rates, and says how it is read`, () => {
    const document = analysed(print(table));
    agrees(document, expected, left, 'as it is');
    assert.match(remarks(document), says ?? /check passed: /);
  });
  await test(`tables: ${file}, columns shuffled, renamed and scaled`, () => {
    agrees(analysed(print(shuffled(table))), expected, left, 'shuffled');
    agrees(analysed(print(renamed(table, expected.names))), expected, left, 'renamed');
    agrees(analysed(print(scaled(table, expected.units))), expected, left, 'scaled');
    agrees(
      analysed(print(renamed(shuffled(scaled(table, expected.units)), expected.names))),
      expected,
      left,
      'all three',
    );
  });
  if (redundant)
    await test(`tables: ${file} without what it states twice says what is assumed`, () => {
      const document = analysed(print(without(table, redundant)));
      agrees(document, expected, left, 'without');
      if (assumed) assert.match(remarks(document), assumed);
    });
}

// --- each doubt by itself

const readings = [
  [
    'a time without a unit',
    'name,M,N,K,dtype,Runtime,GFLOPs\na,1024,1024,1024,f16,0.02,107374.18\n',
    { time_s: 20e-6 },
    /"Runtime" is taken as ms: so "GFLOPs" has it/,
  ],
  [
    'a time of all calls',
    'name,calls,flops,time_us,tflops\na,10,2e9,200,100\nb,20,2e9,400,100\n',
    { time_s: 200e-6, flops: 20e9 },
    /"time_us" are totals over "calls": so "tflops" has it/,
  ],
  [
    'a sum that is a mean',
    'name,calls,flops,total_us,tflops\na,10,2e9,20,100\nb,20,2e9,20,100\n',
    { time_s: 200e-6 },
    /"total_us" is of one occurrence, not a total: so "tflops" has it/,
  ],
  [
    'FLOPs of all calls',
    'name,calls,flops,time_us,tflops\na,10,2e10,20,100\nb,20,4e10,20,100\n',
    { time_s: 200e-6, flops: 2e10 },
    /"flops" are totals over "calls": so "tflops" has it/,
  ],
  [
    'MiB',
    'name,flops,time_us,tflops,Data (MB),FLOP/Byte\na,2e9,20,100,100,19.073486\nb,2e9,20,100,50,38.146973\n',
    { bytes: 100 * 2 ** 20 },
    /"Data \(MB\)" is taken as in powers of 1024: so "FLOP\/Byte" has it/,
  ],
  [
    'GiB/s',
    'name,flops,bytes,time_us,GB/s\na,2e9,1e8,20,4656.6129\n',
    { achieved_bandwidth: 5e12 },
    /"GB\/s" is taken as in powers of 1024/,
  ],
  [
    'MACs under the name of FLOPs',
    'name,M,N,K,dtype,flops,time_us\na,1024,1024,1024,f16,1073741824,20\n',
    { flops: 2 ** 31 },
    /"flops" is taken as counting MACs: so its shape has it/,
  ],
  [
    'a header with the wrong unit',
    'name,flops,bytes,time_ms,tflops,GB/s\na,2e9,1e8,20,100,5000\n',
    { time_s: 20e-6 },
    /"time_ms" is taken as a thousandth of what its header says: so "tflops" and "GB\/s" have it/,
  ],
  [
    'GFLOPS that are amounts',
    'name,M,N,K,dtype,GFLOPS,time_us\na,1024,1024,1024,f16,2.147483648,20\n',
    { flops: 2 ** 31, time_s: 20e-6 },
    /"GFLOPS" are amounts, not rates/,
  ],
  [
    'transposes',
    'name,M,N,K,dtype,A,B,time_us\na,64,64,64,bf16,T,N,10\n',
    { format: 'bf16' },
    /"A" and "B" say how operands are transposed/,
  ],
  [
    'formats as rocBLAS writes them',
    'M,N,K,A Type,B Type,C Type,D Type,time_us\n64,64,64,f8_r,f8_r,bf16_r,f16_r,10\n',
    { format: 'fp8_e4m3' },
    null,
  ],
  [
    'a format in a compute spec',
    'name,flops,bytes,time_us,Compute Spec\na,2e9,1e6,10,matrix_bf16\n',
    { format: 'bf16' },
    null,
  ],
];
for (const [what, input, expected, says] of readings)
  await test(`tables: ${what}`, () => {
    const document = analysed(input);
    const { format, ...figures } = expected;
    for (const [key, value] of Object.entries(figures)) within(document.ops[0][key], value, 1e-3, key);
    if (format) assert.equal(document.ops[0].formats.activation, format);
    if (says) assert.match(remarks(document), says);
  });

await test('tables: where nothing agrees both figures are said, and by what factor, before all else', () => {
  const { ops, diagnostics } = analysed('name,flops,time_us,tflops\na,2e9,20,300\nb,2e9,20,300\nc,2e9,20,100\n');
  within(ops[0].achieved_flops, 100e12, 1e-9, 'by FLOPs and time');
  assert.match(
    diagnostics[0].message,
    /contradicts itself in 2 of 3 rows: "tflops" is 3 times FLOPs over time \(first 300 TFLOP\/s stated, 100 TFLOP\/s by FLOPs over time\)/,
  );
});

await test('tables: a unit that is wrong in one of two columns, nobody can say which', () => {
  const { ops, diagnostics } = analysed('name,flops,time_ms,tflops\na,2e9,20,100\nb,4e9,40,100\n');
  within(ops[0].time_s, 20e-3, 1e-9, 'as its header says');
  assert.match(diagnostics[0].message, /"tflops" is 1,000 times FLOPs over time/);
});

await test('tables: an unreadable cell costs no row that its other cells can place', () => {
  const { ops, diagnostics } = analysed(
    'name,M,N,K,dtype,time_us,tflops\na,1024,1024,1024,f16,fast,107.3741824\nb,1024,1024,1024,f16,-1,-1\nc,1024,x,1024,f16,20,107.3741824\nd,x,x,x,f16,x,x\n',
  );
  within(ops[0].time_s, 20e-6, 1e-6, 'time from the rate');
  assert.deepEqual([ops[1].status, ops[1].flops], ['predicted', 2 ** 31]);
  within(ops[2].flops, 2 ** 31, 1e-6, 'FLOPs from rate and time');
  assert.equal(ops[3].status, 'unknown');
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ op }) => op),
    [3],
  );
});

await test('tables: the same kernels under two names are counted once', () => {
  const header = 'name,M,N,K,dtype,calls,time_us\n';
  const { ops, diagnostics } = analysed(
    `${header}aiter::gemm,64,64,64,bf16,36,67.15719943\naten::mm,64,64,64,bf16,36,67.15719943\naten::mm,64,64,64,bf16,36,67.2\n`,
  );
  assert.deepEqual(
    ops.map(({ name }) => name),
    ['aiter::gemm', 'aten::mm'],
  );
  assert.match(
    diagnostics.map(({ message }) => message).join('\n'),
    /1 row has the same work, count and time .*"aten::mm" inside "aiter::gemm"/,
  );
  assert.equal(
    analysed(`${header}cublas,64,64,64,bf16,36,67.15719943\ncutlass,64,64,64,bf16,36,67.15719943\n`).ops.length,
    2,
  ); // two libraries, not one in the other
});

// --- times alone

await test('tables: times alone open, with their shares, and say so', () => {
  const input =
    'Parent op category,Parent cpu_op,Kernel name,Kernel duration (µs)_sum,Kernel duration (µs)_count,Kernel duration (µs)_mean\nGEMM,aten::mm,sm90_gemm,300,10,30\nother,aten::cat,cat_kernel,100,4,25\n';
  const { ops, summary } = analysed(input);
  assert.deepEqual(
    ops.map(({ status, efficiency, flops, bytes, bound_by, count }) => [
      status,
      efficiency,
      flops,
      bytes,
      bound_by,
      count,
    ]),
    [
      ['time-only', null, null, null, null, 10],
      ['time-only', null, null, null, null, 4],
    ],
  );
  within(ops[0].time_s, 300e-6, 1e-9, 'time of all');
  assert.deepEqual(
    [
      summary.by_status,
      summary.efficiency,
      summary.flops,
      summary.bytes,
      summary.predicted_time_s,
      summary.lost_time_s,
    ],
    [{ 'time-only': 2 }, null, null, null, null, null],
  );
  within(summary.time_s, 400e-6, 1e-9, 'all');
  const { out } = roofline(['analyze', '-'], { input });
  assert.match(out, /Times only: 2 operations, 400 µs: add the model's graph or shapes\./);
  const mixed = analysed(own);
  assert.deepEqual(
    mixed.ops.map(({ status }) => status === 'time-only'),
    [false, false, false, true],
  );
  assert.ok(mixed.ops[2].bytes === 8 * 2 * 2 * 1024 ** 2); // GELU, from its arguments: read and written
});

// --- what the real tables hold beside rates

const sample = name => readFileSync(join(samples, name), 'utf8');
const there = name => samples && existsSync(join(samples, name));

if (there('kernel_tables/b200_gemms_40_rows.csv'))
  await test("tables: a B200's products in their formats, none above its roof", () => {
    const { ops, summary } = analysed(sample('kernel_tables/b200_gemms_40_rows.csv'), '--machine', 'b200');
    assert.deepEqual(
      [
        summary.above_roof,
        ops[0].formats.activation,
        ops[0].formats.weight,
        ops[0].formats.output,
        ops[0].name,
        ops[16].formats.activation,
      ],
      [0, 'fp8_e4m3', 'fp8_e4m3', 'bf16', '70b_fp80', 'fp16'],
    );
    assert.equal(ops.filter(({ status }) => status === 'predicted').length, 4); // "-1": not measured
  });

if (there('tracelens_perf_report/vit_h100_ops_unique_args.csv'))
  await test('tables: arguments give the work that the table does not state', () => {
    const { ops } = analysed(sample('tracelens_perf_report/vit_h100_ops_unique_args.csv'), '--machine', 'h100-sxm');
    const unified = parse(sample('tracelens_perf_report/vit_h100_unified_perf_summary.csv'));
    const stated = unified.rows.map(row => Object.fromEntries(unified.header.map((name, c) => [name, row[c]])));
    for (const [i, j] of [
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [9, 9],
    ])
      within(ops[i].flops / ops[i].count, stated[j].GFLOPS * 1e9, 0.06, `${ops[i].name}: FLOPs`);
    assert.deepEqual(
      ops.filter(({ status }) => status === 'time-only' || status === 'unknown').map(({ name }) => name),
      [],
    );
    assert.ok(
      ops.every(({ efficiency }) => efficiency > 0 && efficiency < 1.05),
      JSON.stringify(ops.map(({ name, efficiency }) => [name, efficiency])),
    );
  });

if (there('tracelens_perf_report/sglang_decode_GEMM.csv'))
  await test('tables: what is counted once adds up to the summary of all operations', () => {
    const products = analysed(sample('tracelens_perf_report/sglang_decode_GEMM.csv')).summary;
    const all = analysed(sample('tracelens_perf_report/sglang_decode_unified_perf_summary.csv'));
    const same = all.ops.filter(({ type }) => type === 'GEMM').reduce((sum, { time_s }) => sum + time_s, 0);
    within(products.time_s, same, 1e-9, 'time of the products');
  });

if (there('tracelens_perf_report/vit_h100_kernel_summary.csv'))
  await test('tables: a summary of kernels is times alone', () => {
    const { ops, summary } = analysed(sample('tracelens_perf_report/vit_h100_kernel_summary.csv'));
    assert.deepEqual(summary.by_status, { 'time-only': ops.length });
    within(summary.time_s, 1220.9e-6, 1e-3, 'all kernels');
  });

// --- every column is accounted for

await test('tables: --columns lists what each column is used as', () => {
  const input =
    'name,stage,M,N,K,batch size,time_us,experts\na,x,64,64,64,2,10,8\nb,y,64,64,64,2,10,9\nc,x,64,64,64,2,10,10\n';
  const { status, out } = roofline(['analyze', '-', '--columns', '-o', 'json'], { input });
  assert.equal(status, 0);
  const { columns } = JSON.parse(out);
  assert.deepEqual(
    columns.map(({ header, use, as, unit }) => [header, use, as, unit].join('|')),
    [
      'name|used|name|',
      'stage|filter||',
      'M|used|M|',
      'N|used|N|',
      'K|used|K|',
      'batch size|used|batch|',
      'time_us|used|time|µs',
      'experts|ignored||',
    ],
  );
  assert.deepEqual(columns[7].first, ['8', '9', '10']);
  assert.match(roofline(['analyze', '-', '--columns'], { input }).out, /\ntime_us\s+used\s+time\s+µs\s+10 10 10\n/);
  const said = roofline(
    ['analyze', '-', '--columns', '-o', 'json', '--column', 'experts=batch_count', '--column', 'stage='],
    {
      input,
    },
  );
  assert.deepEqual(
    JSON.parse(said.out).columns.map(({ use, as }) => use + as),
    ['usedname', 'ignored', 'usedM', 'usedN', 'usedK', 'ignored', 'usedtime', 'usedbatch'],
  );
  assert.equal(roofline(['analyze', '-', '--columns', '-o', 'csv'], { input }).status, 2);
  assert.equal(roofline(['analyze', '-', '--columns'], { input: 'no table' }).status, 1);
  // A table that cannot be placed lists its columns, too: that is how to find out what to say.
  assert.match(roofline(['analyze', '-', '--columns'], { input: 'label,elapsed\na,1\n' }).out, /elapsed\s+ignored/);
});

await test('tables: no unit is a part of a word, and ignored factors of the work are a warning', () => {
  const { ops, diagnostics } = analysed('name,E,top_k,time_us\nmoe,128,8,100\n');
  assert.deepEqual([ops[0].status, ops[0].flops, ops[0].bytes], ['time-only', null, null]);
  assert.deepEqual(
    diagnostics.filter(({ severity }) => severity === 'warning').map(({ message }) => message),
    ['"top_k" is ignored, but its name suggests work: check that the FLOPs include it, or say what the column is'],
  );
  assert.match(remarks({ diagnostics }), /columns that are not used: "E" and "top_k"/);
  for (const header of ['pop_size', 'tb_size', 'code_size_kb', 'GB/s_diff'])
    assert.equal(analysed(`name,${header},time_us\na,256,100\n`).ops[0].status, 'time-only', header);
});
