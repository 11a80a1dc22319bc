// Each form in which the page is delivered passes the same walk, and finds the same.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { buildElsewhere } from '../../package/elsewhere.mjs';
import { commandOf, installed, isBuilt, served } from '../../package/installed.mjs';
import { check, dist, openPage, root } from '../harness.mjs';
import { walkThrough } from './one_walk.mjs';
import { Site } from '../site.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roofline-deliveries-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const sample = join(root, 'presets/samples/resnet-50-synthetic.json');

// The site is where its build was told it would be; so are the links of the single file and of reports.
const told = await new Site().start();
told.folder = buildElsewhere(told.url);
after(() => told.stop());
const single = pathToFileURL(join(told.folder, 'roofline.html')).href;

let first = null;
/// The walk, and that it found what the forms before found; its link.
async function passes(page, fresh = openPage) {
  const { link, ...found } = await walkThrough(page, fresh);
  await page.close();
  assert.deepEqual(found, (first ??= found));
  return link;
}

test('the site under a sub-path', async () => {
  const link = await passes(await openPage(told.url));
  assert.ok(link.startsWith(`${told.url}#`));
});

test('one file by a double click: its links lead to the site', async () => {
  const link = await passes(await openPage(single));
  assert.ok(link.startsWith(`${told.url}#`), link.slice(0, 100));
});

test('one file whose build was told of no site: its links open it again, and it says so', async () => {
  const page = await openPage(pathToFileURL(join(buildElsewhere(''), 'roofline.html')).href);
  await page.button(/^Share/).click();
  assert.equal(await page.page.getByText(/works on this computer only/).count(), 1);
  await page.page.keyboard.press('Escape');
  assert.match(await passes(page), /^file:/);
});

test('a report', async () => {
  const page = await openPage(single);
  await page.drop({ 'resnet-50.json': readFileSync(sample, 'utf8') });
  await check('the file is open', async () => assert.equal(await page.text(page.sourceName), 'resnet-50.json'));
  const report = join(folder, 'report.html');
  copyFileSync((await page.download('Report (HTML)')).path, report);
  await page.close();
  const link = await passes(await openPage(pathToFileURL(report).href));
  assert.ok(link.startsWith(`${told.url}#`), link.slice(0, 100));
});

test('the site without a network, after the first visit', async () => {
  const site = await new Site(dist).start();
  const page = await openPage(site.url, { serviceWorkers: 'allow' });
  await page.page.evaluate(() => navigator.serviceWorker.ready);
  await site.stop();
  await page.page.reload();
  await page.painted();
  page.complaints.length = 0; // what a browser says of a page that is not there
  await passes(page, async link => {
    await site.start(); // a fresh profile has kept nothing
    return openPage(link);
  });
  await site.stop();
});

test('the npm package: serve', { skip: !isBuilt && 'the package is not built' }, async t => {
  const { url, stop } = await served(t, commandOf(installed()), [sample]);
  await passes(await openPage(url));
  assert.equal(await stop(), 0);
});
