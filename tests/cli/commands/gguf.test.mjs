// GGUF files as the model of `roofline llm` and `roofline quantize`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LLAMA_70B, ggufHeader, llamaGguf, writeGguf } from '../../gguf.mjs';
import { samples } from '../../samples.mjs';
import { binary, folder, put, refused, roofline } from '../command.mjs';

const small = { layers: 2, hidden: 256, heads: 4, kvHeads: 2, mlp: 512, vocab: 1024 };
const summary = (file, ...args) =>
  JSON.parse(roofline(['llm', file, '--machine', 'rtx-4090', ...args, '-o', 'json']).out).summary;

await test('gguf: of a 40 GB file only the header is read, and its weights are its tensors to the byte', () => {
  const [metadata, tensors] = llamaGguf(LLAMA_70B);
  const bytes = writeGguf(join(folder, 'llama-70b-Q4_K.gguf'), metadata, tensors);
  assert.ok(bytes > 39e9);
  const found = summary('llama-70b-Q4_K.gguf', '--context', '32768');
  assert.equal(Math.round(found.weights_bytes), ggufHeader(metadata, tensors).data);
  assert.equal(found.parameters, 70_553_706_496); // of huggingface.co/meta-llama/Llama-3.1-70B
  assert.equal(found.fits, false);
  assert.match(found.memory.text, /does not fit in 25\.8 GB/);
});

/** Bytes that a command reads and its read calls, as Linux counts them for a shell and the children it waited for. */
function reading(args) {
  const script = '"$@" >/dev/null && cat /proc/$$/io';
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script, 'sh', binary, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const [bytes, calls] = ['rchar', 'syscr'].map(key => Number(new RegExp(`${key}: (\\d+)`).exec(stdout)[1]));
  return { bytes, calls };
}

await test('gguf: of a 40 GB file two pieces at its start are read', { skip: !existsSync('/proc/self/io') }, () => {
  const pieces = 5 << 20; // of 1 and 4 MiB: the header has 2.4 MB
  for (const command of ['llm', 'quantize']) {
    const { bytes, calls } = reading([command, 'llama-70b-Q4_K.gguf', '--machine', 'rtx-4090']);
    assert.ok(bytes >= pieces && bytes < pieces + (1 << 20), `${command}: ${bytes} bytes`);
    assert.ok(calls < 200, `${command}: ${calls} calls`);
  }
});

await test('gguf: the same model by its name, in the same formats, takes the same time', () => {
  const [metadata, tensors] = llamaGguf({ ...small, layers: 3 });
  writeGguf(join(folder, 'small.gguf'), metadata, tensors);
  const config = {
    model_type: 'llama',
    hidden_size: 256,
    num_hidden_layers: 3,
    num_attention_heads: 4,
    num_key_value_heads: 2,
    intermediate_size: 512,
    vocab_size: 1024,
    max_position_embeddings: 131072,
  };
  put('small.json', JSON.stringify(config));
  const named = summary('small.json', '--weights', 'head=q6_k,norms=fp32,rest=q4_k');
  const file = summary('small.gguf');
  for (const key of ['weights_bytes', 'parameters', 'tpot_s', 'typical_tpot_s', 'kv_bytes_per_token'])
    assert.equal(file[key], named[key], key);
});

await test('gguf: the mixtures of a file are those of the model that it holds', () => {
  const bytes = model =>
    Object.fromEntries(
      JSON.parse(roofline(['quantize', model, '--machine', 'rtx-4090', '-o', 'json']).out).mixtures.map(
        ({ name, weights_bytes }) => [name, weights_bytes],
      ),
    );
  const rotary_factors = 64 * 4; // of Llama 3.1, which this file lacks
  const named = bytes('llama-3.1-70b');
  for (const [name, size] of Object.entries(bytes('llama-70b-Q4_K.gguf')))
    assert.equal(size, named[name] - rotary_factors, name);
});

await test('gguf: a split model is read from its files, whichever is named', () => {
  const [metadata, tensors] = llamaGguf(small);
  const split = { 'split.count': 2 };
  writeGguf(join(folder, 'two-00001-of-00002.gguf'), { ...metadata, ...split }, tensors.slice(0, 8));
  writeGguf(join(folder, 'two-00002-of-00002.gguf'), split, tensors.slice(8));
  writeGguf(join(folder, 'one.gguf'), metadata, tensors);
  const one = summary('one.gguf');
  for (const name of ['two-00001-of-00002.gguf', 'two-00002-of-00002.gguf'])
    assert.equal(summary(name).weights_bytes, one.weights_bytes, name);
  writeGguf(join(folder, 'alone-00001-of-00002.gguf'), { ...metadata, ...split }, tensors.slice(0, 8));
  refused(1, ['llm', 'alone-00001-of-00002.gguf'], /alone-00002-of-00002\.gguf: cannot be opened/);
});

await test('gguf: a file that ends within its header is refused', () => {
  const { header } = ggufHeader(...llamaGguf(small));
  put('cut.gguf', header.subarray(0, header.length - 300));
  refused(1, ['llm', 'cut.gguf'], /cut\.gguf: byte \d+: the file ends within its header/);
});

const kld = samples && join(samples, 'models/kld');
for (const [type, bytes] of [
  ['q4_K', 2_263_312_384],
  ['bf16', 8_045_328_384],
])
  await test(`gguf: the tensors of Qwen3-4B-Instruct-2507 in ${type}, to the byte`, { skip: !kld }, () => {
    const rows = readFileSync(join(kld, `Qwen3-4B-Instruct-2507.tensors.${type}.tsv`), 'utf8')
      .trim()
      .split('\n');
    const tensors = rows.map(row => {
      const [name, shape, kind] = row.split('\t');
      return [name, shape.match(/\d+/g).map(Number), kind.replace('dtype=', '')];
    });
    const stated = rows.reduce((sum, row) => sum + Number(/bytes=(\d+)/.exec(row)[1]), 0);
    assert.equal(stated, bytes);
    const metadata = {
      'general.architecture': 'qwen3',
      'qwen3.block_count': 36,
      'qwen3.context_length': 262144,
      'qwen3.embedding_length': 2560,
      'qwen3.feed_forward_length': 9728,
      'qwen3.attention.head_count': 32,
      'qwen3.attention.head_count_kv': 8,
      'qwen3.attention.key_length': 128,
    };
    writeGguf(join(folder, 'qwen3.gguf'), metadata, tensors);
    const found = summary('qwen3.gguf');
    assert.equal(found.weights_bytes, bytes);
    assert.equal(found.parameters, 4_022_468_096);
  });

for (const name of ['ggml-vocab-llama-spm.gguf', 'ggml-vocab-bert-bge.gguf'])
  await test(`gguf: ${name} is a vocabulary`, { skip: !samples }, () => {
    const file = join(samples, 'models/gguf', name);
    assert.ok(statSync(file).size > 0);
    refused(1, ['llm', file], /a vocabulary without tensors/);
  });
