// Real traces of PyTorch's profiler: their totals against sums of their own kernels, counted here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { repository, roofline } from '../command.mjs';
import { samples, skip } from '../../samples.mjs';

const folder = join(samples, 'pytorch_trace');

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

/** The kernels of a trace whose name has `pattern`: how many, and their time in µs. */
function kernels(packed, pattern) {
  const found = JSON.parse(gunzipSync(packed)).traceEvents.filter(
    ({ cat, name }) => cat === 'kernel' && pattern.test(name),
  );
  return [found.length, found.reduce((total, { dur }) => total + dur, 0)];
}

/** File, model, our bound over the kernels' time, and by row: the kernels that ran it and the efficiency as worked out by hand. */
const SERVED = [
  [
    'sglang_qwen3-8b_decode_mi300x.json.gz',
    'qwen3-8b',
    0.394,
    {
      'gate_proj + up_proj': [/MT256x32x64/, 36, 0.57],
      down_proj: [/MT32x32x256/, 36, 0.47],
      'q_proj + k_proj + v_proj': [/MT64x32x256/, 36, undefined],
      o_proj: [/MT16x32x512/, 36, undefined],
      lm_head: [/MT256x48x64/, 1, 0.59],
      attention: [/paged_attention/, 72, undefined],
      act_mul: [/act_and_mul/, 36, undefined],
      'input_norm + residual + post_norm + final_norm': [/rmsnorm.*Li256E/, 73, undefined],
    },
  ],
  [
    'vllm_decode_full_graph_mi300x.json.gz',
    'gpt-oss-20b',
    0.251,
    {
      experts: [/_matmul_ogs|_finalize_matmul/, 72, 0.27],
      lm_head: [/MT448x32x64/, 1, 0.8],
      router: [/MT16x16x256/, 24, undefined],
      'input_norm + residual + post_norm + final_norm': [/Rmsnorm/, 49, undefined],
      rope: [/rotary/, 24, undefined],
    },
  ],
];

for (const [file, model, bound, rows] of SERVED) {
  await test(`a served step beside its model: ${file} as ${model}`, { skip }, () => {
    const packed = readFileSync(join(folder, file));
    const { out, err, status } = roofline(['analyze', '-', '--model', model, '-o', 'json'], { input: packed });
    assert.equal(status, 0, err);
    const { ops, machine, steps } = JSON.parse(out);
    assert.equal(machine.id, 'mi300x');
    assert.equal(steps.length, 1);
    const total = key => ops.reduce((sum, op) => sum + (op[key] ?? 0), 0);
    const copies = JSON.parse(gunzipSync(packed))
      .traceEvents.filter(({ cat }) => cat === 'gpu_memcpy')
      .reduce((sum, { dur }) => sum + dur, 0);
    const [, busy] = kernels(packed, /./);
    assert.ok(Math.abs(total('time_s') * 1e6 - busy - copies) < 1e-6 * busy);
    assert.ok(Math.abs(total('predicted_time_s') / (busy * 1e-6) - bound) < 0.0006, `${total('predicted_time_s')} s`);
    for (const [name, [pattern, count, efficiency]] of Object.entries(rows)) {
      const op = ops.find(row => row.name === name);
      const [launches, time] = kernels(packed, pattern);
      assert.equal(launches, count, name);
      assert.equal(op.count, count, name);
      assert.ok(Math.abs(op.time_s * 1e6 - time) < 1e-6 * time, `${name}: ${op.time_s} s, ${time} µs`);
      if (efficiency !== undefined)
        assert.ok(Math.abs(op.efficiency - efficiency) < 0.0071, `${name}: ${op.efficiency}`);
    }
  });
}

await test('a served step: layers with a window, and one product for two operators', { skip }, () => {
  const file = join(folder, 'vllm_decode_full_graph_mi300x.json.gz');
  const packed = readFileSync(file);
  const { ops } = JSON.parse(roofline(['analyze', file, '--model', 'gpt-oss-20b', '-o', 'json']).out);
  const time = pattern => kernels(packed, pattern)[1];
  const found = category =>
    ops.find(op => op.name === 'attention' && op.category.includes('window') === category).time_s * 1e6;
  assert.ok(Math.abs(found(true) - time(/unified_attention_2d/)) < 0.001);
  assert.ok(Math.abs(found(false) - time(/unified_attention_3d|reduce_segments/)) < 0.001);
  // 48 launches of one kernel are both projections of attention: only their order tells them.
  const projections = ops.filter(op => ['q_proj + k_proj + v_proj', 'o_proj'].includes(op.name));
  assert.deepEqual(
    projections.map(op => op.count),
    [24, 24],
  );
  assert.ok(Math.abs(projections.reduce((sum, op) => sum + op.time_s * 1e6, 0) - time(/MT32x32x256/)) < 0.001);
});

await test('a served step: what-ifs are of that step', { skip }, () => {
  const file = join(folder, 'sglang_qwen3-8b_decode_mi300x.json.gz');
  const analyzed = more =>
    JSON.parse(roofline(['analyze', file, '--model', 'qwen3-8b', ...more, '-o', 'json']).out).ops;
  const attention = ops => ops.find(({ name }) => name === 'attention');
  const cache = attention(analyzed(['--set', 'whatif.kv=fp8_e4m3'])).whatif;
  assert.ok(cache.speedup_optimistic > 1.9 && cache.speedup_optimistic < 2, `${cache.speedup_optimistic}`);
  // As if it had been served with such a cache: half of the bytes, the same time.
  const [half, whole] = [attention(analyzed(['--kv', 'fp8_e4m3'])), attention(analyzed([]))];
  assert.ok(Math.abs(half.bytes / whole.bytes - 0.5) < 0.01);
  assert.equal(half.time_s, whole.time_s);
});

await test('a served step: what cannot be placed says why', { skip }, () => {
  const trace = join(folder, 'vllm_decode_full_graph_mi300x.json.gz');
  const refused = (args, expected, code) => {
    const { out, err, status } = roofline(['analyze', ...args]);
    assert.equal(status, code, err);
    assert.equal(out, '');
    assert.match(err, expected);
  };
  refused(
    [trace, '--model', 'qwen3-8b'],
    /has 24 attentions one after the other, and Qwen3 8B has 36 layers: expected/,
    1,
  );
  refused(
    [join(folder, 'vit_h100.json.gz'), '--model', 'qwen3-8b'],
    /no step of the trace says what was run: expected/,
    1,
  );
  refused([join(repository, 'tests/data/seed.json'), '--model', 'qwen3-8b'], /not a trace of PyTorch's profiler/, 1);
  refused([trace, '--model', 'no-such-model'], /--model: unknown model "no-such-model"/, 2);
  refused([trace, trace, '--model', 'qwen3-8b'], /--model takes one file/, 2);
  refused([trace, '--kv', 'fp8'], /expected --model with it/, 2);
  refused([trace, '--model', 'gpt-oss-20b', '--context', '-1'], /--context: /, 2);
  refused([trace, '--model', 'gpt-oss-20b', '--tp', 'x'], /--tp: /, 2);
});
