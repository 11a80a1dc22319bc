// Kernel tables and comparing runs on the command line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { put, roofline } from '../command.mjs';

const header = 'name,M,N,K,dtype,time_us\n';

await test('analyze: a kernel table from a stream without a name, and its JSON', () => {
  const { status, out } = roofline(['analyze', '-', '-o', 'json', '--machine', 'a100-80gb-sxm'], {
    input: `${header}gemm,1024,1024,1024,f16,20\n`,
  });
  assert.equal(status, 0);
  const {
    ops: [op],
  } = JSON.parse(out);
  assert.equal(op.flops, 2 * 1024 ** 3);
  assert.equal(op.bytes, 3 * 1024 ** 2 * 2);
  assert.ok(Math.abs(op.achieved_flops / ((2 * 1024 ** 3) / 20e-6) - 1) < 1e-12);
  assert.equal(op.formats.activation, 'fp16');
});

await test('analyze: the CSV of operations that occur several times reads back with the same totals', () => {
  const product = { type: 'gemm', m: 64, n: 4096, k: 4096, data_type: 'FP16' };
  const counted = [
    { ...product, name: 'up', count: 32, time_ns: 50000 },
    { ...product, name: 'down', count: 3 },
  ];
  put('counted.json', JSON.stringify(counted));
  const csv = roofline(['analyze', 'counted.json', '-o', 'csv', '--machine', 'a100-80gb-sxm']).out;
  const summaryOf = (file, options = {}) =>
    JSON.parse(roofline(['analyze', file, '-o', 'json', '--machine', 'a100-80gb-sxm'], options).out).summary;
  const [written, read] = [summaryOf('counted.json'), summaryOf('-', { input: csv })];
  for (const total of ['flops', 'bytes', 'time_s', 'predicted_time_s', 'lost_time_s'])
    assert.ok(Math.abs(read[total] / written[total] - 1) < 1e-12, `${total}: ${read[total]} ${written[total]}`);
});

await test('analyze: rates alone leave sizes and times unknown', () => {
  const { out } = roofline(['analyze', '-', '-o', 'json'], {
    input: '[{"name": "A", "arithmeticIntensity": 2.5, "tflops": 1}]',
  });
  const {
    ops: [op],
  } = JSON.parse(out);
  assert.deepEqual([op.flops, op.bytes, op.time_s, op.intensity, op.achieved_flops], [null, null, null, 2.5, 1e12]);
});

await test('analyze: faults of a table name line and column, an unusable one what it lacks', () => {
  put('bad.csv', `${header}ok,1,2,3,f16,4\nslow,1,2,3,f16,fast\n`);
  const some = roofline(['analyze', 'bad.csv']);
  assert.equal(some.status, 0);
  assert.match(
    some.err,
    /bad\.csv:3:16: warning: op 1: time_us: expected a number, found "fast": the cell is not used/,
  );
  put('lacks.csv', 'name,color\na,red\n');
  const none = roofline(['analyze', 'lacks.csv']);
  assert.deepEqual([none.status, none.out], [1, '']);
  assert.match(none.err, /cannot be placed on a roofline.*nor is there a time; the columns are: name, color/);
});

await test('analyze: columns are what --column says they are', () => {
  put('mystery.csv', 'label,elapsed,work,note\na,10,2,x\nb,20,6,y\n');
  assert.equal(roofline(['analyze', 'mystery.csv']).status, 1);
  const said = ['--column', 'label=name', '--column', 'elapsed=time_us', '--column', 'work=gflop', '--column', 'note='];
  const { status, out } = roofline(['analyze', 'mystery.csv', ...said, '-o', 'json']);
  assert.equal(status, 0);
  const { ops } = JSON.parse(out);
  assert.deepEqual(
    ops.map(({ name, flops, time_s }) => [name, flops, Number(time_s.toPrecision(12))]),
    [
      ['a', 2e9, 1e-5],
      ['b', 6e9, 2e-5],
    ],
  );
  const missing = roofline(['analyze', 'mystery.csv', '--column', 'nothing=time_us']);
  assert.equal(missing.status, 1);
  assert.match(missing.err, /no column is called "nothing"/);
  const wrong = roofline(['analyze', 'mystery.csv', '--column', 'elapsed']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /expected HEADER=AS, as in elapsed=time_us/);
});

