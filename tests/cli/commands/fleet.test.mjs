// A fleet's profiles added up: any order, any grouping, any number of processes, the same bytes. docs/guide/fleet.md.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, folder, put, refused, repository, roofline } from '../command.mjs';

const on = ['--machine', 'h100-sxm'];
const has = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' }).status === 0;

/// A night's profiles, different from each other in times and in what occurs. The same for the same number.
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const profile = () =>
  Array.from({ length: 12 }, (_, i) => ({
    type: i % 4 === 3 ? 'softmax' : 'gemm',
    name: `layer${i % 5}`,
    data_type: i % 2 ? 'fp16' : 'int8',
    ...(i % 4 === 3 ? { input_self: [64, 4096] } : { m: 16 << (i % 3), n: 4096, k: 4096 }),
    ...(random() < 0.9 && { time_ns: (140_000 + 7e5 * random()) / 7 }),
    ...(random() < 0.3 && { hw_bytes: 1 + Math.floor(2e7 * random()) }),
    count: 1 + Math.floor(3 * random()),
  }));
const night = 24;
mkdirSync(join(folder, 'night'));
for (let i = 0; i < night; ++i) put(`night/${i}.json`, JSON.stringify(profile()));
const files = Array.from({ length: night }, (_, i) => `night/${i}.json`);
const summary = file => {
  const { status, out, err } = roofline(['analyze', file, ...on, '-o', 'summary']);
  assert.equal(status, 0, err);
  return out;
};
const parts = files.map(file => {
  const part = `${file}.summary`;
  put(part, summary(file));
  return part;
});
const merged = (...of) => {
  const { status, out, err } = roofline(['summarize', ...of]);
  assert.equal(status, 0, err);
  return out;
};
const expected = merged(...parts);
put('fleet.json', expected);

await test('summarize: one line; runs, records and sums of all files', () => {
  assert.equal(expected.trimEnd().split('\n').length, 1);
  const all = JSON.parse(expected);
  const documents = files.map(file => JSON.parse(roofline(['analyze', file, ...on, '-o', 'json']).out));
  const sum = of => documents.reduce((total, document) => total + of(document.summary), 0);
  assert.deepEqual([all.runs, all.records, all.left_out, all.assumed], [night, 12 * night, 0, false]);
  for (const key of ['time_s', 'lost_time_s', 'predicted_time_s']) {
    const plain = sum(s => s[key]);
    assert.ok(Math.abs(all[key] / plain - 1) < 1e-12, `${key}: ${all[key]}, ${plain}`);
  }
  const lost = all.rows.map(row => row.lost_time_s ?? 0);
  assert.deepEqual(
    lost,
    [...lost].sort((a, b) => b - a),
  );
  assert.equal(
    all.rows.reduce((n, row) => n + row.records, 0),
    all.records,
  );
});

await test('summarize: what is added up already is not one run more', () => {
  const { status, out, err } = roofline(['analyze', 'fleet.json', '-o', 'summary']);
  assert.deepEqual([status, out], [1, '']);
  assert.match(err, /a summary already: expected `roofline summarize`/);
});

await test('summarize: any order and any grouping, the same bytes', () => {
  assert.equal(merged(...[...parts].reverse()), expected);
  put('a', merged(...parts.slice(5, 17)));
  put('b', merged(...parts.slice(0, 5)));
  put('c', merged('b', ...parts.slice(17)));
  assert.equal(merged('a', 'c'), expected);
  assert.equal(merged('c', 'a'), expected);
  assert.equal(merged('fleet.json'), expected);
  put('parts', parts.map(part => readFileSync(join(folder, part), 'utf8')).join(''));
  assert.equal(merged('parts'), expected);
  const indented = JSON.stringify(JSON.parse(readFileSync(join(folder, 'a'), 'utf8')), null, 2);
  const piped = roofline(['summarize', '-'], { input: `\n${indented}\n\n${readFileSync(join(folder, 'c'), 'utf8')}` });
  assert.equal(piped.out, expected, piped.err);
});

await test('summarize: a stream is a run', () => {
  const lines = JSON.parse(readFileSync(join(folder, files[0]), 'utf8')).map(op => JSON.stringify(op));
  const streamed = roofline(['analyze', '--stream', '-', ...on, '-o', 'summary'], { input: lines.join('\n') });
  assert.equal(streamed.out, summary(files[0]), streamed.err);
  const empty = roofline(['analyze', '--stream', '-', ...on, '-o', 'summary'], { input: '' });
  const blank = roofline(['analyze', '--stream', '-', ...on, '-o', 'summary'], { input: '\n \n' });
  assert.deepEqual([blank.status, blank.out, blank.err], [0, empty.out, '']); // such as an empty partition's
  const wrong = roofline(['analyze', '--stream', '-', ...on], {
    input: `\n\n${lines[0]}\n\n{"type":"gemm","m":"x"}\n`,
  });
  assert.match(wrong.err, /:5:\d+: error: op 1: field "m": /);
});

