// From an ONNX file to a shared link, as a person does it on a wide screen, a tablet and a phone. With SCREENSHOTS=FOLDER each step is
// saved as a picture.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

const bytes = readFileSync(new URL('../../data/network.onnx', import.meta.url));
const onnx = {
  name: 'network.onnx',
  mimeType: 'application/octet-stream',
  buffer: bytes,
};
const node = (name, op_name, dur) => ({
  ...{
    cat: 'Node',
    pid: 1,
    tid: 1,
    ph: 'X',
    dur,
    ts: dur,
    name: `${name}_kernel_time`,
  },
  args: {
    op_name,
    provider: 'CPUExecutionProvider',
    node_index: '0',
    input_type_shape: [],
    output_type_shape: [],
  },
});
// Of the network's operations all but q; one layer that ONNX Runtime added.
const profile = JSON.stringify([
  node('fused c', 'FusedConv', 640),
  node('p', 'GlobalAveragePool', 90),
  node('y', 'Gemm', 12),
  node('ReorderOutput', 'ReorderOutput', 25),
]);

for (const [width, height] of [
  [1440, 900],
  [768, 1024],
  [390, 844],
])
  test(`a network, its batch, its finding, a profile of it, and the link at ${width} pixels`, async () => {
    const page = await openPage('', {
      viewport: { width, height },
      hasTouch: width < 1000,
    });
    let step = 0;
    const look = async what => {
      await page.settled();
      const wide = await page.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${what}: ${wide} pixels wide`);
      const folder = process.env.SCREENSHOTS;
      if (folder)
        await page.page.screenshot({
          path: join(folder, `network-${width}-${++step}-${what}.png`),
        });
    };

    await page.page.locator('#file-input').setInputFiles(onnx);
    await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
    const first = await page.sentence();
    await look('opened');

    await page.change();
    const sizes = page.page.getByRole('region', { name: 'Network' });
    const batch = sizes.getByRole('slider', { name: /^batch/ });
    await batch.focus();
    for (let i = 0; i < 3; ++i) await batch.press('ArrowRight');
    await page.settled();
    const chosen = Number(await sizes.getByRole('spinbutton', { name: /^batch/ }).inputValue());
    assert.ok(chosen > 1);
    await look('batch');
    await check('the finding is about the new batch', async () => {
      assert.match(await page.sentence(), /^At least [\d.]+ \S+ .*for \d unfused ops/);
      assert.notEqual(await page.sentence(), first);
    });
    await page.page.keyboard.press('Escape');

    await page.drop({ 'profile.json': profile });
    await page.page.getByText('network.onnx + profile.json').first().waitFor();
    await page.settled();
    const measured = await page.sentence();
    await look('profile');
    await page.show('Table only');
    await check('each layer has its measured time beside the predicted one', async () => {
      const names = await page.tableNames();
      const times = await page.column(page.operations, 'Time');
      const above = await page.column(page.operations, 'Above bound');
      const of = name => names.findIndex(text => text.startsWith(name));
      for (const [name, time] of [
        ['c', '640 µs'],
        ['p', '90 µs'],
        ['y', '12 µs'],
      ]) {
        assert.equal(times[of(name)], time, name);
        assert.match(above[of(name)], /^[\d.]+ (ns|µs|ms)$/, name);
      }
      assert.equal(times[of('ReorderOutput')], '25 µs'); // of the engine, with no node
    });
    await look('table');

    const link = await page.link();
    const other = await openPage(link);
    await other.page.getByRole('heading', { name: 'The files are not in the link' }).waitFor(); // it asks for the files
    const json = {
      name: 'profile.json',
      mimeType: 'application/json',
      buffer: Buffer.from(profile),
    };
    await other.page.locator('#file-input').setInputFiles([onnx, json]);
    await other.page.getByText('network.onnx + profile.json').first().waitFor();
    await other.settled();
    await check('whoever opens the link, and has the files, sees the same', async () =>
      assert.equal(await other.sentence(), measured),
    );
    other.assertQuiet();
    await other.close();
    page.assertQuiet();
    await page.close();
  });
