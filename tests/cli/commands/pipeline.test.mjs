// Roofline in a pipeline: conditions, Markdown, schemas, operations as they come.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, put, refused, repository, roofline } from '../command.mjs';
import { schema, validate } from '../schemas.mjs';

const gemm = (name, m, time_ns) => ({
  type: 'gemm',
  name,
  data_type: 'fp16',
  m,
  n: 4096,
  k: 4096,
  ...(time_ns && { time_ns }),
});
const ops = [gemm('first', 4096, 400_000), gemm('second', 1, 30_000)];
put('ops.json', JSON.stringify(ops));
put('slower.json', JSON.stringify([gemm('first', 4096, 800_000), gemm('second', 1, 30_000)]));
put('untimed.json', JSON.stringify([gemm('first', 4096)]));
const on = ['--machine', 'h100-sxm'];

await test("the document has the headline's shares", () => {
  const sample = join(repository, 'presets/samples/resnet-50-synthetic.json');
  const { summary, findings } = JSON.parse(roofline(['analyze', sample, '-o', 'json']).out);
  const [, most, neither] = /^DRAM limits (\d+)% .* ([\d.]+)% is limited by neither compute nor memory/.exec(
    findings.roofline,
  );
  const share = name => (100 * summary.time_by_limit[name]) / summary.time_s;
  assert.deepEqual([share('DRAM').toFixed(0), share('neither').toFixed(1)], [most, neither]);
  assert.equal((share('DRAM') + share('neither') + share('compute')).toFixed(9), '100.000000000');
  const untimed = JSON.parse(roofline(['analyze', 'untimed.json', ...on, '-o', 'json']).out);
  assert.ok(!('time_by_limit' in untimed.summary));
});

await test('--fail-if: 3 and a sentence where it holds, the document all the same', () => {
  const { summary } = JSON.parse(roofline(['analyze', 'ops.json', ...on, '-o', 'json']).out);
  assert.ok(summary.efficiency > 0.3 && summary.efficiency < 0.6, `${summary.efficiency}`);
  const held = roofline(['analyze', 'ops.json', ...on, '-o', 'json', '--fail-if', 'efficiency < 0.9']);
  assert.equal(held.status, 3);
  assert.equal(held.err, `roofline: efficiency < 0.9: efficiency is ${Number(summary.efficiency.toPrecision(6))}\n`);
  assert.equal(JSON.parse(held.out).ops.length, 2);
  const fine = roofline(['analyze', 'ops.json', ...on, '--fail-if', 'efficiency < 0.1']);
  assert.deepEqual([fine.status, fine.err], [0, '']);
});

await test('--fail-if: several, text, and what the expression language joins', () => {
  const check = (...conditions) =>
    roofline(['analyze', 'ops.json', ...on, ...conditions.flatMap(c => ['--fail-if', c])]);
  assert.equal(check('efficiency < 0.1', 'ops != 2').status, 0);
  const both = check('ops == 2', 'timed_ops < 2', "bound_by == 'compute'");
  assert.equal(both.status, 3);
  assert.equal(both.err, 'roofline: ops == 2: ops is 2\nroofline: bound_by == \'compute\': bound_by is "compute"\n');
  assert.equal(check('efficiency < 0.1 || lost_time_s > 1e-6').status, 3);
  assert.equal(check('efficiency < 0.1 && lost_time_s > 1e-6').status, 0);
  assert.equal(check('ran_elsewhere').status, 0);
});

await test('--fail-if: what is not known is no pass', () => {
  const unknown = roofline(['analyze', 'untimed.json', ...on, '--fail-if', 'efficiency < 0.5']);
  assert.equal(unknown.status, 1);
  assert.match(unknown.err, /^roofline: --fail-if efficiency < 0\.5: efficiency is not known$/m);
  assert.match(unknown.out, /operations +1/); // the document is there
  const guarded = ['analyze', 'untimed.json', ...on, '--fail-if', 'has(efficiency) && efficiency < 0.5'];
  assert.equal(roofline(guarded).status, 0);
  // One that holds and one that is not known: it failed.
  assert.equal(
    roofline(['analyze', 'untimed.json', ...on, '--fail-if', 'efficiency < 0.5', '--fail-if', 'ops == 1']).status,
    3,
  );
});

