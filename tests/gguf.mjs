// GGUF files for tests: a valid header, and zeros or given numbers as tensors.
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

const TYPES = { f32: [0, 1, 4], bf16: [30, 1, 2], q4_k: [12, 256, 144], q6_k: [14, 256, 210] };

const u32 = value => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = value => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const text = value => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const value = v =>
  typeof v === 'string'
    ? [u32(8), text(v)]
    : Array.isArray(v)
      ? [u32(9), u32(8), u64(v.length), ...v.map(text)]
      : [u32(4), u32(v)];

/** The header's bytes, and how many bytes its tensors take. `tensors`: [name, shape, type][], shapes with the length of a row first. */
export function ggufHeader(metadata, tensors) {
  let offset = 0;
  const offsets = [];
  const infos = tensors.flatMap(([name, shape, type]) => {
    const [id, block, bytes] = TYPES[type];
    const info = [text(name), u32(shape.length), ...shape.map(u64), u32(id), u64(offset)];
    const elements = shape.reduce((product, length) => product * length, 1);
    offsets.push(offset);
    offset += Math.ceil(((elements / block) * bytes) / 32) * 32;
    return info;
  });
  const keys = Object.entries(metadata).flatMap(([key, v]) => [text(key), ...value(v)]);
  const start = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(Object.keys(metadata).length)];
  const header = Buffer.concat([...start, ...keys, ...infos]);
  return { header: Buffer.concat([header, Buffer.alloc(-header.length & 31)]), data: offset, offsets };
}

/** Writes a sparse file: its header, and as many bytes of zeros as its tensors take. `values(name, i)`: the elements of f32 tensors. */
export function writeGguf(path, metadata, tensors, values) {
  const { header, data, offsets } = ggufHeader(metadata, tensors);
  const file = openSync(path, 'w');
  writeSync(file, header);
  ftruncateSync(file, header.length + data);
  tensors.forEach(([name, shape, type], at) => {
    if (!values || type !== 'f32') return;
    const elements = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => values(name, i));
    writeSync(file, Buffer.from(elements.buffer), 0, elements.byteLength, header.length + offsets[at]);
  });
  closeSync(file);
  return header.length + data;
}

const llama = (layers, hidden, heads, kvHeads, mlp) => ({
  'general.architecture': 'llama',
  'general.name': `Llama of ${layers} layers`,
  'llama.block_count': layers,
  'llama.context_length': 131072,
  'llama.embedding_length': hidden,
  'llama.feed_forward_length': mlp,
  'llama.attention.head_count': heads,
  'llama.attention.head_count_kv': kvHeads,
});

/** Metadata and tensors of Llama's architecture, all matrices but the head in Q4_K, or in `type`. */
export function llamaGguf({ layers, hidden, heads, kvHeads, mlp, vocab }, type) {
  const keys = (hidden / heads) * kvHeads;
  const tensors = [['token_embd.weight', [hidden, vocab], 'q4_k']];
  for (let layer = 0; layer < layers; ++layer)
    for (const [name, shape, type] of [
      ['attn_norm', [hidden], 'f32'],
      ['attn_q', [hidden, hidden], 'q4_k'],
      ['attn_k', [hidden, keys], 'q4_k'],
      ['attn_v', [hidden, keys], 'q4_k'],
      ['attn_output', [hidden, hidden], 'q4_k'],
      ['ffn_norm', [hidden], 'f32'],
      ['ffn_gate', [hidden, mlp], 'q4_k'],
      ['ffn_up', [hidden, mlp], 'q4_k'],
      ['ffn_down', [mlp, hidden], 'q4_k'],
    ])
      tensors.push([`blk.${layer}.${name}.weight`, shape, type]);
  tensors.push(['output_norm.weight', [hidden], 'f32'], ['output.weight', [hidden, vocab], 'q6_k']);
  if (type) for (const tensor of tensors) tensor[2] = type;
  const tokens = Array.from({ length: vocab }, (_, i) => `token ${i}`);
  return [{ ...llama(layers, hidden, heads, kvHeads, mlp), 'tokenizer.ggml.tokens': tokens }, tensors];
}

/** Sizes of Llama 3.1 70B: its file has 40 GB. */
export const LLAMA_70B = { layers: 80, hidden: 8192, heads: 64, kvHeads: 8, mlp: 28672, vocab: 128256 };
