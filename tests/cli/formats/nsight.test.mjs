// roofline analyze on profiles of NVIDIA's tools: fixtures everywhere, real files where they lie beside the repository.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { put, refused, repository, roofline } from '../command.mjs';
import { samples } from '../../samples.mjs';
import { kernels, launch, report, strings } from './profiles.mjs';
import { all, one } from './wire.mjs';

const sample = path => samples && existsSync(join(samples, path)) && readFileSync(join(samples, path));

/// The document of what a stream says, which has no name.
function document(input, ...args) {
  const { status, out, err } = roofline(['analyze', '-', ...args, '-o', 'json'], { input });
  assert.equal(status, 0, err);
  return JSON.parse(out);
}
const close = (ours, theirs) => Math.abs(ours - theirs) <= 1e-9 * Math.abs(theirs);
const remarks = ({ diagnostics }) => diagnostics.map(({ message }) => message).join('\n');

await test('nsight: the report in tests/data is the one made here', () => {
  assert.deepEqual(readFileSync(join(repository, 'tests/data/kernels.ncu-rep')), kernels);
});

for (const [form, input] of [
  ['plain', kernels],
  ['gzip', gzipSync(kernels)],
]) {
  await test(`nsight: a report from a pipe, ${form}, with a roof for each level of memory`, () => {
    const { machine, ops } = document(input);
    assert.equal(machine.id, 'a100-80gb-sxm');
    assert.deepEqual(
      machine.memories.map(({ name, bandwidth }) => [name, bandwidth]),
      [
        ['HBM', 2.039e12],
        ['L2', 5.12e12],
        ['L1', 1.728e13],
      ],
    );
    const [add, gemm] = ops;
    assert.deepEqual(add.bytes_by_memory, { HBM: 1e8, L2: 1.5e8, L1: 4e8 });
    assert.ok(close(add.intensity_by_memory.L1, 603e6 / 4e8));
    assert.equal(add.measures['FP32 FLOPs'], 603e6);
    assert.equal(add.labels.Grid, '(1024, 1, 1)');
    assert.equal(gemm.flops, 2e9);
    assert.equal(gemm.formats.compute, 'bf16');
    assert.equal(gemm.bytes_by_memory.L2, null);
  });
}