await test('--fail-if: a wrong expression or name is a wrong command line, and nothing is read', () => {
  refused(
    2,
    ['analyze', 'nosuch.json', '--fail-if', 'eficiency < 0.5'],
    /unknown name eficiency: did you mean efficiency/,
  );
  refused(
    2,
    ['analyze', 'ops.json', '--fail-if', 'efficiency <'],
    /--fail-if efficiency <: column 13: expected an operand/,
  );
  refused(2, ['compare', 'ops.json', 'ops.json', '--fail-if', 'efficiency < 1'], /unknown name efficiency/);
  refused(
    2,
    ['analyze', 'ops.json', '--fail-if', 'by_status > 1'],
    /by_status is no single value: expected a part of it, such as by_status\['compute-bound'\]/,
  );
});

await test('--fail-if: a part of a member, by its name', () => {
  // 137 GFLOP at 989.4 TFLOP/s are 139 µs, 34% of the first one's 400; 33.6 MB at 3.35 TB/s are 10 µs, a third of the second one's 30.
  const { summary } = JSON.parse(roofline(['analyze', 'ops.json', ...on, '-o', 'json']).out);
  assert.deepEqual(summary.by_status, { 'compute-inefficient': 1, 'memory-inefficient': 1 });
  assert.deepEqual(
    [summary.by_bound.compute, summary.by_bound.HBM, summary.by_bound.L2],
    [1, 1, 0],
    'what bounds nothing is there',
  );
  const check = (file, condition) => roofline(['analyze', file, ...on, '--fail-if', condition]);
  const held = check('ops.json', 'by_status[\'memory-inefficient\'] > 0 && by_bound["HBM"] == 1');
  assert.equal(held.status, 3);
  assert.equal(
    held.err,
    'roofline: by_status[\'memory-inefficient\'] > 0 && by_bound["HBM"] == 1: ' +
      'by_status[\'memory-inefficient\'] is 1, by_bound["HBM"] is 1\n',
  );
  assert.equal(check('ops.json', "time_by_status [ 'compute-inefficient' ] > 399e-6").status, 3);
  assert.equal(check('ops.json', "time_by_status['compute-inefficient'] > 401e-6").status, 0);
  assert.equal(check('ops.json', "predicted_time_by_bound['compute'] > 138e-6").status, 3);
  assert.equal(check('ops.json', "predicted_time_by_bound['compute'] > 140e-6").status, 0);
  // A status that does not occur is of no operation; its time is not a measured 0.
  const none = check('ops.json', "by_status['unknown'] == 0");
  assert.equal(none.status, 3);
  assert.match(none.err, /: by_status\['unknown'\] is 0$/m);
  const time = check('ops.json', "time_by_status['unknown'] < 1");
  assert.equal(time.status, 1);
  assert.match(time.err, /time_by_status\['unknown'\] is not known$/m);
  assert.equal(check('ops.json', "has(time_by_status['unknown']) && time_by_status['unknown'] > 1").status, 0);
  // Nothing is measured of a prediction, and nothing asked what if.
  assert.equal(check('untimed.json', "time_by_status['predicted'] < 1").status, 1);
  assert.equal(check('ops.json', "whatif['speedup_pessimistic'] < 2").status, 1);
  const whatif = ['analyze', 'ops.json', ...on, '--set', 'whatif.weight=int4', '--set', 'whatif.activation=int4'];
  assert.equal(roofline([...whatif, '--fail-if', "whatif['speedup_optimistic'] > 1"]).status, 3);
});

