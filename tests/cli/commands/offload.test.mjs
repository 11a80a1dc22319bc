// A model that a card and its host share: `roofline llm --host`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused, roofline } from '../command.mjs';

const llama = ['llm', 'llama-3-70b', '--weights', 'Q4_K_M', '--machine', 'rtx-4090', '--context', '8192'];
const offload = (...args) =>
  JSON.parse(roofline([...llama, '--host', 'epyc-9654', ...args, '-o', 'json']).out).summary.offload;

await test('offload: the best split fits, and is between nothing and all', () => {
  const found = offload();
  assert.equal(found.fits, true);
  assert.equal(found.gpu_layers, found.best.gpu_layers);
  assert.ok(found.gpu_layers > 20 && found.gpu_layers < 81);
  assert.ok(found.card.weights_bytes + found.card.cache_bytes + found.card.activation_bytes < 0.9 * 25.8e9);
  const { fits, barely_fits } = offload('--gpu-layers', found.gpu_layers + 1);
  assert.deepEqual([found.barely_fits, fits, barely_fits], [false, true, true]);
  assert.equal(offload('--gpu-layers', found.gpu_layers + 7).fits, false);
});

await test('offload: fewer layers on the card take longer', () => {
  const few = offload('--gpu-layers', '10');
  const many = offload('--gpu-layers', '30');
  assert.ok(few.typical_tpot_s > many.typical_tpot_s);
  assert.ok(few.host_part.traffic_bytes > many.host_part.traffic_bytes);
  assert.equal(few.link.decode_bytes, 8192 * 2 + 128256 * 4);
});

await test('offload: the table has each side', () => {
  const text = roofline([...llama, '--host', 'epyc-9654', '--gpu-layers', '30']).out;
  assert.match(
    text,
    /^offload +30 of 81 layers \(the head is one\) on .*4090, the others on .*9654: .* tokens\/s; bound/m,
  );
  assert.match(text, /^card +.* weights \+ .* cache; .* per step/m);
  assert.match(text, /^best split +--gpu-layers \d+: /m);
});

await test('offload: the split leads, and its rate is that of all sequences', () => {
  const asked = [...llama, '--host', 'epyc-9654', '--gpu-layers', '30', '--batch', '4'];
  const text = roofline(asked).out;
  const { summary } = JSON.parse(roofline([...asked, '-o', 'json']).out);
  const { finding, typical_tpot_s: step } = summary.offload;
  assert.match(finding, /^With 30 of 81 layers on .*4090, the others on .*9654: .* tokens\/s, bound .*\.$/);
  assert.equal(Number(finding.match(/: ([\d.]+) tokens/)[1]), Number((4 / step).toPrecision(3)));
  assert.ok(summary.finding.startsWith(`${finding} Whole on the card: It does not fit`));
  assert.ok(text.startsWith(summary.finding));
  assert.match(text, new RegExp(`^offload .*: ${finding.match(/: (.*), bound/)[1]}; bound`, 'm'));
  assert.match(text, /^Whole on the card:\n\nmodel /m);
});

await test('offload: options that do not belong together are refused', () => {
  refused(2, [...llama, '--gpu-layers', '3'], /expected --host/);
  refused(2, [...llama, '--host', 'epyc-9654', '--experts-on-host'], /has no experts/);
  refused(2, [...llama, '--host', 'epyc-9654', '--tp', '2'], /expected one machine/);
  refused(2, [...llama, '--host', 'epyc-9'], /--host: /);
  for (const other of [
    ['--sweep', 'batch=1..8'],
    ['--fail-if', 'tpot_s > 1'],
  ])
    refused(2, [...llama, '--host', 'epyc-9654', ...other], /--host cannot be combined with --sweep or --fail-if/);
  refused(2, [...llama, '--host', 'epyc-9654', '--phase', 'serving', '--concurrency', '4'], /does not take .*--host/);
});
