// Real exports of other tools, where they lie beside the repository (or in ROOFLINE_SAMPLES); without them there is nothing to test.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository, roofline } from '../command.mjs';
import { samples } from '../../samples.mjs';

const folders = [
  'xprof_roofline',
  'iree_kernel_benchmark',
  'cutlass_profiler',
  'tracelens_perf_report',
  'kernel_tables',
  'ascend',
];

const cell = value => (typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value));
const close = (ours, theirs) => Math.abs((ours ?? 0) - theirs) <= 1e-6 * Math.abs(theirs);
const GIBI = 1024 ** 3;

/// The document of what a stream says, which has no name.
function document(input, ...args) {
  const { status, out, err } = roofline(['analyze', '-', ...args, '-o', 'json'], { input });
  assert.equal(status, 0, err);
  return JSON.parse(out);
}

for (const folder of folders) {
  if (!samples || !existsSync(join(samples, folder))) continue;
  for (const file of readdirSync(join(samples, folder)).filter(name => name !== 'SOURCES.tsv')) {
    await test(`samples: ${folder}/${file} opens by its content, without its name`, () => {
      const { ops, summary, diagnostics } = document(readFileSync(join(samples, folder, file)));
      assert.ok(ops.length > 0);
      assert.deepEqual(
        diagnostics.filter(({ severity }) => severity === 'error'),
        [],
      );
      assert.ok(
        ops.filter(({ efficiency, status }) => efficiency > 0 || status === 'time-only').length >= ops.length / 3,
        `${ops.length} operations`,
      );
      assert.ok(summary.time_s > 0);
    });
  }
}

const profile = samples && join(samples, 'xprof_roofline/tpu_v5_training_90_rows.json');
if (profile && existsSync(profile)) {
  const text = readFileSync(profile, 'utf8');
  const parsed = JSON.parse(text);
  const table = Array.isArray(parsed) ? parsed[0] : parsed;
  const ids = table.cols.map(({ id }) => id);
  const rows = table.rows.map(({ c }) => Object.fromEntries(c.map((value, i) => [ids[i], value?.v])));
  const csv = [table.cols.map(({ label }) => cell(label)), ...table.rows.map(({ c }) => c.map(value => cell(value?.v)))]
    .map(row => row.join(','))
    .join('\r\n');
  for (const [form, input] of [
    ['JSON', text],
    ['CSV', csv],
  ]) {
    await test(`samples: ${rows.length} rows of a TPU's training as its own columns say, from ${form}`, () => {
      let checked = 0;
      for (const infeed of [true, false]) {
        const { ops } = document(input, infeed ? '--include-infeed' : '--exclude-infeed');
        for (const row of rows.filter(({ include_infeed_outfeed }) => include_infeed_outfeed === infeed)) {
          const op = ops.find(
            ({ name, step, labels }) =>
              name === row.operation && step === row.step && labels['Program ID'] === String(row.hlo_module_id),
          );
          assert.ok(op, row.operation);
          assert.equal({ compute: 'Compute' }[op.bound_by] ?? op.bound_by ?? 'Unknown', row.bound_by, row.operation);
          const figures = [
            [op.efficiency, row.roofline_efficiency],
            [op.attainable_flops / 1e9, row.optimal_flop_rate],
            [op.intensity, row.hbm_operational_intensity],
            [op.intensity_by_memory['All memories'], row.operational_intensity],
            [op.achieved_flops / 1e9, row.measured_flop_rate],
            [op.achieved_bandwidth / GIBI, row.hbm_bw],
            [op.utilization.compute, row.compute_efficiency],
            [op.time_s * 1e6, row.total_time],
            [op.bound_by === null ? 0 : Math.max(op.utilization.HBM), row.max_mem_bw_utilization],
          ];
          for (const [i, [ours, theirs]] of figures.entries())
            if (row.bound_by !== 'Unknown' || i > 6)
              assert.ok(close(ours, theirs), `${row.operation}, figure ${i}: ${ours} for ${theirs}`);
          ++checked;
        }
      }
      assert.equal(checked, rows.length);
    });
  }
}