await test('--fail-if: a part that is not there is told', () => {
  const check = (condition, ...args) => roofline([...args, ...on, '--fail-if', condition]);
  const analyze = condition => check(condition, 'analyze', 'ops.json');
  refused(
    2,
    ['analyze', 'nosuch.json', '--fail-if', "by_status['memory-bond'] > 1"],
    /by_status has no part 'memory-bond': did you mean memory-bound/,
  );
  refused(2, ['analyze', 'ops.json', '--fail-if', "efficiency['x'] > 1"], /efficiency has no parts/);
  refused(
    2,
    ['analyze', 'ops.json', '--fail-if', "whatif['speedup'] > 1"],
    /whatif has no part 'speedup': did you mean/,
  );
  const resource = analyze("by_bound['HMB'] > 0"); // which there are is the machine's
  assert.equal(resource.status, 1);
  assert.match(resource.err, /by_bound\['HMB'\] is not known: did you mean HBM/);
  assert.equal(analyze("estimate['errors']['x']['median'] > 1").status, 1);
  assert.match(analyze("by_status['x'").err, /column \d+: expected ']'/);
  assert.match(analyze('by_status[x] > 1').err, /unknown name x|no single value/);
});

await test('--fail-if: parts of an answer about a model, and of a comparison', () => {
  // 8,030,261,248 parameters of two bytes; 32 layers x 8 heads x 128 x K and V x 2 bytes x 1024 tokens.
  const llm = condition =>
    roofline(['llm', 'llama-3-8b', ...on, '--context', '1024', '--top', '0', '--fail-if', condition]).status;
  assert.equal(llm("bytes_per_machine['weights'] == 16060522496"), 3);
  assert.equal(llm("bytes_per_machine['kv'] != 134217728"), 0);
  assert.equal(llm("memory['verdict'] == 'fits'"), 3);
  assert.equal(llm("cost['usd_per_hour'] > 0"), 1); // no price was given
  refused(2, ['llm', 'llama-3-8b', '--fail-if', "bytes_per_machine['wights'] > 0"], /did you mean weights/);
  refused(2, ['llm', 'llama-3-8b', '--fail-if', 'changes > 0'], /changes is a list/);
  const compare = condition =>
    roofline(['compare', 'ops.json', 'slower.json', ...on, '--name', 'second', '--fail-if', condition]).status;
  assert.equal(compare('time_ratio == 1'), 3);
  assert.equal(compare("all['time_ratio'] > 1.92 && all['time_ratio'] < 1.94"), 3); // 830 µs after 430
  assert.equal(compare("b['summary']['efficiency'] < a['summary']['efficiency']"), 3);
  assert.equal(compare("times == 'predicted'"), 0);
});

await test('--fail-if: compare, op and llm', () => {
  const compare = (...more) => roofline(['compare', 'ops.json', 'slower.json', ...on, ...more]);
  const slower = compare('--fail-if', 'time_ratio > 1.03');
  assert.equal(slower.status, 3);
  assert.match(slower.err, /^roofline: time_ratio > 1\.03: time_ratio is 1\.93\d*$/m);
  assert.equal(compare('--fail-if', 'time_ratio > 2').status, 0);
  assert.equal(roofline(['op', 'gemm', 'm=1', 'n=64', 'k=64', '--fail-if', 'flops > 1e6']).status, 0);
  assert.equal(roofline(['op', 'gemm', 'm=1', 'n=64', 'k=64', '--fail-if', 'flops < 1e6']).status, 3);
  const llm = ['llm', 'llama-3-8b', ...on, '--phase', 'decode', '--context', '1024', '--top', '0', '-o', 'csv'];
  assert.equal(roofline([...llm, '--fail-if', 'fits == 0']).status, 0);
  assert.equal(roofline([...llm, '--fail-if', 'tokens_per_s > 10']).status, 3);
  refused(2, [...llm, '--fail-if', 'token_per_s > 10'], /did you mean tokens_per_s/);
});

