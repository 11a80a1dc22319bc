// The same page from a folder, without any server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { check, dist, openPage } from './harness.mjs';
import { four } from './inputs.mjs';

test('offline', async () => {
  const page = await openPage(pathToFileURL(join(dist, 'index.html')).href);
  await check('a sample is open', async () => assert.ok(Number(await page.summary('ops')) > 0));
  await page.drop({ 'commands.json': four });
  await check('a file opens', async () => assert.deepEqual(await page.summary('ops'), '4'));
  await page.slide('DRAM', 700);
  await page.show('Bars');
  await page.page
    .getByRole('img', { name: /^Bound and lost time/ })
    .locator('.point')
    .first()
    .waitFor({ state: 'attached', timeout: 10_000 });
  await check('the chart library loads', async () => assert.ok(true));
  page.assertQuiet();
  await page.close();
});

test('one file', async () => {
  const page = await openPage(pathToFileURL(join(dist, 'roofline.html')).href);
  const requests = [];
  page.page.on('request', request => requests.push(request.url()));
  await check('a sample is open', async () => assert.ok(Number(await page.summary('ops')) > 0));
  await page.drop({ 'commands.json': four });
  await check('a file opens', async () => assert.deepEqual(await page.summary('ops'), '4'));
  await page.slide('DRAM', 700);
  await page.show('Bars');
  await check('a chart of the chart library', async () =>
    assert.ok(
      await page.page
        .getByRole('img', { name: /^Bound and lost time/ })
        .locator('.point')
        .first()
        .isVisible(),
    ),
  );
  const document = page.context.waitForEvent('page');
  await page.page.getByRole('link', { name: 'PyTorch', exact: true }).click();
  const opened = await document;
  await check('a document opens out of it', async () =>
    assert.match(await opened.getByRole('heading', { level: 1 }).innerText(), /PyTorch/),
  );
  await check('nothing is asked of any other file', async () =>
    assert.deepEqual(
      requests.filter(url => !url.startsWith('blob:') && !url.startsWith('data:')),
      [],
    ),
  );
  page.assertQuiet();
  await page.close();
});
