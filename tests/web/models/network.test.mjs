// An ONNX model: dropped, resized by its dimensions, folded, timed by a profile, shared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openPage } from '../browser.mjs';
import { check } from '../harness.mjs';

const bytes = readFileSync(new URL('../../data/network.onnx', import.meta.url));
const file = {
  name: 'network.onnx',
  mimeType: 'application/octet-stream',
  buffer: bytes,
};
const run = (name, op_name, dur, input_type_shape) => ({
  cat: 'Node',
  pid: 1,
  tid: 1,
  dur,
  ts: dur,
  ph: 'X',
  name: `${name}_kernel_time`,
  args: {
    op_name,
    provider: 'CPUExecutionProvider',
    node_index: '0',
    input_type_shape,
    output_type_shape: [],
  },
});

test('a network opens, follows its dimensions, and meets its profile', async () => {
  const page = await openPage();
  await page.page.locator('#file-input').setInputFiles(file);
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.settled();
  const change = page.page.getByRole('region', { name: 'Network' });
  await check('the dimensions that nobody has set are assumed, and say so', async () => {
    assert.match(await page.text(page.page.locator('.source-chip')), /batch 1, height 224, width 224/);
    assert.match(await page.text(change), /assumed/);
  });
  await check('its weights are counted', async () => assert.match(await page.text(change), /528 B, 132 parameters/));
  const batch = change.getByRole('spinbutton', { name: /^batch/ });
  const before = await page.headline();
  await batch.fill('8');
  await page.settled();
  await check('a longer batch takes longer', async () => {
    assert.notEqual(await page.headline(), before);
    assert.match(await page.text(page.page.locator('.source-chip')), /batch 8/);
  });
  const fused = change.getByRole('combobox', { name: 'Fused as' });
  await check('the default names its compiler', async () =>
    assert.deepEqual((await fused.locator('option').allInnerTexts()).slice(0, 2), [
      'Machine default: no compiler',
      'no compiler',
    ]),
  );
  await fused.selectOption('an ideal compiler');
  await page.settled();
  await check('fused, it has fewer operations', async () => assert.match(await page.headline(), /for 4 ops/));
  await page.show('Timeline: Activation memory');
  await check('the activations are a curve with its highest place', async () =>
    assert.match(await page.text(page.view), /Peak activations [\d.]+ \w+, at \w+/),
  );
  await check('the link has the dimensions', async () => {
    const { source } = JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url'));
    assert.deepEqual(source.as.network, {
      dimensions: { batch: 8 },
      fold: 'all',
    });
  });
  await fused.selectOption('Machine default');
  await page.settled();
  const profile = JSON.stringify([
    run('c', 'Conv', 90, [{ float: [8, 3, 224, 224] }, { float: [4, 3, 3, 3] }, { float: [4] }]),
    run('y', 'Gemm', 12, [{ float: [8, 4] }, { float: [5, 4] }, { float: [5] }]),
    run('nchwc', 'ReorderInput', 5, [{ float: [8, 3, 224, 224] }]),
  ]);
  await page.page.locator('#file-input').setInputFiles({
    name: 'profile.json',
    mimeType: 'application/json',
    buffer: Buffer.from(profile),
  });
  await page.page.getByText('network.onnx + profile.json').first().waitFor();
  await page.settled();
  await page.show('Table only');
  await check('measured times appear next to predicted ones', async () => {
    const text = await page.text(page.page.locator('body'));
    assert.match(text, /90 µs/);
    assert.match(text, /nchwc/);
  });
  await check('it is merged as the engine that ran it, which says so', async () => {
    assert.match(
      await page.text(change),
      /merged into others or vanish, as ONNX Runtime \(CPU\) does, which ran the network/,
    );
    assert.match(await page.text(fused), /As in the profile: ONNX Runtime \(CPU\)/);
  });
  await fused.selectOption('no compiler');
  await page.settled();
  await check('other rules keep the times and the dimensions', async () => {
    assert.doesNotMatch(await page.text(change), /merged into others/);
    assert.match(await page.text(page.page.locator('body')), /90 µs/);
    const { source } = JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url'));
    assert.deepEqual(source.as.network, {
      dimensions: { batch: 8 },
      fold: 'none',
    });
  });
});
