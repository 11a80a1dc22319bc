// Real traces of PyTorch's profiler: their totals against sums of their own kernels, counted here.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { repository, roofline } from './command.mjs';

const folder = join(repository, '../shared/samples/pytorch_trace');
const skip = existsSync(folder) ? false : 'no samples here';

/** File: kernels, their sum in µs, the machine that it names. */
const TRACES = {
  'tracelens_h100_bert_small.json.gz': [60, 307.2, 'h100-sxm'],
  'vit_h100.json.gz': [154, undefined, 'h100-sxm'],
  'vit_mi300x.json.gz': [155, undefined, 'mi300x'],
  'mi250_minitoy_train_ROCm6_2_kineto.json.gz': [14, 110.9, undefined],
  'sglang_qwen3-8b_decode_mi300x.json.gz': [555, 9765.4, 'mi300x'],
  'vllm_decode_full_graph_mi300x.json.gz': [425, 10674.5, 'mi300x'],
  'torch_compile_triton.json.gz': [12, undefined, 'mi300x'],
  'triton_example.json.gz': [1, 1.8, undefined],
};

for (const [file, [kernels, published, machine]] of Object.entries(TRACES)) {
  await test(`a PyTorch trace: ${file}`, { skip }, () => {
    const packed = readFileSync(join(folder, file));
    const events = JSON.parse(gunzipSync(packed)).traceEvents;
    const sum = category =>
      events.filter(({ cat }) => category.includes(cat)).reduce((total, { dur }) => total + dur, 0);
    assert.equal(events.filter(({ cat }) => cat === 'kernel').length, kernels);
    if (published !== undefined) assert.ok(Math.abs(sum(['kernel']) - published) < 0.06, `${sum(['kernel'])} µs`);

    // By its content alone: the name is gone.
    const { out, err, status } = roofline(['analyze', '-', '-o', 'json'], { input: packed });
    assert.equal(status, 0, err);
    const { ops, summary, machine: found } = JSON.parse(out);
    const all = sum(['kernel', 'gpu_memcpy', 'gpu_memset']);
    assert.ok(Math.abs(ops.reduce((total, { time_s }) => total + time_s, 0) * 1e6 - all) < 1e-6 * all);
    assert.ok(Math.abs(summary.time_s * 1e6 - all) < 1e-6 * all);
    if (machine !== undefined) assert.equal(found.id, machine);
  });
}

await test('a PyTorch trace: FLOPs and time of its products are those that another tool counts', { skip }, () => {
  const products = file =>
    JSON.parse(roofline(['analyze', join(folder, file), '--machine', 'h100-sxm', '-o', 'json']).out).ops.filter(
      ({ name }) => name.startsWith('aten::addmm'),
    );
  const total = (ops, key) => ops.reduce((sum, op) => sum + op[key], 0);
  const ours = products('vit_h100.json.gz'),
    theirs = products('../tracelens_perf_report/vit_h100_GEMM.csv');
  assert.ok(theirs.length > 0);
  assert.equal(ours.length, theirs.length);
  for (const key of ['flops', 'time_s'])
    assert.ok(
      Math.abs(total(ours, key) / total(theirs, key) - 1) < 0.001,
      `${key}: ${total(ours, key)}, ${total(theirs, key)}`,
    );
});
