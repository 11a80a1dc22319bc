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

test('a line above the chart says why it has no points', async () => {
  for (const width of [1280, 390]) {
    const page = await openPage('', { viewport: { width, height: 844 } });
    await page.drop({ 'times.csv': 'name,time_us\nproduct,1500\nsum,20\n' });
    const why = await page.page.getByText('so the chart has no points').boundingBox();
    const chart = await page.chart.boundingBox();
    await check('and covers none of it', async () => assert.ok(why.y + why.height <= chart.y, `${width} px`));
    page.assertQuiet();
    await page.close();
  }
});
