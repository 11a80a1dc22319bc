// Files of AMD's profilers: real ones where ../shared has them, by their content alone, against figures worked out here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { put, refused, roofline } from '../command.mjs';
import { samples, skip } from '../../samples.mjs';

function document(args, input) {
  const { status, out, err } = roofline(['analyze', ...args, '-o', 'json'], { input });
  assert.equal(status, 0, err);
  return JSON.parse(out);
}
const close = (ours, theirs, what) => assert.ok(Math.abs(ours / theirs - 1) < 1e-9, `${what}: ${ours} for ${theirs}`);

function table(text) {
  const cells = line =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell.replaceAll('"', ''));
  const [header, ...lines] = text.trim().split(/\r?\n/).map(cells);
  return lines.map(line => Object.fromEntries(header.map((name, i) => [name, line[i]]).reverse())); // of equal names the first
}

const folder = join(samples, 'rocprof_compute');
for (const [file, first_ns] of [
  ['MI200_pmc_perf.csv', 20640],
  ['dispatch_0-MI100-pmc_perf.csv', 24320],
  ['dispatch_0-MI300X_A1-pmc_perf.csv', 16160],
]) {
  await test(`rocprof-compute: ${file}`, { skip }, () => {
    const text = readFileSync(join(folder, file), 'utf8');
    const rows = table(text);
    const { ops } = document(['-', '--machine', 'mi250x'], text);
    assert.equal(ops.length, rows.length);
    close(ops[0].time_s, first_ns * 1e-9, 'the first dispatch');
    for (const [i, row] of rows.entries()) {
      const count = name => Number(row[`${name}_sum`]);
      const ea = 'TCC_EA0_RDREQ_sum' in row ? 'TCC_EA0' : 'TCC_EA';
      const large = ea === 'TCC_EA0' ? count('TCC_BUBBLE') : 0;
      const small = count(`${ea}_RDREQ_32B`);
      const read = 128 * large + 32 * small + 64 * (count(`${ea}_RDREQ`) - large - small);
      const written = 32 * count(`${ea}_WRREQ`) + 32 * count(`${ea}_WRREQ_64B`);
      assert.equal(ops[i].hw_bytes, read + written);
      assert.equal(
        ops[i].bytes_by_memory.L2,
        64 * ['READ', 'WRITE'].reduce((sum, way) => sum + count(`TCP_TCC_${way}_REQ`), 0),
      );
      // A copy of doubles computes nothing; an MI100 does not count that.
      assert.equal(ops[i].flops, file.includes('MI100') ? null : 0);
    }
  });
}

await test(
  'rocprof-compute: the measured ceilings are the machine, alone or beside the kernels, in either order',
  { skip },
  () => {
    const [kernels, ceilings] = ['MI200_pmc_perf.csv', 'MI200_roofline.csv'].map(file => join(folder, file));
    for (const args of [
      [kernels, '--machine', ceilings],
      [kernels, ceilings],
      [ceilings, kernels],
    ]) {
      const { machine, ops } = document(args);
      assert.equal(machine.name, 'GPU 0, measured by rocprof-compute');
      assert.deepEqual(
        machine.memories.map(({ name }) => name),
        ['HBM', 'L2', 'L1', 'LDS'],
      );
      close(machine.memories[0].bandwidth, 1388.7948e9, 'HBM');
      close(machine.memories[3].bandwidth, 17715.307e9, 'LDS');
      close(machine.peaks.matrix.fp16, 164932.06e9, 'FP16 products');
      close(machine.peaks.vector.fp32, 20942.453e9, 'FP32');
      close(machine.peaks.matrix.int8, 166413.58e9, 'INT8');
      close(ops[0].min_time_s.HBM, ops[0].hw_bytes / 1388.7948e9, 'the bound');
      close(ops[0].min_time_s.L2, ops[0].bytes_by_memory.L2 / 5016.1738e9, 'the bound of L2');
    }
    // A machine that is named goes before.
    assert.equal(document([kernels, ceilings, '--machine', 'mi300x']).machine.id, 'mi300x');
  },
);

await test('rocprofv3: dispatches of a trace by kernel and grid', { skip }, () => {
  const text = readFileSync(join(samples, 'rocprofv3/rocprofiler-sdk-docs-kernel_trace.csv'), 'utf8');
  const rows = table(text);
  const { ops, summary } = document(['-', '--machine', 'mi300x'], text);
  assert.equal(rows.length, 7);
  assert.equal(Number(rows[0].End_Timestamp.slice(-9)) - Number(rows[0].Start_Timestamp.slice(-9)), 48744);
  assert.deepEqual(
    ops.map(({ count, status }) => [count, status]),
    [
      [4, 'time-only'],
      [2, 'time-only'],
      [1, 'time-only'],
    ],
  );
  const sum = rows.reduce((ns, row) => ns + Number(BigInt(row.End_Timestamp) - BigInt(row.Start_Timestamp)), 0);
  assert.ok(Math.abs(summary.time_s * 1e9 - sum) < 8); // stamps of 2^53 ns are kept to 1 ns each
});

await test('rocprofv3: a counter collection says what it is', { skip }, () => {
  const text = readFileSync(join(samples, 'rocprofv3/rocprofiler-sdk-docs-counter_collection.csv'), 'utf8');
  const { ops, diagnostics } = document(['-', '--machine', 'mi300x'], text);
  assert.deepEqual(
    ops.map(({ count, measures }) => [count, measures.SQ_WAVES]),
    [
      [4, 4 * 16384],
      [2, 2 * 16384],
      [1, 16384],
    ],
  );
  assert.match(
    diagnostics.map(({ message }) => message).join('\n'),
    /no counters of FLOPs .* or of bytes .*: time only/,
  );
});

await test('rocprof-compute: a file of ceilings that is broken says where', () => {
  put('ceilings.csv', 'device,HBMBw,L2Bw,FP32Flops\n0,fast,2,3\n');
  put('kernels.csv', 'name,time_us,flops\na,1,5\n');
  refused(1, ['analyze', 'kernels.csv', 'ceilings.csv'], /HBMBw is "fast": expected a number of GB\/s/);
});
