// TFLite models as networks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { put, refused, repository, roofline } from '../command.mjs';
import { samples, skip } from '../../samples.mjs';

const model = join(repository, 'tests/data/network.tflite');
const document = (file, ...args) => JSON.parse(roofline(['analyze', file, ...args, '-o', 'json']).out);

await test('tflite: the main graph is summed, loops and further signatures are apart', () => {
  const { summary, ops, diagnostics } = document(model);
  assert.equal(summary.matrix_macs, 12 * 10);
  assert.equal(summary.weights_bytes, 480);
  assert.deepEqual(
    summary.not_counted.map(({ type, share, reason }) => [type, share, reason]),
    [['WHILE', 1 / 5, 'its body is listed apart, once for each run of it']],
  );
  assert.deepEqual(
    ops.map(({ name, flops }) => [name, flops]),
    [
      ['main', 240],
      ['condition', 480],
      ['inside', 720],
      ['prefill', 15360],
    ],
  );
  assert.deepEqual(
    diagnostics.map(({ message }) => message),
    [
      'the file has 2 signatures: the first subgraph is the main graph, those of the others are listed apart',
      'not counted (its body is listed apart, once for each run of it): 1 WHILE, 20% of the nodes',
    ],
  );
});

await test('tflite: it leaves no length to be set', () => {
  assert.equal(roofline(['dims', model]).out, 'no length can be set\n');
  refused(2, ['analyze', model, '--dim', 'batch=4'], /there is no dimension "batch": the network leaves none open/);
});

await test('tflite: a damaged file is refused with the place', () => {
  put('cut.tflite', readFileSync(model).subarray(0, 900));
  refused(1, ['analyze', 'cut.tflite'], /cut\.tflite: byte [\d,]+: .*it is cut off or damaged/);
  put('text.tflite', 'a text');
  refused(1, ['analyze', 'text.tflite'], /expected TFL3 from byte 4 on/);
});

await test(
  'tflite: a compiled model says that its work is not in the file, and open lengths that shapes are placeholders',
  { skip },
  () => {
    const said = name => roofline(['analyze', join(samples, 'models/tflite', name)]).err;
    assert.match(said('person_detect_vela.tflite'), /not counted \(compiled: its work is not in the file\): 1 ethos-u/);
    assert.match(said('dilated_conv.tflite'), /its shapes are placeholders/);
    const { out, err } = roofline(['dims', join(samples, 'models/tflite/dilated_conv.tflite')]);
    assert.equal(out, 'no length can be set\n');
    assert.match(err, /its shapes are placeholders/);
    const { summary } = document(join(samples, 'models/tflite/person_detect_vela.tflite'));
    assert.equal(summary.weights_bytes, 268_648);
    assert.equal(summary.peak_activation_bytes, 158_146);
    assert.equal(summary.matrix_macs, null);
  },
);

await test('tflite: a real model comes to its published multiply-adds', { skip }, () => {
  const { summary } = document(join(samples, 'models/tflite/mlperf_resnet8_int8.tflite'), '--machine', 'ethos-u55-256');
  assert.equal(summary.matrix_macs, 12_501_632); // of MLPerf Tiny's image classification
  assert.equal(summary.weights_bytes, 78_752);
});
