// Networks' files, before anyone has run them: `roofline dims`, and `roofline analyze` with --dim and --fold.
import assert from 'node:assert/strict';
import { closeSync, copyFileSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, put, refused, roofline } from '../command.mjs';

copyFileSync(new URL('../../data/network.onnx', import.meta.url), join(folder, 'network.onnx'));
const summary = (...args) => JSON.parse(roofline(['analyze', 'network.onnx', ...args, '-o', 'json']).out).summary;

await test('dims: the lengths that a network leaves open, with what they are taken as', () => {
  assert.match(roofline(['dims', 'network.onnx']).out, /^batch +1 +1 +assumed: --dim batch=N sets it$/m);
  const { dimensions } = JSON.parse(roofline(['dims', 'network.onnx', '-o', 'json']).out);
  assert.deepEqual(
    dimensions.map(({ name, value, assumed }) => [name, value, assumed]),
    [
      ['batch', 1, true],
      ['height', 224, true],
      ['width', 224, true],
    ],
  );
  refused(1, ['dims', 'nowhere.onnx'], /nowhere\.onnx/);
  refused(1, ['analyze', 'nowhere.onnx', '--dim', 'batch=1'], /nowhere\.onnx: cannot be opened/);
});

await test('analyze: a network at chosen lengths', () => {
  const one = summary('--dim', 'height=64', '--dim', 'width=64');
  // 32 x 32 outputs of 4 channels, 27 multiply-adds each; then 4 x 5 of the last product.
  assert.equal(one.matrix_macs, 32 * 32 * 4 * 27 + 20);
  assert.equal(one.weights_bytes, 4 * (4 * 27 + 4 + 20));
  assert.equal(one.parameters, 132);
  // The input and the convolution's output.
  assert.equal(one.peak_activation_bytes, 4 * (3 * 64 * 64 + 4 * 32 * 32));
  assert.deepEqual(one.not_counted, []);
  const eight = summary('--dim', 'height=64', '--dim', 'width=height', '--dim', 'batch=8');
  assert.equal(eight.matrix_macs, 8 * one.matrix_macs);
  assert.equal(eight.peak_activation_bytes, 8 * one.peak_activation_bytes);
  assert.ok(eight.predicted_time_s > one.predicted_time_s);
});

await test('analyze: what is assumed of a network is said', () => {
  const { err } = roofline(['analyze', 'network.onnx', '--dim', 'width=64']);
  assert.match(err, /assumed: batch 1(\.0)?, height 224(\.0)?; --dim NAME=LENGTH/);
});

await test('analyze --fold: the same work, fewer operations, less traffic', () => {
  const [apart, folded] = [summary(), summary('--fold')];
  assert.equal(folded.matrix_macs, apart.matrix_macs);
  assert.equal(folded.flops, apart.flops);
  assert.equal(folded.folded, true);
  assert.ok(folded.ops < apart.ops);
  assert.ok(folded.bytes < apart.bytes);
});

await test('analyze: what is wrong with a dimension or a network is said', () => {
  refused(2, ['analyze', 'network.onnx', '--dim', 'batch=0'], /dimension batch: expected a whole number of at least 1/);
  refused(2, ['analyze', 'network.onnx', '--dim', 'depth=3'], /expected one of batch, height, width/);
  refused(2, ['analyze', 'network.onnx', '--dim', 'batch'], /expected NAME=LENGTH/);
  put('operations.json', '[{"type":"gemm","m":1,"n":2,"k":3}]');
  refused(2, ['analyze', 'operations.json', '--fold'], /--dim and --fold are for networks/);
  const bytes = readFileSync(join(folder, 'network.onnx'));
  put('cut.onnx', bytes.subarray(0, bytes.length - 100));
  refused(1, ['analyze', 'cut.onnx'], /cut off or damaged/);
});

await test('analyze: a network of gigabytes opens by its heads', () => {
  // A weight of 2 GB whose bytes are a hole in the file: heads of field 5 of the graph and of field 9 of the tensor.
  const varint = value => {
    const out = [];
    for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) | 128);
    return [...out, value];
  };
  const field = (number, bytes) => [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
  const text = (number, value) => field(number, [...Buffer.from(value)]);
  const size = 2 ** 31;
  const head = [8, ...varint(2 ** 15), 8, ...varint(2 ** 14), 16, 1, ...text(8, 'w'), ...varint(74), ...varint(size)];
  const dim = field(2, [10, 2, 8, 1, 10, ...varint(4), 8, ...varint(2 ** 15)]);
  const input = field(11, [...text(1, 'x'), ...field(2, field(1, [8, 1, ...dim]))]);
  const node = field(1, [...text(1, 'x'), ...text(1, 'w'), ...text(2, 'y'), ...text(4, 'MatMul')]);
  const tensor = [...varint(42), ...varint(head.length + size)];
  const graph = tensor.length + head.length + size + input.length + node.length;
  const start = [8, 8, ...varint(58), ...varint(graph), ...tensor, ...head];
  const file = openSync(join(folder, 'big.onnx'), 'w');
  writeSync(file, Buffer.from(start));
  ftruncateSync(file, start.length + size);
  writeSync(file, Buffer.from([...input, ...node]), 0, null, start.length + size);
  closeSync(file);
  const before = performance.now();
  const found = JSON.parse(roofline(['analyze', 'big.onnx', '-o', 'json']).out).summary;
  assert.equal(found.weights_bytes, size);
  assert.equal(found.matrix_macs, 2 ** 29);
  assert.ok(performance.now() - before < 10_000); // to read it takes longer
});