await test('docs/guide/pipeline.md names every value that a condition may ask for, with the meaning that the schema has', () => {
  const page = readFileSync(join(repository, 'docs/guide/pipeline.md'), 'utf8');
  for (const [name, definition] of [
    ['analysis', 'document_summary'],
    ['compare', 'totals'],
  ])
    for (const [key, value] of Object.entries(schema(binary, name).$defs[definition].properties))
      if (value.type !== 'array' && key !== 'headline' && key !== 'finding') {
        const start = [`| \`${key}\` |`, `| \`${key}['`]; // with a part where it has some
        const row = page.split('\n').find(line => start.some(text => line.startsWith(text)));
        assert.ok(row?.endsWith(`| ${value.description} |`), `${name}.${key}: ${row}, expected ${value.description}`);
      }
});

// --- Markdown

const hostile = 'a|b `x` <img src=x> @team #12 **bold** https://e.example\n| c | $y$';

await test('-o markdown: verdict, lever, numbers, evidence', () => {
  const { status, out } = roofline(['analyze', 'ops.json', ...on, '-o', 'markdown']);
  assert.equal(status, 0);
  assert.match(
    out,
    /^\*\*Compute limits .* of the 430 µs. Tuning all 2 ops could save up to [\d.]+ µs, most of it in [^ ]+\.\*\*$/m,
  );
  assert.match(out, /^first: Compute-bound, at .* of its peak\. .*: up to 2\.88x faster\./m);
  assert.match(out, /^ops\.json on NVIDIA H100.*: 2 operations, 430 µs measured, .* at the bound, efficiency \d+%\.$/m);
  const table = out.split('\n').filter(line => line.startsWith('|'));
  assert.equal(table[0], '| operation | type | bound by | time | bound | efficiency | above bound |');
  assert.match(table[2], /^\| first \| gemm \| compute \| 400 µs \|/);
  assert.match(out, /^.* is the time above the bound of the ops that are not near the roof; of all ops it is .*\.$/m);
  assert.ok(out.length < 2000);
});

await test('-o markdown: what a file says stays text', () => {
  put('hostile.json', JSON.stringify([{ ...gemm(hostile, 64, 1e6), type: 'gemm' }, gemm('x'.repeat(200), 64, 1e6)]));
  for (const args of [
    ['analyze', 'hostile.json', ...on],
    ['compare', 'hostile.json', 'ops.json', ...on],
  ]) {
    const { out } = roofline([...args, '-o', 'markdown']);
    for (const word of ['<img', '@team', '#12', '**bold**', 'https://', '`x`', '$y$', 'a|b'])
      assert.ok(!out.includes(word), `${word} in\n${out}`);
    const columns = out
      .split('\n')
      .filter(line => line.startsWith('|'))
      .map(line => line.replaceAll('\\|', '').split('|').length);
    assert.equal(new Set(columns).size, 1, out);
  }
});

await test('-o markdown: compare lists what changed, op its formats, llm its answer', () => {
  const compare = roofline(['compare', 'ops.json', 'slower.json', ...on, '-o', 'markdown']).out;
  assert.match(compare, /^\*\*400 µs lost \(93%\)/);
  assert.match(compare, /^\| first \| gemm \| slower \| 400 µs \| 800 µs \| 2 \|/m);
  assert.doesNotMatch(compare, /^\| second/m); // unchanged
  const op = roofline(['op', 'gemm', 'm=1', 'n=4096', 'k=4096', '--formats', 'fp16,int8', ...on, '-o', 'markdown']).out;
  assert.match(
    op,
    /^\*\*INT8 .* the fastest: about [\d.]+x FP16, at [\d.]+ dB\. Limited by \w+\. By the bounds alone: 2x\./,
  );
  assert.match(op, /^\| int8 \| HBM/m);
  const llm = roofline(['llm', 'llama-3-8b', ...on, '--phase', 'decode', '--context', '1024', '-o', 'markdown']).out;
  assert.match(llm, /^\| time per token \| .* ms \| .* ms \|$/m);
  assert.match(llm, /^What would help: .*INT4 weights/m);
  const untimed = roofline(['analyze', 'untimed.json', '-o', 'markdown']).out;
  assert.match(untimed, /which is assumed: 1 operation/);
  assert.match(untimed, /^\| operation \| type \| bound by \| bound \|$/m);
});

// --- schemas

