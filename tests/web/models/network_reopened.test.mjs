// An open network beside other files: each stays at its own choices, and a link that waits for its file keeps its settings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

const file = (name, buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(buffer),
});
const named = name => file(name, readFileSync(new URL(`../../data/${name}`, import.meta.url)));
const registry = file(
  'registry.json',
  readFileSync(new URL('../../../presets/registries/npu-seed.json', import.meta.url)),
);

/** A page that has opened files. */
async function opened(...files) {
  const page = await openPage();
  const give = async (...more) => {
    await page.page.locator('#file-input').setInputFiles(more);
    await page.settled();
  };
  await give(...files);
  await page.page.getByRole('heading', { level: 1 }).waitFor();
  await page.settled();
  const change = page.page.getByRole('region', { name: 'Network' });
  return {
    page,
    give,
    change,
    batch: change.getByRole('spinbutton', { name: /^batch/ }),
  };
}

test('a network that replaces another has its own lengths', async () => {
  const settings = file('settings.json', JSON.stringify({ machine: 'h100-sxm' }));
  const alone = await opened(named('layers.onnx'), settings);
  const expected = await alone.page.headline();
  await alone.page.close();
  const { page, give, batch } = await opened(named('network.onnx'));
  await batch.fill('8');
  await page.settled();
  await page.page
    .locator('.source-chip')
    .getByText(/batch 8/)
    .waitFor();
  await give(named('layers.onnx'), settings);
  await check('the figures are those of the file alone', async () => assert.equal(await page.headline(), expected));
  assert.match(await page.text(page.page.locator('.source-chip')), /batch 1\b/);
  await give(file('table.csv', 'name,M,N,K,time_us\ngemm,4096,4096,4096,9000\n'), settings);
  await check('nor is another kind of file read as a network', async () =>
    assert.match(await page.text(page.page.locator('.source-chip')), /table\.csv/),
  );
  assert.equal(await page.page.getByText('no network without times is open').count(), 0);
  page.assertQuiet();
  await page.close();
});

test('a link that waits for its file keeps its settings while a network is read again', async () => {
  const mine = JSON.stringify([{ type: 'linear', name: 'proj', m: 64, n: 64, k: 64, time_ns: 9000 }]);
  const owner = await openPage();
  await owner.drop({ 'mine.json': mine });
  await owner.page.getByLabel('Machine', { exact: true }).first().fill('H100 SXM');
  await owner.page.keyboard.press('Enter');
  await owner.settled();
  const link = await owner.link();
  const { settings } = JSON.parse(Buffer.from(link.split('#')[1], 'base64url'));
  assert.ok(settings.machine);
  await owner.close();

  const { page, give } = await opened(named('network.onnx'));
  await page.page.evaluate(hash => (location.hash = hash), link.slice(link.indexOf('#')));
  await page.page
    .locator('main')
    .getByText(/mine\.json/)
    .first()
    .waitFor();
  await page.settled();
  await give(registry);
  assert.equal(await page.page.getByText('Another file is open').count(), 0);
  await page.drop({ 'mine.json': mine });
  await page.settled();
  await check('the file opens with the settings of the link', async () => {
    assert.equal(await page.page.getByText('Another file is open').count(), 0);
    const now = JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url'));
    assert.equal(now.source.file, 'mine.json');
    assert.equal(now.settings.machine, settings.machine);
  });
  page.assertQuiet();
  await page.close();
});

const event = (name, dur) => ({
  cat: 'Node',
  pid: 1,
  tid: 1,
  ts: dur,
  ph: 'X',
  dur,
  name: `${name}_kernel_time`,
  args: {
    op_name: 'MatMul',
    provider: 'CPUExecutionProvider',
    node_index: '0',
    input_type_shape: [],
    output_type_shape: [],
  },
});
const profile = file('profile.json', JSON.stringify([event('/head/MatMul', 77), event('/layers.0/up/MatMul', 10)]));
const broken = file('broken.onnx', named('layers.onnx').buffer.subarray(0, 200));

test('the worker keeps the network and its lengths beside a profile', async () => {
  const { page, give, batch } = await opened(named('layers.onnx'));
  await batch.fill('512');
  await page.settled();
  await give(profile);
  await page.page.getByText('layers.onnx + profile.json').first().waitFor();
  await page.show('Summary: By module');
  const head = page.view.getByRole('row', { name: /^head / });
  await head.waitFor();
  const at512 = await page.text(head);
  await page.show('Table only');
  await give(broken);
  await page.show('Summary: By module');
  await head.waitFor();
  await check('after another network was refused', async () => assert.equal(await page.text(head), at512));
  await page.close();
});

test('a profile may come before its network', async () => {
  const { page, give } = await opened(profile, named('layers.onnx'));
  await give(broken);
  await page.show('Summary: By module');
  await check('its modules have their times', async () =>
    assert.match(await page.text(page.view.getByRole('row', { name: /^head / })), /77 µs/),
  );
  await page.close();
});

test('a network follows its dimensions after a registry was opened', async () => {
  const { page, give, batch } = await opened(named('layers.onnx'));
  await give(registry);
  await page.page
    .getByText(/defines /)
    .first()
    .waitFor();
  await batch.fill('16');
  await page.settled();
  await check('at another length', async () =>
    assert.match(await page.text(page.page.locator('.source-chip')), /batch 16/),
  );
  assert.equal(await page.page.getByText('no network without times is open').count(), 0);
  await page.close();
});
