// `roofline quantize`, tried as a user would.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { llamaGguf, writeGguf } from '../../gguf.mjs';
import { samples, skip } from '../../samples.mjs';
import { folder, refused, roofline } from '../command.mjs';

const quantize = (...args) => JSON.parse(roofline(['quantize', ...args, '-o', 'json']).out);

await test('every mixture of a model, with the bytes of the published files', () => {
  const found = quantize('llama-3.1-8b', '--machine', 'rtx-4090', '--context', '32768');
  assert.equal(found.schema, 'roofline-quantize/1');
  assert.deepEqual(
    [found.model, found.machine, found.context, found.imatrix],
    ['llama-3.1-8b', 'rtx-4090', 32768, true],
  );
  assert.equal(found.mixtures.length, 25);
  const q4 = found.mixtures.find(({ name }) => name === 'Q4_K_M');
  assert.equal(q4.weights_bytes, 4912898304);
  assert.ok(Math.abs(q4.bits_per_weight - 4.8944) < 1e-4); // as llama.cpp's README prints it
  assert.match(q4.verdict, /^fits in /);
  assert.ok(q4.tpot_s > 0 && q4.typical_tpot_s > q4.tpot_s);
  assert.deepEqual([q4.basis, q4.pareto], ['predicted', true]);
  assert.ok(q4.kld_low < q4.kld && q4.kld < q4.kld_high);
  assert.match(found.credit, /Thireus' GGUF Tool Suite and its contributors/);
  assert.match(found.mixtures.at(-1).verdict, /\S/);
});

await test('a mixture says whether it fits, in a word and in a sentence', () => {
  const { mixtures } = quantize('llama-3.1-70b', '--machine', 'rtx-4090', '--context', '8192');
  for (const { fits, verdict } of mixtures) assert.equal(fits, /^(barely )?fits/.test(verdict), verdict);
  assert.deepEqual([mixtures[0].fits, mixtures.at(-1).fits], [true, false]);
});

await test('the time of a mixture is that of roofline llm with it', () => {
  const [choice] = quantize('qwen3-4b', '--machine', 'rtx-4090', '--context', '8192').mixtures.filter(
    ({ name }) => name === 'Q4_K_M',
  );
  const { summary } = JSON.parse(
    roofline(['llm', 'qwen3-4b', '--machine', 'rtx-4090', '--context', '8192', '--weights', 'Q4_K_M', '-o', 'json'])
      .out,
  );
  assert.equal(choice.tpot_s, summary.tpot_s);
  assert.equal(choice.typical_tpot_s, summary.typical_tpot_s);
});

await test('as a table', () => {
  const { status, out } = roofline(['quantize', 'llama-3.1-8b', '--machine', 'rtx-4090']);
  assert.equal(status, 0);
  assert.match(
    out,
    /^F16 is the most accurate mixture that fits NVIDIA GeForce RTX 4090: 16\.1 GB of weights, .* per token, KLD 0\. \w+, with .* as fast at KLD 0\.\d+\.\n/,
  );
  assert.match(out, /\n\nmixture +weights +bits per weight +time per token +bound +KLD +80% of models +memory\n/);
  assert.match(out, /\nQ4_K_M +4.91 GB +4.89 /);
});

await test('checkpoints of other tools are listed with their published quality', () => {
  const found = quantize('llama-3.1-8b', '--machine', 'h100-sxm');
  assert.deepEqual(
    found.checkpoints.map(({ name }) => name),
    ['AWQ', 'GPTQ', 'MXFP4', 'NVFP4', 'FP8', 'INT8', 'INT8 weights'],
  );
  const [awq, gptq] = found.checkpoints;
  assert.deepEqual([awq.basis, awq.value, awq.measure, awq.quality], ['unknown', null, '', '']);
  assert.deepEqual([gptq.basis, gptq.value, gptq.original], ['published', 67.57, 69.32]);
  assert.match(gptq.source, /huggingface\.co\/neuralmagic\/.*commit 34fbd4cd/);
  assert.ok(gptq.typical_tpot_s > gptq.tpot_s && gptq.verdict.startsWith('fits in '));
  const { summary } = JSON.parse(
    roofline([
      'llm',
      'llama-3.1-8b',
      '--machine',
      'h100-sxm',
      '--context',
      '4096',
      '--weights',
      gptq.weights,
      '-o',
      'json',
    ]).out,
  );
  assert.deepEqual(
    [gptq.weights_bytes, gptq.typical_tpot_s],
    [summary.weights_bytes, summary.typical_tpot_s],
    'as of roofline llm with these formats',
  );
  assert.match(
    roofline(['quantize', 'llama-3.1-8b', '--machine', 'h100-sxm']).out,
    /\ncheckpoint +weights .*\nAWQ +5\.73 GB .* not known +fits in .*\nGPTQ .* OpenLLM v1, %: 67\.6, in 16 bits 69\.3 /,
  );
});

await test('what cannot be done is refused with a word', () => {
  refused(2, ['quantize', 'lama-3.1-8b'], /unknown model.*llama-3.1-8b/);
  refused(2, ['quantize', 'llama-3.1-8b', '--imatrix', 'maybe'], /imatrix/);
  refused(2, ['quantize', 'llama-3.1-8b', '--context', '0'], /--context: expected a whole number/);
});

// --- plans

const planned = (file, budget, ...args) => quantize(file, '--machine', 'rtx-4090', '--budget', budget, ...args);

await test('a plan keeps to its budget, and says of each tensor what it takes', () => {
  const plan = planned('llama-3.1-8b', 'bytes=4.9G');
  assert.equal(plan.schema, 'roofline-format-plan/1');
  assert.deepEqual(
    [plan.subject, plan.machine, plan.budget, plan.budget_value, plan.budget_unit, plan.admissible],
    ['llama-3.1-8b', 'rtx-4090', 'bytes', 4.9e9, 'B', true],
  );
  assert.ok(plan.weights_bytes <= 4.9e9 && plan.weights_bytes > 4.85e9);
  const q4 = quantize('llama-3.1-8b', '--machine', 'rtx-4090').mixtures.find(({ name }) => name === 'Q4_K_M');
  assert.ok(plan.kld < q4.kld && plan.kld_low < plan.kld && plan.kld < plan.kld_high);
  assert.equal(plan.tensors.length, 2 + 7 * 32);
  const down = plan.tensors.find(({ name }) => name === 'blk.31.ffn_down.weight');
  assert.deepEqual(
    [down.module, down.elements, down.own_error],
    ['model.layers.31.mlp.down_proj', 4096 * 14336, false],
  );
  assert.match(plan.credit, /Thireus' GGUF Tool Suite and its contributors/);
  const { name, weights_bytes, time_s, kld } = plan.best_mixture;
  assert.ok(weights_bytes <= plan.weights_bytes && time_s > 0 && kld > plan.kld);
  assert.ok(
    plan.finding.endsWith(`The best mixture of at most this size, ${name}, has KLD ${Number(kld.toPrecision(3))}.`),
  );
});

await test('a plan of less time per token, and one that no plan keeps to', () => {
  const fast = planned('llama-3.1-8b', 'tpot=7ms');
  assert.ok(fast.admissible && fast.time_s <= 7e-3 && fast.time_s > 6.5e-3);
  const none = planned('llama-3.1-8b', 'kld=0.0000001', '--types', 'q4_k,q8_0');
  assert.equal(none.admissible, false);
  assert.match(none.finding, /^No plan keeps to KLD 1e-7\. The nearest has KLD 0\.\d+, KLD 0\.\d+ too much: /);
  assert.deepEqual([...new Set(none.tensors.map(({ format }) => format))], ['q8_0']);
});

await test('a plan in the words of the tools', () => {
  const as = output =>
    roofline(['quantize', 'qwen3-4b', '--machine', 'rtx-4090', '--budget', 'bytes=2.4G', '-o', output]).out;
  assert.match(
    as('llama-quantize'),
    /\nllama-quantize \\\n {2}--imatrix .*\n {2}--token-embedding-type q\d_k \\\n {2}--tensor-type '/,
  );
  assert.match(as('ik'), / --custom-q 'blk\\\.[^ ]+\\\.attn_\w+\\\.weight=\w+,/);
  assert.match(as('llm-compressor'), /\nquant_stage:\n {2}quant_modifiers:\n {4}QuantizationModifier:\n/);
  assert.match(as('table'), /^Within 2\.4 GB: .*\n\ntensors +format +layers +weights\n/);
});

await test("a GGUF file's own weights decide which of a class get more bits", () => {
  const sizes = { layers: 4, hidden: 512, heads: 8, kvHeads: 4, mlp: 1024, vocab: 2048 };
  const [metadata, tensors] = llamaGguf(sizes, 'f32');
  const odd = 'blk.2.ffn_up.weight'; // an outlier in every block of 32
  const file = join(folder, 'own.gguf');
  writeGguf(
    file,
    metadata,
    tensors,
    (name, i) => ((i * 7919) % 2003) / 1001 - 1 + (name === odd && i % 32 === 0 ? 12 : 0),
  );
  const plan = planned(file, 'kld=0.05');
  const format = layer => plan.tensors.find(({ name }) => name === `blk.${layer}.ffn_up.weight`);
  assert.ok(plan.tensors.every(({ own_error }) => own_error));
  assert.ok(format(2).bytes > format(1).bytes);
  assert.ok(format(2).noise / format(1).noise < 20);
});

await test('a network: a format for each layer, by names that it has', { skip }, () => {
  const file = join(samples, 'models/onnx/yunet_n_320_320.onnx');
  if (!existsSync(file)) return;
  const plan = quantize(file, '--machine', 'hailo-8', '--budget', 'sqnr=30dB');
  assert.equal(plan.schema, 'roofline-format-plan/1');
  assert.ok(plan.admissible && plan.sqnr_db >= 30);
  assert.equal(plan.budget_unit, 'dB');
  const commands = JSON.parse(roofline(['analyze', file, '--machine', 'hailo-8', '-o', 'json']).out);
  const names = new Set(commands.ops.map(({ name }) => name));
  for (const { name, own_error } of plan.tensors) assert.ok(names.has(name) && own_error, name);
  const as = output => roofline(['quantize', file, '--machine', 'hailo-8', '--budget', 'sqnr=30dB', '-o', output]).out;
  assert.match(as('onnxruntime'), /\nnodes_to_exclude = \[/);
  assert.match(as('nncf'), /nncf\.IgnoredScope\(names=not_int8\)/);
});

await test('a plan that cannot be made is refused with a word', () => {
  refused(
    2,
    ['quantize', 'llama-3.1-8b', '--budget', 'size=5G'],
    /--budget: "size=5G" is not a budget: expected bytes=5G, /,
  );
  refused(2, ['quantize', 'llama-3.1-8b', '--budget', 'bytes=5Q'], /"5Q".*bytes=5G/);
  refused(2, ['quantize', 'llama-3.1-8b', '--budget', 'bytes=5G', '--types', 'q4_z'], /unknown format "q4_z"/);
  const types = (output, list) => ['quantize', 'llama-3.1-8b', '--budget', 'bytes=5G', '-o', output, '--types', list];
  refused(
    2,
    types('llama-quantize', 'int4_g128'),
    /--types: llama-quantize does not take int4_g128: expected some of .*q4_k/,
  );
  refused(
    2,
    types('llm-compressor', 'q4_k'),
    /--types: llm-compressor does not take q4_k: expected some of .*int4_g128/,
  );
  refused(2, ['quantize', 'llama-3.1-8b', '--budget', 'bytes=5G', '-o', 'nncf'], /-o nncf is for networks/);
  refused(2, ['quantize', 'llama-3.1-8b', '-o', 'ik'], /-o ik writes a plan: expected --budget/);
  refused(2, ['quantize', 'llama-3.1-8b', '--types', 'q4_k'], /--types are those of a plan/);
  refused(2, ['quantize', 'llama-3.1-8b', '--dim', 'batch=8'], /--dim and --fold are for networks/);
});