await test('schema: listed, by name, by id, near matches', () => {
  const { out } = roofline(['schema']);
  const named = out.trim().split('\n');
  assert.deepEqual(
    named.map(line => line.split(/\s+/)[0]),
    [
      ...[
        'analysis',
        'operation',
        'compare',
        'fusion',
        'summary',
        'operations',
        'sweep',
        'machines',
        'network-sweep',
        'llm-sweep',
        'serving',
        'frontier',
        'quantize',
        'format-plan',
        'accuracy',
        'tensors',
      ],
      ...['machines', 'models', 'formats', 'operators', 'stacks'].map(kind => `list-${kind}`),
      ...['machine', 'model', 'format', 'operator', 'stack'].map(kind => `show-${kind}`),
    ],
  );
  assert.deepEqual(schema(binary, 'analysis'), schema(binary, 'roofline-analysis/1'));
  refused(2, ['schema', 'analisis'], /unknown schema "analisis": did you mean analysis/);
});

await test('schema: documents are what theirs say, and what they do not say is told', () => {
  const document = JSON.parse(roofline(['analyze', 'ops.json', ...on, '-o', 'json']).out);
  validate(binary, document);
  assert.throws(() => validate(binary, { ...document, more: 1 }), /additional/);
  assert.throws(() => validate(binary, { ...document, source: 7 }), /must be string/);
  const { summary, ...without } = document;
  assert.throws(() => validate(binary, without), /summary/);
  document.ops[0].efficiency = 'high';
  assert.throws(() => validate(binary, document), /\/ops\/0\/efficiency/);
});

/// "summary.efficiency: number null", one per member of a schema.
function members(of) {
  const out = [];
  const type = s =>
    s.$ref ??
    s.const ??
    (s.enum ? s.enum.join(' ') : s.anyOf ? s.anyOf.map(type).join(' ') : [s.type].flat().join(' '));
  const walk = (s, path) => {
    for (const [key, value] of Object.entries(s.properties ?? {})) {
      out.push(`${path}${key}: ${type(value)}${s.required?.includes(key) ? '' : ' (optional)'}`);
      walk(value, `${path}${key}.`);
    }
    if (s.items) walk(s.items, path);
    for (const [key, value] of Object.entries(s.$defs ?? {})) walk(value, `${key}.`);
    for (const one of s.anyOf ?? []) walk(one, path);
  };
  walk(of, '');
  return out;
}

await test('schema: what list and show print', () => {
  const printed = (...args) => JSON.parse(roofline([...args, '-o', 'json']).out);
  for (const kind of ['machines', 'models', 'formats', 'operators', 'stacks']) {
    const list = printed('list', kind);
    assert.ok(list.length > 3, kind);
    validate(binary, list, `list-${kind}`);
    const one = kind.slice(0, -1);
    const slow = kind === 'formats' || binary.includes('sanitize'); // each format measures its accuracies
    const shown = slow ? list.filter((_, i) => i % 5 === 0) : list;
    for (const { id } of shown) validate(binary, printed('show', one, id), `show-${one}`);
  }
});

await test('schema: within a version members are only added', () => {
  const published = JSON.parse(readFileSync(join(repository, 'tests/cli/schemas.json'), 'utf8'));
  for (const [name, expected] of Object.entries(published)) {
    const now = new Set(members(schema(binary, name)));
    for (const member of expected)
      assert.ok(
        now.has(member) || now.has(member.replace(/ \(optional\)$/, '')), // one that is always there now breaks no reader
        `${name} has lost ${member}: a new version, or a mistake`,
      );
  }
  const names = roofline(['schema'])
    .out.trim()
    .split('\n')
    .map(line => line.split(/\s+/)[0]);
  if (process.env.WRITE_SCHEMAS) {
    const all = Object.fromEntries(names.map(name => [name, members(schema(binary, name))]));
    writeFileSync(join(repository, 'tests/cli/schemas.json'), `${JSON.stringify(all, null, 1)}\n`);
  } else {
    assert.deepEqual(Object.keys(published).sort(), names.sort()); // a new one is held to its members from now on
  }
});

