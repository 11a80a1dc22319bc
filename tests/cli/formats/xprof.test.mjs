// roofline analyze on a profile: levels, steps, infeed, filters, and the round trip through CSV.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { repository, roofline } from '../command.mjs';

const text = readFileSync(join(repository, 'presets/samples/training-profile-synthetic.json'), 'utf8');
const [table] = JSON.parse(text);
const ids = table.cols.map(({ id }) => id);
const rows = table.rows.map(({ c }) => Object.fromEntries(c.map(({ v }, i) => [ids[i], v])));

const run = (input, ...args) => roofline(['analyze', '-', ...args], { input });
function document(input, ...args) {
  const { status, out, err } = run(input, ...args, '-o', 'json');
  assert.equal(status, 0, err);
  return JSON.parse(out);
}

const close = (ours, theirs) => Math.abs((ours ?? 0) - theirs) <= 1e-6 * Math.abs(theirs);
const cell = value => (typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value));
const csv = [table.cols.map(({ label }) => cell(label)), ...table.rows.map(({ c }) => c.map(({ v }) => cell(v)))]
  .map(row => row.join(','))
  .join('\r\n');

for (const [form, input] of [
  ['JSON', text],
  ['gzip', gzipSync(text)],
  ['CSV', csv],
]) {
  await test(`xprof: every row as its own columns say, from ${form}`, () => {
    for (const infeed of [true, false]) {
      const { ops } = document(input, infeed ? '--include-infeed' : '--exclude-infeed');
      const expected = rows.filter(row => row.include_infeed_outfeed === infeed);
      assert.equal(ops.length, expected.length);
      for (const row of expected) {
        const op = ops.find(
          ({ name, step, labels }) =>
            name === row.operation && step === row.step && labels['Program ID'] === row.hlo_module_id,
        );
        assert.ok(op, row.operation);
        assert.equal({ compute: 'Compute' }[op.bound_by] ?? op.bound_by ?? 'Unknown', row.bound_by, row.operation);
        assert.ok(
          close(op.efficiency, row.roofline_efficiency),
          `${row.operation}: ${op.efficiency} for ${row.roofline_efficiency}`,
        );
        assert.ok(close(op.attainable_flops / 1e9, row.optimal_flop_rate), row.operation);
        assert.ok(close(op.intensity, row.hbm_operational_intensity), row.operation);
        assert.ok(close(op.intensity_by_memory['All memories'], row.operational_intensity), row.operation);
        assert.ok(close(op.intensity_by_memory['VMEM Read'], row.vmem_read_operational_intensity), row.operation);
        assert.ok(close(op.measures['Model FLOP Rate'] / 1e9, row.model_flop_rate), row.operation);
        assert.ok(!/[<>]/.test(op.labels.Source), op.labels.Source);
      }
    }
  });
}

await test('xprof: the totals are of the operations, by self time', () => {
  const { summary, steps, machine } = document(text);
  assert.equal(summary.ops, rows.filter(row => row.include_infeed_outfeed && row.category !== 'Program').length);
  assert.ok(close(summary.time_s * 1e6, rows[0].total_time));
  assert.deepEqual(
    steps.map(({ name }) => name),
    ['Total', 'Average', '0', '1', '2'],
  );
  assert.ok(close(steps[2].time_s * 1e6, rows.find(({ step }) => step === '0').total_time));
  assert.deepEqual(
    machine.memories.map(({ name }) => name),
    ['HBM', 'VMEM'],
  );
});

await test('xprof: --step --category --bound-by --name --top', () => {
  const names = (...args) => document(text, ...args).ops.map(({ name }) => name);
  assert.deepEqual(
    document(text, '--step', '1,Average').ops.map(({ step }) => step),
    ['Average', '1'],
  );
  assert.deepEqual(names('--category', 'all-reduce').sort(), ['all-reduce.0', 'all-reduce.1', 'all-reduce.2']);
  assert.ok(document(text, '--bound-by', 'vmem write').ops.every(({ bound_by }) => bound_by === 'VMEM Write'));
  assert.equal(names('--bound-by', 'VMEM Write').length, 12);
  assert.equal(names('--name', 'softmax', '--top', '3').length, 3);
  assert.equal(document(text, '--name', 'softmax').summary.ops, 12);
  assert.equal(names('--top', '5').includes('Program'), false);
  assert.equal(
    document(text, '--exclude-infeed').ops.some(({ category }) => category === 'infeed'),
    false,
  );
  assert.match(run(text, '--memory', 'VMEM Read', '-o', 'svg').out, /VMEM Read/);
  const wrong = {
    '--step 9': /--step: no step is called "9": expected one of 0, 1, 2/,
    '--category nix': /--category: no category/,
    '--bound-by L9': /--bound-by: no resource of TPU \(synthetic\) is called "L9": expected one of compute, HBM/,
    '--memory L9': /--memory: there is no memory "L9"/,
    '--name softmaxx': /--name: no operation's name holds "softmaxx"/,
  };
  for (const [args, message] of Object.entries(wrong)) {
    const { status, out, err } = run(text, ...args.split(' '));
    assert.equal(status, 2);
    assert.equal(out, '');
    assert.match(err, message);
  }
  assert.equal(run(text, '--include-infeed', '--exclude-infeed').status, 2);
});

await test('xprof: malformed tables say what is wrong and where', () => {
  const without = JSON.stringify([{ ...table, cols: table.cols.filter(({ id }) => id !== 'operation') }]);
  const broken = {
    [without]: /\[0\]\.cols: .* lacks operation/,
    [text.slice(0, 5000)]: /line 1, column \d+/,
    [csv.replace('HBM BW (GiB/s)', 'HBM BW (miles)')]:
      /line 1, column \d+: column 16, "HBM BW \(miles\)": expected its unit to be GiB\/s/,
    [csv.replace('"Memory BW (GiB/s)"', '"HBM BW (GiB/s)"')]: /of this meaning already/,
  };
  for (const [input, message] of Object.entries(broken)) {
    const { status, out, err } = run(input, '-o', 'json');
    assert.equal(status, 1, err);
    assert.equal(out, '');
    assert.match(err, message);
  }
  const faulty = document(
    csv.replace(
      /\r\n("Total",1,[^\r]*)/,
      (_, row) =>
        `\r\n${row
          .split(',')
          .map((field, i) => (i === 15 ? 'fast' : field))
          .join(',')}`,
    ),
  );
  assert.match(faulty.diagnostics[0].message, /hbm_bw \(GiB\/s\): expected a number of at least 0, found "fast"/);
  assert.equal(faulty.diagnostics[0].line, 3);
});
