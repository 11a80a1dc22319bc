// roofline analyze, tried as a user would.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { binary, folder, put, refused, roofline } from '../command.mjs';

const conv = {
  type: 'ID_CONV',
  name: 'conv',
  data_type: 'INT8',
  input_shape: [1, 64, 1, 224, 224],
  output_channels: 128,
  kernel_size: [1, 3, 3],
  stride: [1, 2, 2],
  padding: [0, 1, 1],
  time_ns: 850000,
};
const matmul = {
  type: 'ID_MM',
  name: 'product',
  data_type: 'FP16',
  input_mat1: [1024, 1024],
  input_mat2: [1024, 1024],
  time_ns: 2e6,
};
const mul = {
  type: 'ID_MUL',
  name: 'scale',
  data_type: 'FP32',
  input_self: [2048],
  input_other: [2048],
  time_ns: 2100,
};
const ops = JSON.stringify([mul, conv, matmul]);

put('ops.json', ops);

function analyze(...args) {
  const result = roofline(['analyze', ...args]);
  assert.equal(result.status, 0, result.err);
  return result;
}
const document = (...args) => JSON.parse(analyze(...args, '-o', 'json').out);

await test('analyze: the document, and nothing else on either stream but the question which machine', () => {
  const { out, err } = analyze('ops.json', '-o', 'json');
  assert.match(err, /^Which machine ran this\?.*\n$/);
  assert.equal(analyze('ops.json', '-o', 'json', '--machine', 'npu-32t50').err, '');
  const { schema, machine, ops: rows, summary, diagnostics } = JSON.parse(out);
  assert.equal(schema, 'roofline-analysis/1');
  assert.equal(machine.id, 'npu-32t50');
  assert.deepEqual(
    rows.map(op => [op.index, op.name]),
    [
      [0, 'scale'],
      [1, 'conv'],
      [2, 'product'],
    ],
  );
  assert.equal(rows[1].macs, 924844032);
  assert.equal(rows[1].time_s, 850e-6);
  assert.equal(summary.ops, 3);
  assert.deepEqual(diagnostics, []);
});

await test('analyze: standard input, gzip, several gzip members, any name', () => {
  const expected = document('ops.json').ops;
  const packed = gzipSync(ops);
  put('packed', packed);
  put('members.gz', Buffer.concat([gzipSync(ops.slice(0, 50)), gzipSync(ops.slice(50))]));
  assert.deepEqual(document('packed').ops, expected);
  assert.deepEqual(document('members.gz').ops, expected);
  for (const input of [ops, packed]) {
    const { status, out } = roofline(['analyze', '-', '-o', 'json'], { input });
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(out).ops, expected);
  }
  put('show', ops); // named like a command
  assert.deepEqual(document('show').ops, expected);
  put('--top', ops);
  assert.deepEqual(JSON.parse(analyze('-o', 'json', '--', '--top').out).ops, expected);
});

await test('analyze: a named pipe, which can be opened only once', () => {
  const shell = spawnSync('bash', ['-c', `mkfifo pipe; cat ops.json > pipe & '${binary}' analyze pipe -o json`], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 10_000,
  });
  assert.equal(shell.status, 0, shell.stderr);
  assert.equal(JSON.parse(shell.stdout).ops.length, 3);
});

await test('analyze: BOM, UTF-16, CRLF, lines', () => {
  const expected = document('ops.json').ops;
  put('bom.json', '\ufeff' + ops);
  put('utf16.json', Buffer.from('\ufeff' + ops, 'utf16le'));
  put('crlf.json', JSON.stringify(JSON.parse(ops), null, 2).replaceAll('\n', '\r\n'));
  put(
    'lines.json',
    JSON.parse(ops)
      .map(op => JSON.stringify(op))
      .join('\n') + '\n',
  );
  for (const name of ['bom.json', 'utf16.json', 'crlf.json', 'lines.json'])
    assert.deepEqual(document(name).ops, expected, name);
});

