// A network by module, and over one of its dimensions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openPage } from '../browser.mjs';
import { check } from '../harness.mjs';

const named = name => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(new URL(`../../data/${name}`, import.meta.url)),
});

test('a network is shown by module, and swept over its batch', async () => {
  const page = await openPage();
  await page.page.locator('#file-input').setInputFiles(named('layers.onnx'));
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.settled();
  await page.show('Summary: By module');
  const row = name => page.view.getByRole('row', { name });
  await row(/^layers\.0-2 x3 /).waitFor();
  await check('equal layers are one line, with their count and sums', async () => {
    assert.match(await page.text(row(/^layers\.0-2 x3 /)), /256 .*1,024 B|256\s.*1\.02 kB/);
    assert.equal(await page.view.getByRole('row').count(), 1 + 6); // all, layers, up, act, down, head
  });
  await check('the headline says what takes most', async () =>
    assert.match(await page.headline(), /^layers\.0-2, 3 equal modules, take \d+% of the predicted time/),
  );
  const share = await row(/^head /).textContent();
  const change = page.page.getByRole('region', { name: 'Network' });
  await change.getByRole('spinbutton', { name: /^batch/ }).fill('512');
  await page.settled();
  await check('sums follow the dimension', async () => {
    await page.page.waitForFunction(
      ([before]) => {
        const cells = [...document.querySelectorAll('.explore tbody tr, main tbody tr, tbody tr')];
        const head = cells.find(tr => tr.querySelector('th')?.textContent.trim() === 'head');
        return head && head.textContent !== before;
      },
      [share],
    );
  });
  await page.show('Scaling: Sweep');
  await page.view.locator('.js-plotly-plot .trace').first().waitFor();
  await check('a sweep says what bounds along the dimension', async () =>
    assert.match(await page.headline(), /bounds( all along| below batch = [\d,]+)/),
  );
  await page.view.getByRole('combobox', { name: 'Show', exact: true }).selectOption('Peak activations');
  await check('the peak of the activations can be shown', async () => {
    await page.view.locator('.ytitle', { hasText: 'Peak activations' }).waitFor();
  });
  const end = page.view.getByRole('spinbutton', { name: 'to' });
  await end.fill('96');
  await page.settled();
  await page.page.keyboard.press('Tab');
  await page.link();
  await page.page.reload();
  await page.painted();
  await page.committed();
  await check('the link has what the sweep shows', async () => {
    assert.equal(await end.inputValue(), '96');
    assert.equal(await page.view.getByRole('combobox', { name: 'Show', exact: true }).inputValue(), 'memory');
  });
  await end.fill('80');
  await page.page.keyboard.press('Tab');
  await page.settled();
  await page.link();
  await page.button('Undo').click();
  await check('its ends are undone', async () => assert.equal(await end.inputValue(), '96'));
});

test('modules have their measured time beside the predicted one', async () => {
  const page = await openPage();
  await page.page.locator('#file-input').setInputFiles(named('layers.onnx'));
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.settled();
  const event = (name, dur) => ({
    cat: 'Node',
    pid: 1,
    tid: 1,
    ts: dur,
    ph: 'X',
    dur,
    name: `${name}_kernel_time`,
  });
  const run = ['up/MatMul', 'down/MatMul'].flatMap((node, at) =>
    [0, 1, 2].map(layer => event(`/layers.${layer}/${node}`, 10 * (layer + 1) + at)),
  );
  const profile = [...run, event('/head/MatMul', 77)].map(one => ({
    ...one,
    args: {
      op_name: 'MatMul',
      provider: 'CPUExecutionProvider',
      node_index: '0',
      input_type_shape: [],
      output_type_shape: [],
    },
  }));
  await page.page.locator('#file-input').setInputFiles({
    name: 'profile.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(profile)),
  });
  await page.page.getByText('layers.onnx + profile.json').first().waitFor();
  await page.settled();
  await page.show('Summary: By module');
  const row = name => page.view.getByRole('row', { name });
  await row(/^head /).waitFor();
  await check('a module that was measured has its time', async () =>
    assert.match(await page.text(row(/^head /)), /77 µs/),
  );
  await check('equal modules have the mean of theirs: 20 + 21 µs', async () =>
    assert.match(await page.text(row(/^layers\.0-2 x3 /)), /41 µs/),
  );
  const change = page.page.getByRole('region', { name: 'Network' });
  await check('its sizes stay those of the run', async () => {
    await change.getByText(/as measured\. Open the network alone to change it/).waitFor();
    assert.equal(await change.getByRole('spinbutton').count(), 0);
  });
});

test('a network is merged as the compiler of the chosen NPU does, unless one is chosen', async () => {
  const page = await openPage();
  await page.page.locator('#file-input').setInputFiles(named('network.onnx'));
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.settled();
  const chip = page.page.locator('.source-chip');
  assert.doesNotMatch(await page.text(chip), /fused/);
  const choose = async machine => {
    await page.page.getByLabel('Machine', { exact: true }).first().fill(machine);
    await page.page.keyboard.press('Enter');
  };
  await choose('Ethos-U55 256');
  await chip.getByText(/fused: vela/).waitFor();
  const change = page.page.getByRole('region', { name: 'Network' });
  await change.getByText(/\d of \d nodes are merged into others/).waitFor();
  await change.getByRole('combobox', { name: 'Fused as' }).selectOption('no compiler');
  await page.page.waitForFunction(() => !document.querySelector('.source-chip').textContent.includes('fused'));
  await check('the choice stays with another machine, and in the link', async () => {
    await choose('RK3588');
    await page.settled();
    assert.doesNotMatch(await page.text(chip), /fused/);
    const { source } = JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url'));
    assert.equal(source.as.network.fold, 'none');
  });
});

test('activations that exceed the on-chip memory get a proposal', async () => {
  const page = await openPage();
  await page.page.locator('#file-input').setInputFiles(named('network.onnx'));
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.settled();
  await page.show('Timeline: Activation memory');
  const memory = page.view.getByRole('spinbutton', { name: /On-chip memory/ });
  await memory.fill('700');
  await check('the headline says what does not fit, and what would', async () => {
    await page.page.getByRole('heading', { name: /exceeds the 717 kB of /, level: 1 }).waitFor();
  });
  await page.view
    .getByRole('row', { name: / tiles of / })
    .first()
    .waitFor();
  await memory.fill('4000');
  await page.page.getByRole('heading', { name: /fits the 4\.1 MB of /, level: 1 }).waitFor();
});

test('a network without module paths says so', async () => {
  const page = await openPage();
  await page.page.locator('#file-input').setInputFiles(named('network.onnx'));
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.settled();
  await page.show('Summary: By module');
  await page.view.getByText('The file names no modules').waitFor();
});