// --- operations as they come

const lines = (n, first = 0) =>
  Array.from({ length: n }, (_, i) =>
    JSON.stringify(gemm((first + i) % 3 === 0 ? undefined : `op ${first + i}`, 1 + ((first + i) % 50), 40_000 + i)),
  );

await test('analyze --stream: line by line what the whole file gives', () => {
  const input = `${lines(20_000).join('\n')}\n`;
  const { status, out, err } = roofline(['analyze', '--stream', '-', ...on], { input });
  assert.equal(status, 0, err);
  const streamed = out.trimEnd().split('\n');
  const whole = JSON.parse(roofline(['analyze', '-', ...on, '-o', 'json'], { input }).out).ops;
  assert.equal(streamed.length, whole.length);
  for (const i of [0, 1, 4999, 12_345, 19_999]) assert.deepEqual(JSON.parse(streamed[i]), whole[i]);
  validate(binary, JSON.parse(streamed[7]), 'operation');
});

await test('analyze --stream: a line is answered as soon as it has come', async () => {
  const child = spawn(binary, ['analyze', '--stream', '-', ...on], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answer = () => new Promise(done => child.stdout.once('data', data => done(JSON.parse(data))));
  const [first, second] = lines(2);
  let next = answer();
  child.stdin.write(`${first}\n`);
  assert.deepEqual(await next.then(op => [op.index, op.name]), [0, '#0']);
  next = answer();
  child.stdin.end(second); // the last line needs no end
  assert.deepEqual(await next.then(op => [op.index, op.name]), [1, 'op 1']);
  assert.equal(await new Promise(done => child.on('close', done)), 0);
});

await test('analyze --stream: faults where they are, and only they', () => {
  const input = `${lines(3).join('\n')}\n\n{"type": "gemm", \n${lines(1)}\nnonsense\n${'{"type": "unheard of"}\n'.repeat(30)}`;
  const { status, out, err } = roofline(['analyze', '--stream', '-', ...on], { input });
  assert.equal(status, 0);
  assert.match(err, /^standard input:6:1: error: op 3: /m);
  assert.match(err, /^standard input:7:2: error: op 5: /m);
  assert.match(err, /^and \d+ more$/m);
  const statuses = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).status);
  assert.deepEqual(
    statuses.slice(3, 6).map(s => s === 'unknown'),
    [true, false, true],
  );
  assert.equal(statuses.length, 36);
  const nothing = roofline(['analyze', '--stream', '-'], { input: 'not\noperations\n' });
  assert.equal(nothing.status, 1);
  assert.match(nothing.err, /no line holds an operation/);
});

await test('analyze --stream: constant memory', { skip: !existsSync('/proc/self/status') && 'no /proc' }, async () => {
  const child = spawn(binary, ['analyze', '--stream', '-', ...on], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ASAN_OPTIONS: 'quarantine_size_mb=1' }, // a sanitized build keeps what was freed
  });
  let answered = 0;
  child.stdout.on('data', data => {
    for (const byte of data) answered += byte === 10 ? 1 : 0;
  });
  const after = async total => {
    for (let sent = answered; sent < total; sent += 10_000)
      if (!child.stdin.write(`${lines(10_000, sent).join('\n')}\n`)) await once(child.stdin, 'drain');
    while (answered < total) await once(child.stdout, 'data');
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]);
  };
  const some = await after(30_000); // 3 MB
  const many = await after(150_000);
  child.stdin.end();
  assert.equal((await once(child, 'close'))[0], 0);
  assert.ok(many - some < 3000, `${some} kB after 30,000 operations, ${many} kB after 150,000`);
});

await test('analyze --stream: what needs all operations at hand is refused', () => {
  for (const more of [
    ['--top', '3'],
    ['--fail-if', 'ops > 1'],
    ['--fit', 'm.json'],
    ['-o', 'svg'],
    ['--name', 'x'],
    ['--model', 'llama-3-8b'],
  ])
    refused(2, ['analyze', '--stream', '-', ...more], /--stream: expected no|--model/, { input: '' });
});
