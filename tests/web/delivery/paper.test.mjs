// What is left of the page on paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

test('on paper: finding, chart, table and remarks, light, without controls', async () => {
  const page = await openPage('', { colorScheme: 'dark' });
  await page.drop({
    'odd.json': '[{"type": "ID_MM", "name": "product", "input_mat1": [4, 5], "input_mat2": [5, 6]}, {"type": "odd"}]',
  });
  await page.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await check('light', async () =>
    assert.equal(await page.page.evaluate(() => document.documentElement.dataset.theme), 'light'),
  );
  for (const part of [
    page.finding,
    page.chart,
    page.operations,
    page.page.getByRole('region', { name: /^Import (errors|problems|warnings|notes)$/ }),
  ])
    await check('it is there', async () => assert.ok(await part.isVisible()));
  for (const name of ['Share', 'Export', 'More', 'Columns'])
    await check(`no ${name}`, async () => assert.ok(!(await page.button(name).first().isVisible())));
  const paper = await page.page.pdf({ preferCSSPageSize: true });
  assert.equal(paper.subarray(0, 5).toString(), '%PDF-');
  await page.page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await check('the screen is as before', async () =>
    assert.equal(await page.page.evaluate(() => document.documentElement.dataset.theme), 'dark'),
  );
  await page.close();
});
