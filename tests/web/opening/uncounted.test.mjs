// A profile whose FLOPs were not counted: the command that counts them is shown once, and referred to elsewhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { samples, skip } from '../../samples.mjs';

test('the command to count FLOPs is shown once', { skip }, async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'gemm.csv': readFileSync(join(samples, 'ncu_csv/GPU-Roofline-Profiler-gemm_tiled.csv')) });
  const command = page.page.locator('code').filter({ hasText: /^ncu / });
  await check('in the headline', async () => assert.equal(await page.finding.locator('code').count(), 1));
  await check('and nowhere else', async () => assert.equal(await command.count(), 1));
  await check('the panel and the chart name it', async () => {
    assert.match(await page.diagnosis.innerText(), /the command in the headline/);
    assert.match(await page.view.innerText(), /the command in the headline/);
  });
  await page.show('Machines');
  await check('under another headline, the panel shows it', async () =>
    assert.ok((await page.finding.locator('code').count()) + (await page.diagnosis.locator('code').count()) >= 1),
  );
  page.assertQuiet();
  await page.close();
});

test('where only times are known, the table takes the place of the roofline', async () => {
  for (const width of [1280, 390]) {
    const page = await openPage('', { viewport: { width, height: 844 } });
    await page.drop({ 'times.csv': 'name,time_us\nproduct,1500\nsum,20\n' });
    await check('and a line says why', async () =>
      assert.ok(
        await page.page.getByText('Times only: no operation has a place on the roofline').isVisible(),
        `${width} px`,
      ),
    );
    assert.equal(await page.chart.count(), 0);
    assert.deepEqual(await page.tableNames(), ['product', 'sum']);
    await check('a line separates its operations', async () =>
      assert.equal((await page.page.locator('.time-strip .separators').getAttribute('d')).match(/M/g).length, 1),
    );
    await page.inspect();
    await page.diagnosis.waitFor();
    assert.equal(await page.page.getByText('Fuse with neighbours').count(), 0);
    if (width < 900) await page.page.keyboard.press('Escape');
    const chooser = page.page.waitForEvent('filechooser');
    await page.page.evaluate(() => (globalThis.showOpenFilePicker = undefined));
    await page.button("Add the model's graph or shapes…").click();
    const shapes = JSON.stringify([
      { type: 'MatMul', name: 'product', m: 512, n: 512, k: 512 },
      { type: 'Add', name: 'sum', input_shape: [512, 512] },
    ]);
    await (await chooser).setFiles({ name: 'shapes.json', mimeType: 'application/json', buffer: Buffer.from(shapes) });
    await check('shapes that are added are joined with the times', async () => {
      assert.ok(await page.chart.isVisible());
      assert.match(await page.notices.innerText(), /They are joined by name/);
    });
    page.assertQuiet();
    await page.close();
  }
});