await test('analyze: a file that is unusable ends with 1, says what, where and what was expected', () => {
  const packed = gzipSync(ops);
  const flipped = Buffer.from(packed);
  flipped[flipped.length - 6] ^= 1; // in the checksum
  mkdirSync(join(folder, 'a-folder'));
  for (const [name, content, message] of [
    ['absent.json', null, /^absent\.json: cannot be opened \(No such file or directory\): expected a file/],
    ['a-folder', null, /^a-folder: is a folder: expected a file/],
    ['empty.json', '', /^empty\.json: .*expected/],
    ['blank.json', ' \n\n ', /^blank\.json: .*expected/],
    ['text.json', 'hello', /^text\.json: line 1, column 1: .*expected/],
    ['cut.json', ops.slice(0, 9), /^cut\.json: line 1, column \d+: .*truncated/],
    ['tail.json', '[]x', /^tail\.json: line 1, column \d+: .*expected/],
    ['number.json', '7', /^number\.json: .*expected/],
    ['nul.json', '[\0]', /^nul\.json: .*expected/],
    ['picture.json', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /^picture\.json: .*PNG.*expected/],
    [
      'cut.gz',
      packed.subarray(0, 60),
      /^cut\.gz: corrupt gzip at byte 60 \(it ends too early\): expected a whole gzip file/,
    ],
    ['flipped.gz', flipped, /^flipped\.gz: corrupt gzip .*incorrect data check.*: expected a whole gzip file/],
    ['tail.gz', Buffer.concat([packed, Buffer.from('more')]), /^tail\.gz: corrupt gzip .*: expected a whole gzip file/],
    ['empty.gz', gzipSync(''), /^empty\.gz: .*expected/],
    ['deep.json', '['.repeat(100_000), /^deep\.json: .*expected/],
  ]) {
    if (content !== null) put(name, content);
    for (const form of ['table', 'json', 'csv', 'svg']) {
      const { err } = refused(1, ['analyze', name, '-o', form], message);
      assert.equal(err.trim().split('\n').length, 1, err);
    }
  }
  refused(1, ['analyze', '-'], /^standard input: .*expected/);
});

await test('analyze: a list that breaks off keeps the records before', () => {
  put('broken_off.json', ops.slice(0, -9));
  const { out, err } = roofline(['analyze', 'broken_off.json', '-o', 'json']);
  assert.equal(JSON.parse(out).ops.length, 2);
  assert.match(err, /^broken_off\.json:1:\d+: error: the file is truncated after 2 records: expected /m);
});

if (process.getuid() !== 0) {
  // root may read everything
  await test('analyze: a file one may not read', () => {
    put('locked.json', ops);
    chmodSync(join(folder, 'locked.json'), 0);
    refused(1, ['analyze', 'locked.json'], /^locked\.json: cannot be opened \(Permission denied\): expected a file/);
  });
}

await test('analyze: faulty records are listed on standard error, at most twenty', () => {
  put('faults.json', `[${JSON.stringify(matmul)},\n {"type": "ID_NOBODY", "data_type": "INT8"}]`);
  const { out, err } = analyze('faults.json', '-o', 'json');
  assert.match(err, /^faults\.json:2:\d+: (error|warning): op 1: .*ID_NOBODY/);
  assert.deepEqual(
    JSON.parse(out).ops.map(op => op.status === 'unknown'),
    [false, true],
  );
  assert.equal(JSON.parse(out).diagnostics.length, 1);
  put('many.json', JSON.stringify(Array.from({ length: 50 }, () => ({ type: 'ID_NOBODY', data_type: 'INT8' }))));
  const many = roofline(['analyze', 'many.json']);
  const lines = many.err.trim().split('\n');
  assert.equal(lines.length, 22);
  assert.equal(lines[20], 'and 30 more');
  assert.match(lines[21], /many\.json: no cost for any of 50 operations: /);
  assert.equal(many.status, 1);
});

