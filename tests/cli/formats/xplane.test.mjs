// roofline analyze on .xplane.pb: a fixture everywhere, the real profile of a TPU where it lies beside the repository.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { put, refused, repository, roofline } from '../command.mjs';
import { samples } from '../../samples.mjs';
import { operations } from './profiles.mjs';
import { all, one } from './wire.mjs';

function document(input, ...args) {
  const { status, out, err } = roofline(['analyze', '-', ...args, '-o', 'json'], { input });
  assert.equal(status, 0, err);
  return JSON.parse(out);
}
const close = (ours, theirs) => Math.abs(ours - theirs) <= 1e-9 * Math.abs(theirs);

await test('xplane: the file in tests/data is the one made here', () => {
  assert.deepEqual(readFileSync(join(repository, 'tests/data/operations.xplane.pb')), operations);
});

for (const [form, input] of [
  ['plain', operations],
  ['gzip', gzipSync(operations)],
])
  await test(`xplane: from a pipe, ${form}`, () => {
    const { machine, ops, steps } = document(input);
    assert.equal(machine.id, 'tpu-v5-lite');
    assert.deepEqual(
      steps.map(({ name }) => name),
      ['0', '1'],
    );
    const fusion = ops.find(({ name, step }) => name === 'fusion.2' && step === '0');
    assert.equal(fusion.bound_by, 'compute');
    assert.ok(close(fusion.min_time_s.compute, 4e9 / 197e12));
    assert.ok(close(fusion.min_time_s['VMEM Read'], 4.8e6 / 1e13));
    assert.ok(close(fusion.intensity, 4e9 / 6e6));
  });

await test('xplane: what is wrong with a file', () => {
  put('cut.xplane.pb', operations.subarray(0, 200));
  refused(
    1,
    ['analyze', 'cut.xplane.pb'],
    /byte \d+: the file ends in the middle of a plane: expected a whole \.xplane\.pb of a TPU/,
  );
});

const path = samples && join(samples, 'xplane/xprof-tpu_inference_2.xplane.pb');
if (path && existsSync(path)) {
  const file = readFileSync(path);
  /// Per program and operation, over all cores: what the file itself has, decoded here.
  const expected = new Map();
  const executions = [];
  for (const plane of all(file, 1)) {
    if (!/^\/device:TPU:\d+$/.test(String(one(plane, 2)))) continue;
    const entries = number =>
      new Map(all(plane, number).map(entry => [one(entry, 1) ?? 0n, one(entry, 2) ?? Buffer.alloc(0)]));
    const names = new Map([...entries(5)].map(([id, body]) => [id, String(one(body, 2))]));
    const stats = list =>
      Object.fromEntries(list.map(body => [names.get(one(body, 1)), one(body, 3) ?? one(body, 4) ?? one(body, 6)]));
    const kinds = new Map(
      [...entries(4)].map(([id, body]) => [id, { name: String(one(body, 4)), ...stats(all(body, 5)) }]),
    );
    const line = all(plane, 3).find(body => String(one(body, 2)) === 'XLA Ops');
    executions.push(all(line, 4).length);
    for (const event of all(line, 4)) {
      const kind = kinds.get(one(event, 1));
      const key = `${kind.program_id} ${kind.name}`;
      const sum = expected.get(key) ?? { count: 0, ps: 0, flops: 0, bytes: 0, hbm: 0 };
      sum.count += 1;
      sum.ps += Number(stats(all(event, 4)).device_duration_ps);
      sum.flops += Number(kind.flops);
      sum.bytes += Number(kind.bytes_accessed);
      for (const access of all(kind.memory_access_breakdown, 1))
        if (one(access, 2) === 1n) sum.hbm += Number(one(access, 3));
      expected.set(key, sum);
    }
  }

  await test('xplane: a TPU v6e, its 1,504 operations and those of the other cores', () => {
    const { machine, ops, summary, diagnostics } = document(file);
    assert.deepEqual(executions, [1504, 1503, 1503, 1503]);
    assert.match(
      diagnostics.map(({ message }) => message).join('\n'),
      /sums over 4 cores: 6013 executions, 1504 of them on the first/,
    );
    assert.equal(ops.length, expected.size);
    for (const op of ops) {
      const sum = expected.get(`${op.labels['Program ID']} ${op.name}`);
      assert.equal(op.count, sum.count);
      assert.ok(close(op.time_s, sum.ps * 1e-12), op.name);
      assert.equal(op.flops, sum.flops);
      assert.equal(op.bytes_by_memory['All memories'], sum.bytes);
      assert.equal(op.bytes, sum.hbm || null);
    }
    assert.ok(
      close(
        summary.time_s,
        [...expected.values()].reduce((all, { ps }) => all + ps * 1e-12, 0),
      ),
    );
    assert.equal(machine.id, 'tpu-v6-lite');
    assert.equal(machine.peaks.matrix.bf16, 918e12);
    assert.ok(close(machine.memories[0].bandwidth, 1637.993152512e9));
    // As XProf has it: GiB/s, and the ridge point of the two.
    assert.equal((machine.memories[0].bandwidth / 2 ** 30).toFixed(1), '1525.5');
  });
}
