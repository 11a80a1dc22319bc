// Checkpoints as the model of `roofline llm`: config.json beside safetensors files, which are sparse here.
import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, refused, roofline } from '../command.mjs';

/** Writes a file with a header for `tensors`, [name, type, shape, bytes][], and zeros; returns the bytes of its tensors. */
function writeSafetensors(path, tensors) {
  let at = 0;
  const header = Object.fromEntries(
    tensors.map(([name, dtype, shape, bytes]) => [name, { dtype, shape, data_offsets: [at, (at += bytes)] }]),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const file = openSync(path, 'w');
  writeSync(file, Buffer.concat([length, text]));
  ftruncateSync(file, 8 + text.length + at);
  closeSync(file);
  return at;
}

const [hidden, layers, mlp, vocab] = [4096, 32, 14336, 128256];
const bf16 = (name, shape) => [name, 'BF16', shape, shape.reduce((a, b) => a * b, 2)];
const layer = i => {
  const at = `model.layers.${i}.`;
  return [
    bf16(`${at}input_layernorm.weight`, [hidden]),
    bf16(`${at}post_attention_layernorm.weight`, [hidden]),
    bf16(`${at}self_attn.q_proj.weight`, [hidden, hidden]),
    bf16(`${at}self_attn.k_proj.weight`, [1024, hidden]),
    bf16(`${at}self_attn.v_proj.weight`, [1024, hidden]),
    bf16(`${at}self_attn.o_proj.weight`, [hidden, hidden]),
    bf16(`${at}mlp.gate_proj.weight`, [mlp, hidden]),
    bf16(`${at}mlp.up_proj.weight`, [mlp, hidden]),
    bf16(`${at}mlp.down_proj.weight`, [hidden, mlp]),
  ];
};
const config = {
  model_type: 'llama',
  hidden_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  intermediate_size: mlp,
  vocab_size: vocab,
};
const checkpoint = join(folder, 'Llama-3-8B');
mkdirSync(checkpoint, { recursive: true });
writeFileSync(join(checkpoint, 'config.json'), JSON.stringify(config));
const first = [bf16('model.embed_tokens.weight', [vocab, hidden])];
const second = [bf16('lm_head.weight', [vocab, hidden]), bf16('model.norm.weight', [hidden])];
for (let i = 0; i < layers; ++i) (i < 16 ? first : second).push(...layer(i));
const bytes =
  writeSafetensors(join(checkpoint, 'model-00001-of-00002.safetensors'), first) +
  writeSafetensors(join(checkpoint, 'model-00002-of-00002.safetensors'), second);
const weight_map = Object.fromEntries([
  ...first.map(([name]) => [name, 'model-00001-of-00002.safetensors']),
  ...second.map(([name]) => [name, 'model-00002-of-00002.safetensors']),
]);
const index = join(checkpoint, 'model.safetensors.index.json');
writeFileSync(index, JSON.stringify({ metadata: { total_size: bytes }, weight_map }));

await test('checkpoint: an index with its files is a model of their bytes', () => {
  const document = JSON.parse(roofline(['llm', index, '--machine', 'rtx-4090', '-o', 'json']).out);
  assert.equal(document.summary.weights_bytes, bytes);
  assert.equal(document.summary.parameters, 8_030_261_248); // of huggingface.co/meta-llama/Meta-Llama-3-8B
  assert.ok(!document.diagnostics.some(d => /parameters, the config/.test(d.message)));
});

await test('checkpoint: one of several files is read with the others', () => {
  const shard = join(checkpoint, 'model-00001-of-00002.safetensors');
  assert.equal(
    JSON.parse(roofline(['llm', shard, '--machine', 'rtx-4090', '-o', 'json']).out).summary.weights_bytes,
    bytes,
  );
});

await test('checkpoint: the files of an index, and the config, have to be there', () => {
  writeFileSync(index.replace('model.s', 'other.s'), JSON.stringify({ weight_map: { x: 'missing.safetensors' } }));
  refused(1, ['llm', index.replace('model.s', 'other.s')], /missing\.safetensors/);
  mkdirSync(join(folder, 'bare'), { recursive: true });
  writeSafetensors(join(folder, 'bare', 'model.safetensors'), second);
  refused(1, ['llm', join(folder, 'bare', 'model.safetensors')], /config\.json/);
});

await test('checkpoint: the formats in hf_quant_config.json beside a config.json', () => {
  const quantised = join(folder, 'Llama-3-8B-NVFP4');
  mkdirSync(quantised, { recursive: true });
  writeFileSync(join(quantised, 'config.json'), JSON.stringify(config));
  const bytes_of = () =>
    JSON.parse(roofline(['llm', join(quantised, 'config.json'), '--machine', 'rtx-4090', '-o', 'json']).out).summary
      .weights_bytes;
  assert.equal(bytes_of(), bytes);
  const quantization = { quant_algo: 'NVFP4', group_size: 16, exclude_modules: ['lm_head'] };
  writeFileSync(
    join(quantised, 'hf_quant_config.json'),
    JSON.stringify({ producer: { name: 'modelopt' }, quantization }),
  );
  const linear = layers * hidden * (2 * hidden + 2 * 1024 + 3 * mlp);
  assert.equal(bytes_of(), bytes - linear * 2 + (linear * 4.5) / 8);
});

await test('checkpoint: an adapter says what it is', () => {
  const adapter = join(folder, 'adapter');
  mkdirSync(adapter, { recursive: true });
  writeSafetensors(join(adapter, 'adapter_model.safetensors'), second);
  writeFileSync(join(adapter, 'adapter_config.json'), '{"peft_type": "LORA"}');
  for (const file of ['adapter_model.safetensors', 'adapter_config.json'])
    refused(1, ['llm', join(adapter, file)], /adapter \(LoRA\)/);
});