await test('nsight: a report under any name, and what is wrong with one', () => {
  put('notes.txt', kernels);
  assert.equal(roofline(['analyze', 'notes.txt', '-o', 'json']).status, 0);
  const only = report([{ strings, results: [launch(strings, 'k(int)', [1, 1, 1], [1, 1, 1], [])] }]);
  put('nothing.ncu-rep', only);
  refused(1, ['analyze', 'nothing.ncu-rep'], /nothing\.ncu-rep: none of Nsight Compute's metrics here places a kernel/);
  put('cut.ncu-rep', kernels.subarray(0, 300));
  refused(1, ['analyze', 'cut.ncu-rep'], /byte \d+: the report ends in the middle of a part: expected the whole file/);
  put('empty.ncu-rep', '');
  refused(1, ['analyze', 'empty.ncu-rep'], /the file is empty/);
  put(
    'denied.csv',
    '==PROF== Connected to process 5 (app)\n==ERROR== ERR_NVGPUCTRPERM - no permission\n==PROF== Disconnected\n',
  );
  refused(1, ['analyze', 'denied.csv'], /Nsight Compute measured nothing: ERR_NVGPUCTRPERM - no permission/);
});

const flops = sample('ncu_details_long/gene_v100_time_flops_1.csv');
const bytes = sample('ncu_details_long/gene_v100_time_dram_1.csv');
if (flops && bytes) {
  /// Metric by kernel, from the lines themselves.
  const metrics = text =>
    text
      .toString()
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map(line => [...line.matchAll(/"([^"]*)"/g)].map(([, cell]) => cell))
      .map(cells => ({ id: Number(cells[0]), name: cells.at(-3), value: Number(cells.at(-1).replaceAll(',', '')) }));
  const value = (list, id, name) => list.find(m => m.id === id && m.name === name).value;

  await test('nsight: two passes over one program, one after the other in a stream, are one profile', () => {
    const { ops, summary, ...rest } = document(Buffer.concat([flops, bytes]), '--machine', 'v100-sxm2');
    const [a, b] = [metrics(flops), metrics(bytes)];
    assert.equal(ops.length, 8);
    assert.equal(ops[0].flops, 330_301_440);
    assert.equal(ops[0].bytes, 690_960_320);
    assert.equal(ops[0].time_s.toFixed(9), '0.000923520');
    assert.equal(ops[0].intensity.toFixed(6), '0.478032');
    assert.equal((ops[0].achieved_flops / 1e9).toFixed(3), '357.655');
    for (const [id, op] of ops.entries()) {
      const count = kind => value(a, id, `sm__sass_thread_inst_executed_op_d${kind}_pred_on.sum`);
      assert.equal(op.flops, count('add') + count('mul') + 2 * count('fma'));
      assert.equal(op.bytes, value(b, id, 'dram__bytes.sum'));
      assert.ok(
        close(op.time_s, value(b, id, 'sm__cycles_elapsed.avg') / value(b, id, 'sm__cycles_elapsed.avg.per_second')),
      );
    }
    assert.ok(
      close(
        summary.bytes,
        ops.reduce((sum, op) => sum + op.bytes, 0),
      ),
    );
    assert.match(remarks(rest), /two runs of the same 8 kernels count different things/);
  });

  await test('nsight: a pass that counted instructions alone says that its times are inflated', () => {
    assert.match(remarks(document(flops)), /the time of 8 of 8 launches is of a pass that counted instructions/);
    assert.doesNotMatch(remarks(document(bytes)), /counted instructions/);
  });
}

const blackwell = sample('ncu_details_long/cublaslt_ncu.log');
if (blackwell)
  await test('nsight: a details page without work is time only, and says what is missing', () => {
    const found = document(blackwell);
    assert.equal(found.ops.length, 1);
    assert.ok(close(found.ops[0].time_s, 406_240e-9));
    assert.equal(found.ops[0].status, 'time-only');
    assert.match(remarks(found), /no metric counts FLOPs: .* state M, N and K/);
  });

const saxpy = sample('ncu_csv/GPU-Roofline-Profiler-saxpy.csv');
if (saxpy)
  await test("nsight: a byte order mark and the program's own output before the header", () => {
    const { ops } = document(saxpy);
    assert.equal(ops[0].bytes, 134_221_568 + 43_631_104);
    assert.ok(close(ops[0].time_s, 292_928e-9));
    assert.equal(ops[0].labels.Block, '(256, 1, 1)');
  });

/// Kernels, times and FLOPs as the file has them, decoded here.
function decoded(file) {
  const results = [];
  let names = [];
  const part = at => file.subarray(at + 4, at + 4 + file.readUInt32LE(at));
  let at = 4 + 4 + part(4).length;
  while (at < file.length) {
    const header = part(at);
    const count = number => Number(one(header, number) ?? 0n);
    const table = one(header, 4);
    if (table && all(table, 1).length) names = all(table, 1).map(String);
    at += 4 + header.length;
    for (let i = 0; i < count(1) + count(2); ++i) {
      const body = part(at);
      at += 4 + body.length;
      if (i >= count(1))
        results.push(
          Object.fromEntries(
            all(body, 13).map(metric => {
              const holder = one(metric, 2) ?? Buffer.alloc(0);
              const real = one(holder, 3);
              const single = one(holder, 2);
              const whole = one(holder, 4) ?? one(holder, 5);
              const value = real ? real.readDoubleLE() : single ? single.readFloatLE() : Number(whole ?? Number.NaN);
              return [names[Number(one(metric, 1) ?? 0n)], value];
            }),
          ),
        );
    }
  }
  return results;
}

const devices = {
  'cuda_learning_mojo-profile.ncu-rep': [4, 1_600, /gtx-1660-ti$/],
  'cudaCode-profile.ncu-rep': [2, 1_168_077_824, /rtx-2080-ti$/],
  'speedy_scan-profile.ncu-rep': [1, 336_704, /rtx-3070$/],
  'MiSTIC-SUSYNODE.ncu-rep': [1, 1_113_956_896, /^a100-40gb/],
  'panjd123-cutlass-report-s8.ncu-rep': [2, 8_512, /^a100-80gb/],
};
for (const [name, [count, first_ns, machine]] of Object.entries(devices)) {
  const file = sample(`ncu_rep/${name}`);
  if (!file) continue;
  await test(`nsight: ${name} from a pipe: every kernel's time, bytes and FLOPs, and the machine`, () => {
    const found = document(file);
    const theirs = decoded(file);
    assert.equal(found.ops.length, count);
    assert.ok(close(found.ops[0].time_s, first_ns * 1e-9));
    assert.match(found.machine.id, machine);
    for (const [i, op] of found.ops.entries()) {
      const metric = theirs[i];
      assert.ok(close(op.time_s, metric['gpu__time_duration.sum'] * 1e-9));
      const dram = metric['dram__bytes_read.sum'] + metric['dram__bytes_write.sum'];
      // The share of the peak, which is two transfers of the bus's width in each of the memory's cycles.
      const share =
        metric['dram__throughput.avg.pct_of_peak_sustained_elapsed'] ??
        metric['gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed'];
      const peak =
        (2 * metric.device__attribute_global_memory_bus_width * metric['dram__cycles_elapsed.avg.per_second']) / 8;
      const by_share = (share / 100) * peak * op.time_s;
      if (Number.isNaN(dram)) assert.ok(close(op.bytes, by_share), `${op.bytes}, expected ${by_share}`);
      else assert.equal(op.bytes, dram);
      if (dram > 1e6) assert.ok(Math.abs(by_share / dram - 1) < 0.02, `${by_share} by the share, ${dram} counted`);
      const rate = kind => metric[`smsp__sass_thread_inst_executed_op_${kind}_pred_on.sum.per_cycle_elapsed`];
      if (rate('dadd') === undefined) continue;
      const clock = metric['sm__cycles_elapsed.avg.per_second'] ?? metric['smsp__cycles_elapsed.avg.per_second'];
      const fma = metric.derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2;
      const fp64 = (rate('dadd') + rate('dmul') + fma) * clock * op.time_s;
      assert.ok(Math.abs(op.measures['FP64 FLOPs'] - fp64) <= 1e-9 * fp64, `${op.measures['FP64 FLOPs']} for ${fp64}`);
    }
  });
}

if (samples)
  for (const folder of ['ncu_csv', 'ncu_details_long'].filter(name => existsSync(join(samples, name))))
    for (const name of readdirSync(join(samples, folder)).filter(file => file !== 'SOURCES.tsv'))
      await test(`nsight: ${folder}/${name} opens by its content`, () => {
        const found = document(readFileSync(join(samples, folder, name)));
        assert.ok(found.ops.length > 0 && found.ops.every(({ time_s }) => time_s > 0));
        assert.deepEqual(
          found.diagnostics.filter(({ severity }) => severity === 'error'),
          [],
        );
      });

await test('nsight: nsys stats, after what it says first', () => {
  const text = `Generating SQLite file profile.sqlite from profile.nsys-rep
Processing [profile.sqlite] with [/opt/nsight-systems/reports/cuda_gpu_kern_sum.py]...

Time (%),Total Time (us),Instances,Avg (us),Med (us),Min (us),Max (us),StdDev (us),Name
 62.5,2500.0,10,250.0,249.0,240.0,270.0,8.1,"void gemm<float, 128>(int, float *)"
 37.5,1500.0,5,300.0,300.0,290.0,310.0,7.0,softmax(float *)
`;
  const { ops, summary } = document(text);
  assert.deepEqual(
    ops.map(({ name, count, status }) => [name, count, status]),
    [
      ['gemm', 10, 'time-only'],
      ['softmax', 5, 'time-only'],
    ],
  );
  assert.ok(close(summary.time_s, 4000e-6));
  assert.ok(close(ops[0].measures.Longest, 270e-6));
});
