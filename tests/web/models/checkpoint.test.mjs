// A checkpoint: config.json and safetensors files, dropped together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from '../browser.mjs';
import { check } from '../harness.mjs';

const [hidden, layers, mlp, vocab] = [256, 2, 512, 1024];
const config = {
  model_type: 'llama',
  hidden_size: hidden,
  num_hidden_layers: layers,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: mlp,
  vocab_size: vocab,
  quantization_config: { quant_method: 'fp8', weight_block_size: [128, 128] },
};

/** A safetensors file of `tensors`, [name, type, shape, bytes per element][], with zeros as data. */
function safetensors(tensors) {
  let at = 0;
  const header = Object.fromEntries(
    tensors.map(([name, dtype, shape, bytes]) => {
      const begin = at;
      at += shape.reduce((product, n) => product * n, bytes);
      return [name, { dtype, shape, data_offsets: [begin, at] }];
    }),
  );
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.alloc(at)]);
}

const names = [
  ['self_attn.q_proj', [hidden, hidden]],
  ['self_attn.k_proj', [128, hidden]],
  ['self_attn.v_proj', [128, hidden]],
  ['self_attn.o_proj', [hidden, hidden]],
  ['mlp.gate_proj', [mlp, hidden]],
  ['mlp.up_proj', [mlp, hidden]],
  ['mlp.down_proj', [hidden, mlp]],
];
const tensors = [
  ['model.embed_tokens.weight', 'BF16', [vocab, hidden], 2],
  ['lm_head.weight', 'BF16', [vocab, hidden], 2],
  ['model.norm.weight', 'BF16', [hidden], 2],
];
for (let i = 0; i < layers; ++i) {
  for (const norm of ['input_layernorm', 'post_attention_layernorm'])
    tensors.push([`model.layers.${i}.${norm}.weight`, 'BF16', [hidden], 2]);
  for (const [name, shape] of names) tensors.push([`model.layers.${i}.${name}.weight`, 'F8_E4M3', shape, 1]);
}
const file = (name, buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer,
});

test('config.json and a safetensors file are one model', async () => {
  const page = await openPage();
  await page.page
    .locator('#file-input')
    .setInputFiles([
      file('config.json', Buffer.from(JSON.stringify(config))),
      file('model.safetensors', safetensors(tensors)),
    ]);
  await page.page.getByRole('heading', { name: /^Decode at batch/, level: 1 }).waitFor();
  await page.settled();
  const text = await page.text(page.page.getByRole('group', { name: 'Request' }));
  await check('its parameters are those of its config', () => assert.match(text, /1,705,216 parameters/));
  await check('its bytes are those of its tensors', () =>
    assert.match(text, /The files hold 2\.23 MB of the language model/),
  );
  page.assertQuiet();
  await page.close();
});
