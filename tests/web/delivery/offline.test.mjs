// The same page from a folder, without any server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { check, dist, openPage } from '../harness.mjs';
import { worksByItself } from './one_walk.mjs';

test('offline', async () => {
  const page = await openPage(pathToFileURL(join(dist, 'index.html')).href);
  await worksByItself(page);
  page.assertQuiet();
  await page.close();
});

test('one file', async () => {
  const page = await openPage(pathToFileURL(join(dist, 'roofline.html')).href);
  const requests = [];
  page.page.on('request', request => requests.push(request.url()));
  await worksByItself(page);
  const document = page.context.waitForEvent('page');
  await page.page.keyboard.press('?');
  await page.page.getByRole('link', { name: 'Language models', exact: true }).click();
  const opened = await document;
  await check('a document opens out of it', async () =>
    assert.match(await opened.getByRole('heading', { level: 1 }).innerText(), /[Ll]anguage model/),
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
