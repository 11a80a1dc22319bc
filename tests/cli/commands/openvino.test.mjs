// OpenVINO models as networks.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { put, refused, repository, roofline } from '../command.mjs';
import { samples, skip } from '../../samples.mjs';

const model = join(repository, 'tests/data/network.xml');
const document = (file, ...args) => JSON.parse(roofline(['analyze', file, ...args, '-o', 'json']).out);
const lengths = ['--dim', 'ids.0=2', '--dim', 'ids.1=5', '--dim', 'image.0=3'];

await test('openvino: open lengths are listed, and set by name', () => {
  const { dimensions } = JSON.parse(roofline(['dims', model, '-o', 'json']).out);
  assert.deepEqual(
    dimensions.map(({ name, value, greatest }) => [name, value, greatest]),
    [
      ['ids.0', 1, null],
      ['ids.1', null, 512],
      ['image.0', 1, null],
    ],
  );
  const { summary } = document(model, ...lengths);
  assert.equal(summary.matrix_macs, 2 * 5 * 32 * 32 + 2 * 4 * 5 * 5 * 16 + 3 * 64 * 6 * 27);
  assert.deepEqual(summary.not_counted, []);
  refused(2, ['analyze', model, '--dim', 'ids.1=513'], /at most 512/);
});

await test('openvino: nothing is printed about activations whose shapes are not known', () => {
  const [open, set] = [['--dim', 'image.0=3'], lengths].map(
    dims => roofline(['analyze', model, ...dims, '--on-chip', '1KiB']).out,
  );
  assert.match(set, /\nThe activations' peak of [^\n]*\n$/);
  assert.match(open, /[^\n]\n$/);
  assert.doesNotMatch(open, /activations' peak/);
});

await test('openvino: an executed graph is still a profile, a model through a pipe a network', () => {
  const profile = join(repository, 'tests/data/openvino_exec_graph.xml');
  assert.ok(document(profile).ops.some(({ time_s }) => time_s > 0));
  const piped = JSON.parse(roofline(['analyze', '-', ...lengths, '-o', 'json'], { input: readFileSync(model) }).out);
  assert.deepEqual(piped.summary, document(model, ...lengths).summary);
  const { ops } = JSON.parse(roofline(['analyze', '-', '-o', 'json'], { input: readFileSync(profile) }).out);
  assert.ok(ops.some(({ time_s }) => time_s > 0));
});

await test('openvino: models before v10 are to be converted again', () => {
  put('old.xml', '<net name="m" version="7"><layers/></net>');
  refused(
    1,
    ['analyze', 'old.xml'],
    /IR v7, of OpenVINO 2020 and older: expected v10 or v11; convert the original model again with ovc/,
  );
});

await test('openvino: real models open', { skip }, () => {
  const folder = join(samples, 'openvino_ir');
  for (const file of readdirSync(folder).filter(name => name.endsWith('.xml')))
    assert.deepEqual(
      document(join(folder, file)).ops.map(({ type, flops }) => [type, flops]),
      [['add', 10]],
    );
});
