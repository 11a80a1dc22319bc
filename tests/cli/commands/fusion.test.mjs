// Neighbours as one kernel: analyze --fuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { put, roofline } from '../command.mjs';

// One head of 512 tokens and 64 numbers each, in FP16: the scores have 262,144 numbers.
const scores = 512 * 512;
const rest = 512 * 64;
const attention = [
  { type: 'matmul', name: 'qk', data_type: 'FP16', input_mat1: [1, 8, 512, 64], input_mat2: [1, 8, 64, 512] },
  { type: 'softmax', name: 'softmax', data_type: 'FP16', input_shape: [1, 8, 512, 512] },
  { type: 'matmul', name: 'pv', data_type: 'FP16', input_mat1: [1, 8, 512, 512], input_mat2: [1, 8, 512, 64] },
  { type: 'relu', name: 'twice', data_type: 'FP16', input_shape: [7] },
  { type: 'relu', name: 'twice', data_type: 'FP16', input_shape: [7] },
];
put('attention.json', JSON.stringify(attention));
const fuse = (ops, ...more) =>
  roofline(['analyze', 'attention.json', '--machine', 'a100-80gb-sxm', '--fuse', ops, ...more]);

test('a range, names and indexes mean the same', () => {
  for (const ops of ['0-2', '0,1,2', 'qk,softmax,pv', 'qk..pv', 'qk..1,pv']) {
    const { status, out } = fuse(ops, '-o', 'json');
    assert.equal(status, 0);
    const document = JSON.parse(out);
    assert.deepEqual(
      document.between.map(({ match, tensor }) => [match, tensor]),
      [
        ['shape', '[1, 8, 512, 512]'],
        ['shape', '[1, 8, 512, 512]'],
      ],
    );
    assert.equal(document.fused_bytes, 8 * 4 * rest * 2); // queries, keys, values and the result
    assert.equal(document.saved_bytes, 8 * 4 * scores * 2); // scores and probabilities, each written and read
    assert.equal(document.bytes, document.fused_bytes + document.saved_bytes);
    // 2.039 TB/s; two products of 2 * 512 * 512 * 64 FLOPs for each head at 312 TFLOP/s, and 5 for each score on the vector unit.
    const memory = document.resources.find(({ kind }) => kind === 'memory');
    assert.ok(Math.abs(memory.time_s / (document.bytes / 2.039e12) - 1) < 1e-3);
    assert.ok(Math.abs(memory.fused_time_s / (document.fused_bytes / 2.039e12) - 1) < 1e-3);
    assert.equal(document.fused_time_s, Math.max(...document.resources.map(r => r.fused_time_s)));
    assert.equal(
      document.predicted_time_s,
      document.ops.reduce((sum, op) => sum + op.predicted_time_s, 0),
    );
    assert.equal(document.headline, document.finding.map(({ text }) => text).join(''));
  }
});

test('as a table it has the sentence and its figures', () => {
  const { out } = fuse('qk..pv');
  assert.match(
    out,
    /As one kernel the 3 operations need at least .* instead of .*: .*x faster\. 16\.8 MB of 18\.9 MB stay on chip/,
  );
  assert.match(out, /= qk .* \+ softmax .* \+ pv /);
  assert.match(out, /\[1, 8, 512, 512\] as input_mat1 \[1, 8, 512, 512\], 8\.39 MB/);
});

test('operations in between are told of', () => {
  assert.match(fuse('qk,pv').out, /1 operation stands between qk and pv in the file/);
});

test('what is wrong is told, with where and what', () => {
  for (const [ops, message] of [
    ['softmx,pv', /no operation is called "softmx": did you mean softmax\?/],
    ['0-9', /no operation has the index 9: expected 0 to 4/],
    ['pv,twice', /2 operations are called "twice": expected an index, one of 3, 4/],
    ['qk', /one operation alone is one kernel already: expected two or more/],
  ]) {
    const { status, out, err } = fuse(ops);
    assert.equal(status, 2, ops);
    assert.equal(out, '');
    assert.match(err, message);
    assert.match(err, /--fuse/);
  }
  assert.match(fuse('0-2', '-o', 'csv').err, /--fuse: expected -o table, json or html, found csv/);
});