await test('analyze: nothing a file says reaches the terminal as a command to it', () => {
  put(
    'escape.json',
    JSON.stringify([
      { ...matmul, name: '\x1b[31mred\x07\nnext\u009b' },
      { type: '\x1b[2J', name: 'a' },
    ]),
  );
  const { out, err } = analyze('escape.json');
  assert.match(out, /red/);
  assert.doesNotMatch(out + err, /[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
});

await test('analyze: --machine by id, in any case, and by file', () => {
  assert.equal(document('ops.json', '--machine', 'NPU_32T50').machine.id, 'npu-32t50');
  const machine = document('ops.json').machine;
  put(
    'mine.json',
    JSON.stringify({ ...machine, id: 'mine', name: 'Mine', memories: [{ name: 'RAM', bandwidth: 1e11 }] }),
  );
  const read = document('ops.json', '--machine', 'mine.json');
  assert.deepEqual(
    [read.machine.id, read.machine.memories[0].name, read.machine.memories[0].bandwidth],
    ['mine', 'RAM', 1e11],
  );
  put('my-npu', JSON.stringify({ ...machine, id: 'mine' }));
  assert.equal(document('ops.json', '--machine', 'my-npu').machine.id, 'mine'); // no preset of that name
});

await test('analyze: a machine that does not exist, or cannot be read', () => {
  const { err } = refused(
    2,
    ['analyze', 'ops.json', '--machine', 'npu-32t5O'],
    /unknown machine "npu-32t5O": did you mean npu-32t50/,
  );
  assert.equal(err.trim().split('\n').length, 1);
  refused(
    2,
    ['analyze', 'ops.json', '--machine', 'zzzzzzzzzzzz'],
    /unknown machine "zzzzzzzzzzzz": .*roofline list machines/,
  );
  refused(1, ['analyze', 'ops.json', '--machine', './absent.json'], /^\.\/absent\.json: cannot be opened/);
  put('bad-machine.json', '{"id": "x", "peaks": 7}');
  refused(1, ['analyze', 'ops.json', '--machine', 'bad-machine.json'], /^bad-machine\.json: .*expected/);
  put('endless.json', ' ');
  truncateSync(join(folder, 'endless.json'), 2 ** 26 + 1);
  refused(
    1,
    ['analyze', 'ops.json', '--config', 'endless.json'],
    /^endless\.json: larger than 64 MiB: expected a smaller file/,
  );
});

await test('analyze: --set over --config over --machine over npu-32t50', () => {
  put('config.json', '{"peak_tops": 64, "bound_thresh": 80}');
  const bandwidth = read => read.machine.memories[0].bandwidth;
  const peak = read => Math.max(...Object.values(read.machine.peaks.matrix));
  put(
    'other.json',
    JSON.stringify({
      id: 'other',
      name: 'Other',
      peaks: { matrix: { int8: 1e12 } },
      memories: [{ name: 'RAM', bandwidth: 7e9 }],
    }),
  );

  const standard = document('ops.json');
  assert.deepEqual([bandwidth(standard), standard.scenario.bound_threshold], [50e9, 0.7]);
  const machine = document('ops.json', '--machine', 'other.json');
  assert.deepEqual([peak(machine), bandwidth(machine)], [1e12, 7e9]);
  const config = document('ops.json', '--config', 'config.json', '--machine', 'other.json');
  assert.deepEqual([peak(config), bandwidth(config), config.scenario.bound_threshold], [64e12, 7e9, 0.8]);
  const set = document(
    'ops.json',
    '--set',
    'peak_tops=16',
    '--set',
    'mem_thresh=30',
    '--config',
    'config.json',
    '--machine',
    'other.json',
  );
  assert.deepEqual(
    [peak(set), bandwidth(set), set.scenario.bound_threshold, set.scenario.memory_threshold],
    [16e12, 7e9, 0.8, 0.3],
  );
  const both = document('ops.json', '--set', 'peak_tops=16', '--set', 'machine=t4'); // in whichever order
  assert.deepEqual([both.machine.id, peak(both)], ['t4', 16e12]);
  assert.equal(bandwidth(document('--set', 'mem_bw=10', 'ops.json')), 10e9); // takes one value, not the file after it
});

await test('analyze: a wrong --config ends with 1, a wrong --set with 2', () => {
  put('bad-config.json', '{"peak_tops": "fast"}');
  refused(1, ['analyze', 'ops.json', '--config', 'bad-config.json'], /^bad-config\.json: .*peak_tops.*expected/);
  refused(1, ['analyze', 'ops.json', '--config', 'absent.json'], /^absent\.json: /);
  refused(2, ['analyze', 'ops.json', '--set', 'peak_tops'], /--set peak_tops: expected KEY=VALUE/);
  refused(2, ['analyze', 'ops.json', '--set', 'peak_tops=fast'], /--set peak_tops=fast: .*expected/);
  refused(2, ['analyze', 'ops.json', '--set', 'nothing=1'], /--set nothing=1: /);
});

await test('analyze: what holds no operations says where it belongs', () => {
  for (const [content, message] of [
    [
      { id: 'mine', peaks: { matrix: { fp16: 1e12 } }, memories: [] },
      /^f\.json: holds a machine, not operations: give it with --machine f\.json$/m,
    ],
    [
      { model_type: 'llama', hidden_size: 64 },
      /^f\.json: holds a language model, not operations: roofline llm f\.json$/m,
    ],
    [
      { ops: { ID_MINE: { flops: '1' } } },
      /^f\.json: holds an op registry, not operations: give it with --registry f\.json$/m,
    ],
  ]) {
    put('f.json', JSON.stringify(content));
    refused(1, ['analyze', 'f.json'], message);
  }
});

await test('analyze: settings in the place of operations', () => {
  const parts = [
    { overhead: { overlap: 50 } },
    { peaks: { matrix: { fp16: 100 } } },
    { bandwidths: { DRAM: 100 } },
    { whatif: { weight: 'int4' } },
  ];
  for (const settings of parts) {
    put('settings.json', JSON.stringify(settings));
    refused(
      1,
      ['analyze', 'settings.json'],
      /^settings\.json: holds settings, not operations: give it with --config settings\.json$/m,
    );
    document('ops.json', '--config', 'settings.json');
  }
  refused(
    2,
    ['analyze', 'ops.json', '--set', 'overhead.lanch_us=5'],
    /unknown setting: did you mean overhead\.launch_us\?/,
  );
  refused(2, ['analyze', 'ops.json', '--set', 'launch_us=5'], /unknown setting: did you mean overhead\.launch_us\?/);
});

await test('analyze: --registry, several, later ones win', () => {
  const mine = { type: 'ID_MINE', name: 'mine', rows: 8, time_ns: 10 };
  put('mine-ops.json', JSON.stringify([mine]));
  put('first.json', '{"ops": {"ID_MINE": {"macs": "rows", "bytes": "rows * 2"}}}');
  put('second.json', '{"ops": {"ID_MINE": {"macs": "rows * 100", "bytes": "rows * 2"}}}');
  assert.equal(document('mine-ops.json').ops[0].macs, null);
  assert.equal(document('mine-ops.json', '--registry', 'first.json').ops[0].macs, 8);
  assert.equal(document('--registry', 'first.json', '--registry', 'second.json', 'mine-ops.json').ops[0].macs, 800);
  put('bad-registry.json', '{"ops": {"ID_MINE": {"macs": "rows *", "bytes": "1"}}}');
  refused(1, ['analyze', 'mine-ops.json', '--registry', 'bad-registry.json'], /^bad-registry\.json: .*ID_MINE/);
  refused(1, ['analyze', 'mine-ops.json', '--registry', 'absent.json'], /^absent\.json: /);
});

await test('analyze: --top selects and never reorders', () => {
  const all = document('ops.json').ops;
  const by_lost = [...all].sort((a, b) => b.lost_time_s - a.lost_time_s).map(op => op.index);
  const top = document('ops.json', '--top', '2');
  assert.deepEqual(
    top.ops.map(op => op.index),
    by_lost.slice(0, 2).sort(),
  );
  assert.equal(top.summary.ops, 3);
  assert.equal(document('ops.json', '--top', '99').ops.length, 3);
  assert.equal(document('ops.json', '--top', '0').ops.length, 0);
  for (const wrong of ['-1', '1.5', 'x', '']) refused(2, ['analyze', 'ops.json', '--top', wrong], /--top/);
});

await test('analyze: the table has the most lost time first, twenty rows, and the totals', () => {
  const { out } = analyze('ops.json');
  const rows = out
    .split('\n')
    .filter(line => /^ *\d+ +(scale|conv|product) /.test(line))
    .map(line => / (scale|conv|product) /.exec(line)[1]);
  assert.deepEqual(rows, ['product', 'conv', 'scale']);
  assert.match(out, /50 GB\/s/);
  assert.match(out, /^operations +3$/m);
  assert.match(out, /^bound by +\S+/m);
  assert.match(out, /850 µs/);
  assert.ok(out.split('\n').every(line => line === line.trimEnd()));
  put(
    'thirty.json',
    JSON.stringify(Array.from({ length: 30 }, (_, i) => ({ ...matmul, name: `op${i}`, time_ns: 2e6 + 1000 * i }))),
  );
  const names = text => [...text.matchAll(/\bop(\d+)\b/g)].map(match => Number(match[1]));
  assert.deepEqual(
    names(analyze('thirty.json').out),
    Array.from({ length: 20 }, (_, i) => 29 - i),
  );
  assert.deepEqual(names(analyze('thirty.json', '--top', '2').out), [29, 28]);
  assert.match(analyze('ops.json', '--set', 'ops_per_mac=1').out, /MAC\/B/);
  assert.doesNotMatch(analyze('ops.json').out, /\bMAC/);
});

await test('analyze: csv and svg', () => {
  const lines = analyze('ops.json', '-o', 'csv').out.trim().split(/\r?\n/);
  assert.equal(lines.length, 4);
  assert.match(lines[0], /\bindex\b.*\bname\b/);
  const svg = analyze('ops.json', '-o', 'svg').out;
  assert.match(svg, /<svg[\s>]/);
  assert.match(svg.trimEnd(), /<\/svg>$/);
});

const big = Array.from({ length: 20_000 }, (_, i) => ({ ...matmul, name: `op ${i}` }));

await test('analyze: a reader that goes early is no error', () => {
  put('big.json', JSON.stringify(big));
  for (const form of ['json', 'csv']) {
    const shell = spawnSync(
      'bash',
      ['-o', 'pipefail', '-c', `'${binary}' analyze big.json --machine npu-32t50 -o ${form} | head -c 10`],
      { cwd: folder, encoding: 'utf8' },
    );
    assert.deepEqual([shell.status, shell.stderr, shell.stdout.length], [0, '', 10]);
  }
});

await test('analyze: standard output that cannot be written is an error', () => {
  const shell = spawnSync('bash', ['-c', `'${binary}' analyze big.json --machine npu-32t50 -o json > /dev/full`], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(shell.status, 1);
  assert.match(shell.stderr, /^standard output: cannot be written \(No space left on device\)/);
});

await test(
  'analyze: where memory runs out it is said, and nothing is printed',
  { skip: binary.includes('sanitize') && 'a sanitized build takes terabytes of addresses' },
  () => {
    const op = JSON.stringify({ type: 'gemm', name: 'a', data_type: 'fp16', m: 64, n: 64, k: 64, time_ns: 5000 });
    const script = `ulimit -v 120000; yes '${op}' | head -2000000 | '${binary}' analyze -`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^out of memory$/m);
  },
);

await test('analyze: operations without a step or a type have a name in sentences', () => {
  const work = { data_type: 'FP16', flops: 1e9, bytes: 1e6 };
  put(
    'steps.json',
    JSON.stringify([
      { ...work, name: 'a', step: 's1', time_ns: 5000 },
      { ...work, name: 'b', time_ns: 90000 },
    ]),
  );
  const machine = ['--machine', 'h100-sxm'];
  const text = roofline(['analyze', 'steps.json', ...machine]).out;
  assert.match(text, /2 steps take 5 µs to 90 µs; operations without a step take the longest/);
  const runs = ['before.json', 'after.json'];
  runs.forEach((name, i) =>
    put(
      name,
      JSON.stringify(
        [1, 2, 3, 4].flatMap(n => [
          { ...work, name: `a${n}`, time_ns: 300000 * (i + 1) },
          { ...conv, name: `conv${n}`, time_ns: 850000 * (i + 1) },
        ]),
      ),
    ),
  );
  assert.match(roofline(['compare', ...runs, ...machine]).out, /operations without a type lost 1.2 ms/);
});

test('a guessed machine is marked in every output', () => {
  const run = (...args) =>
    roofline(['analyze', 'ops.json', '--machine', 'h100-sxm', '--set', 'machine_basis=guessed', ...args]).out;
  const { machine } = JSON.parse(run('-o', 'json'));
  assert.deepEqual([machine.id, machine.basis, machine.guessed], ['h100-sxm', 'assumed', true]);
  assert.match(run(), /Guessed: NVIDIA H100 SXM/);
  assert.match(run('-o', 'markdown'), /NVIDIA H100 SXM, which is guessed/);
  put('guessed.json', JSON.stringify(machine)); // it is a machine file, too
  assert.match(roofline(['analyze', 'ops.json', '--machine', 'guessed.json']).out, /^NVIDIA H100 SXM/m);
});