await test('analyze: JSON records of kernels that nothing places are refused as their CSV is', () => {
  put(
    'lacks.json',
    '[{"name": "A", "batch": 32, "dtype": "f32", "model": "x"}, {"name": "B", "batch": 64, "dtype": "f16", "model": "y"}]',
  );
  const { status, out, err } = roofline(['analyze', 'lacks.json']);
  assert.deepEqual([status, out], [1, '']);
  assert.match(
    err,
    /lacks\.json: line 1: this table cannot be placed on a roofline: no column gives FLOPs .*nor is there a time; the columns are: name, batch, dtype, model/,
  );
});

put('before.csv', `${header}one,64,64,64,f16,10\ntwo,64,64,64,f16,30\ngone,8,8,8,f16,2\n`);
put('after.csv', `${header}two,64,64,64,f16,10\none,64,64,64,f16,12\nnew,4,4,4,f16,1\n`);

await test('compare: json', () => {
  const { status, out, err } = roofline(['compare', 'before.csv', 'after.csv', '-o', 'json']);
  assert.equal(status, 0, err);
  const { schema, a, b, ops, summary } = JSON.parse(out);
  assert.equal(schema, 'roofline-compare/1');
  assert.deepEqual([a.source, b.source], ['before.csv', 'after.csv']);
  assert.deepEqual(
    ops.map(({ name, a: x, b: y, change }) => [name, x, y, change]),
    [
      ['two', 1, 0, 'matched'],
      ['one', 0, 1, 'matched'],
      ['gone', 2, null, 'vanished'],
      ['new', null, 2, 'appeared'],
    ],
  );
  assert.ok(Math.abs(ops[0].time_ratio - 1 / 3) < 1e-12);
  assert.deepEqual([summary.matched, summary.appeared, summary.vanished], [2, 1, 1]);
  assert.ok(Math.abs(summary.time_ratio - 23 / 42) < 1e-12);
});

await test('compare: csv, table, --top, two machines', () => {
  const csv = roofline(['compare', 'before.csv', 'after.csv', '-o', 'csv', '--top', '1']).out.split('\r\n');
  assert.equal(csv.length, 3);
  assert.match(csv[1], /^two,gemm,matched,1,0,/);
  const table = roofline(['compare', 'before.csv', 'after.csv', '--machine', 't4', '--machine-b', 'a100-80gb-sxm']).out;
  assert.match(table, /on NVIDIA T4.*\n.*on NVIDIA A100/);
  assert.match(
    table,
    /^From NVIDIA T4 to NVIDIA A100 80GB SXM: 19 µs saved \(45%\)\. two alone saved 20 µs; 1 faster, 1 slower; 1 appeared, 1 vanished\. Largest slowdown: one, 2 µs\.$/m,
  );
});

await test('compare: sums by type', () => {
  const print = (...more) => roofline(['compare', 'before.csv', 'after.csv', '--by-type', ...more]).out;
  assert.match(print(), /^type +ops +before +after +ratio +time change\ngemm +3 +42 µs +23 µs +0\.548 +-19 µs\n$/m);
  assert.match(print('-o', 'csv'), /^type,ops_a,ops_b,time_a_s,time_b_s,time_ratio,time_saved_s\r\ngemm,3,3,/);
  assert.match(print('-o', 'markdown'), /^\| gemm \| 3 \| 42 µs \|/m);
});