await test('summarize: one machine and the same settings, or it says so', () => {
  put('other', roofline(['analyze', files[0], '--machine', 'a100-80gb-sxm', '-o', 'summary']).out);
  put('set', roofline(['analyze', files[0], ...on, '--set', 'bound_thresh=80', '-o', 'summary']).out);
  refused(
    1,
    ['summarize', parts[0], 'other'],
    /^other: its machine is NVIDIA A100.*, that of what came before NVIDIA H100.*: expected one machine/,
  );
  refused(1, ['summarize', 'other', parts[0]], /its machine is NVIDIA H100/);
  refused(1, ['summarize', parts[0], 'set'], /^set: its settings are not those of what came before/);
  put('assumed', roofline(['analyze', files[0], '-o', 'summary']).out);
  assert.equal(JSON.parse(merged('assumed')).assumed, true);
});

await test('summarize: what is no summary is refused', () => {
  put('cut', expected.slice(0, 500));
  refused(1, ['summarize', 'cut'], /^cut: not JSON at byte \d+ .*: expected a document of roofline-summary\/1/);
  refused(1, ['summarize', parts[0], files[0]], /expected "schema": "roofline-summary\/1"/);
  refused(1, ['summarize', 'nosuch'], /^nosuch: cannot be opened/);
  put('wrong', expected.replace(/"lost_time_s":[\d.e-]+,"predicted/, '"lost_time_s":"much","predicted'));
  refused(1, ['summarize', 'wrong'], /^wrong: rows\[0\]\.lost_time_s: expected a number from 0/);
});

await test('analyze reads a summary: the worst operations of the fleet, and conditions on them', () => {
  const all = JSON.parse(expected);
  const { out } = roofline(['analyze', 'fleet.json', '-o', 'json']);
  const { machine, summary: totals, ops, diagnostics } = JSON.parse(out);
  assert.deepEqual([machine.id, machine.basis], ['h100-sxm', 'stated']);
  assert.equal(ops.length, all.rows.length);
  assert.ok(Math.abs(totals.time_s / all.time_s - 1) < 1e-12);
  // Of sums: where one run of a row is bound by compute and another by memory, the bound of both together is shorter.
  const bounds = totals.predicted_time_s / all.predicted_time_s;
  assert.ok(bounds > 0.9 && bounds <= 1 + 1e-12, `${bounds}`);
  assert.equal(ops[0].measures['Lost, run by run'], all.rows[0].lost_time_s);
  assert.match(diagnostics[0].message, /^what 24 runs add up to: 288 records in \d+ rows$/);
  assert.match(roofline(['analyze', 'fleet.json']).out, /\. Tuning all \d+ timed ops could save up to [\d.]+ ms/);
  assert.equal(roofline(['analyze', 'fleet.json', '--fail-if', 'lost_time_s > 3600']).status, 0);
});

await test(
  'docs/guide/fleet.md: GNU parallel',
  { skip: !has('parallel', '--version') && 'GNU parallel is missing' },
  () => {
    const { status, stdout, stderr } = spawnSync(
      'bash',
      [
        '-ec',
        `ls night/*.json | shuf | parallel -j 3 '${binary}' analyze {} ${on.join(' ')} -o summary | '${binary}' summarize -`,
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    assert.equal(stdout, expected);
  },
);

// Debian's packages are those of its own Python, which need not be the first.
const python = ['python3', '/usr/bin/python3'].find(path => has(path, '-c', 'import dask.distributed'));
await test(
  'docs/guide/fleet.md: Dask, several processes, one killed midway',
  { skip: !python && 'python3-distributed is missing', timeout: 180_000 },
  async () => {
    // A night long enough that a worker dies while there is work.
    mkdirSync(join(folder, 'dask'));
    for (const [i, file] of files.entries())
      writeFileSync(join(folder, 'dask', `${i}.json`), readFileSync(join(folder, file)));
    const script = join(repository, 'tools/fleet/with_dask.py');
    const child = spawn(
      python,
      [script, '--workers', '3', '--roofline', binary, '--kill-one', '--out', 'by-dask.json', 'dask', '--', ...on],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let told = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => (told += data));
    const status = await new Promise(done => child.on('close', done));
    assert.equal(status, 0, told);
    assert.match(told, /killed worker/);
    assert.equal(readFileSync(join(folder, 'by-dask.json'), 'utf8'), expected, told);
    assert.ok(readdirSync(join(folder, 'dask')).length === night);
  },
);