await test('compare: filters apply to both runs, in every form', () => {
  put(
    'typed.csv',
    `name,type,M,N,K,dtype,time_us\nboth,gemm,64,64,64,f16,10\nold,bmm,8,8,8,f16,3\ngone,gemm,8,8,8,f16,2\n`,
  );
  put('typed_after.csv', `name,type,M,N,K,dtype,time_us\nboth,gemm,64,64,64,f16,5\nnew,gemm,4,4,4,f16,1\n`);
  const run = (...args) => roofline(['compare', 'typed.csv', 'typed_after.csv', ...args]);
  const names = (...args) => JSON.parse(run(...args, '-o', 'json').out).ops.map(({ name }) => name);
  assert.deepEqual(names('--category', 'gemm'), ['both', 'gone', 'new']);
  assert.deepEqual(names('--category', 'bmm'), ['old']); // which only the first run has
  assert.deepEqual(names('--name', 'o', '--category', 'gemm'), ['both', 'gone']);
  const { summary, all, ops } = JSON.parse(run('--category', 'gemm', '-o', 'json').out);
  assert.deepEqual(
    [summary.matched, summary.appeared, summary.vanished, all.matched, all.appeared, all.vanished],
    [1, 1, 1, 1, 1, 2],
  );
  assert.ok(Math.abs(summary.time_a_s / 12e-6 - 1) < 1e-12 && Math.abs(all.time_a_s / 15e-6 - 1) < 1e-12);
  const csv = run('--category', 'gemm', '-o', 'csv')
    .out.trim()
    .split('\r\n')
    .slice(1)
    .map(line => line.split(',')[0]);
  assert.deepEqual(
    csv,
    ops.map(({ name }) => name),
  );
  const table = run('--category', 'gemm').out;
  assert.match(
    table,
    /^Filtered: 6 µs saved \(50%\); operations in both runs saved 5 µs\. both alone saved 5 µs; 1 faster, 0 slower; 1 appeared, 1 vanished\.$/m,
  );
  const elsewhere = run('--category', 'gemm', '--machine', 't4', '--machine-b', 'a100-80gb-sxm').out;
  assert.equal(elsewhere.match(/From NVIDIA T4 to /g).length, 1);
  assert.match(elsewhere, /^All operations: From NVIDIA T4 to NVIDIA A100 80GB SXM: /m);
  assert.match(
    table,
    /^All operations: 9 µs saved \(60%\); operations in both runs saved 5 µs\. both alone saved 5 µs; /m,
  );
  assert.doesNotMatch(table, /^old/m);
  const bound = JSON.parse(run('-o', 'json').out).ops.map(({ bound_by_a, bound_by_b, name }) => [
    name,
    bound_by_a,
    bound_by_b,
  ]);
  const bounded = by => bound.filter(([, a, b]) => a === by || b === by).map(([name]) => name);
  for (const by of new Set(bound.flatMap(([, a, b]) => [a, b]).filter(Boolean)))
    assert.deepEqual(names('--bound-by', by), bounded(by));
  const wrong = run('--category', 'gem');
  assert.deepEqual([wrong.status, wrong.out], [2, '']);
  assert.match(wrong.err, /--category: no category is called "gem": expected one of .*gemm/);
  assert.match(run('--step', '1').err, /--step: no step is called "1": expected none/);
});

await test('compare: what did not change is one line, what was renamed is matched', () => {
  put('old.csv', `${header}a,64,64,64,f16,10\nb,64,64,32,f16,20\nc,64,64,16,f16,30\n`);
  put('new.csv', `${header}a,64,64,64,f16,10.1\nb,64,64,32,f16,15\nd,64,64,16,f16,30\n`);
  const table = roofline(['compare', 'old.csv', 'new.csv']).out;
  assert.match(
    table,
    /^4\.9 µs saved \(8\.2%\)\. b alone saved 5 µs; 1 faster, 0 slower, 2 unchanged\. Renamed: c → d\.$/m,
  );
  assert.match(table, /^b +gemm +faster/m);
  assert.doesNotMatch(table, /^[ad] /m);
  assert.match(table, /^2 unchanged: 40\.1 µs$/m);
  assert.match(roofline(['compare', 'old.csv', 'new.csv', '--unchanged']).out, /^c → d +gemm +unchanged/m);
  const { ops, summary } = JSON.parse(roofline(['compare', 'old.csv', 'new.csv', '-o', 'json']).out);
  assert.deepEqual(
    ops.map(({ name, verdict, renamed }) => [name, verdict, renamed]),
    [
      ['b', 'faster', false],
      ['a', 'unchanged', false],
      ['d', 'unchanged', true],
    ],
  );
  assert.deepEqual([summary.faster, summary.unchanged, summary.renamed, summary.comparable], [1, 2, 1, true]);
});

await test('compare: what is wrong is said, and with which run', () => {
  const missing = roofline(['compare', 'before.csv', 'none.csv']);
  assert.deepEqual([missing.status, missing.out], [1, '']);
  assert.match(missing.err, /none\.csv/);
  assert.equal(roofline(['compare', 'before.csv']).status, 2);
  assert.equal(roofline(['compare', '-', '-']).status, 2);
  assert.equal(roofline(['compare', 'before.csv', 'after.csv', '--machine-b', 'a1000']).status, 2);
});
