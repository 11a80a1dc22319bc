// After its first visit the page works without a network; a newer version is told, and no version gets a file of another.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, dist, openPage, Page } from '../harness.mjs';
import { worksByItself } from './one_walk.mjs';
import { Site } from '../site.mjs';

const STAMP = /main\.js\?v=(\w+)/.exec(readFileSync(join(dist, 'index.html'), 'utf8'))[1];
const LATER = 'f'.repeat(STAMP.length);
const hash = content => createHash('sha256').update(content).digest('base64');

/// The site in its next version: its own stamp in the page and its script, another chart library, and their hashes in the service worker.
function laterVersion() {
  const files = {};
  let worker = readFileSync(join(dist, 'service_worker.js'), 'utf8').replaceAll(STAMP, LATER);
  for (const name of ['index.html', 'main.js', 'plotly.js']) {
    const old = readFileSync(join(dist, name), 'utf8');
    files[name] = `${old.replaceAll(STAMP, LATER)}${name === 'plotly.js' ? '\n// later' : ''}`;
    worker = worker.replaceAll(hash(old), hash(files[name]));
  }
  return { ...files, 'service_worker.js': worker };
}

const kept = page => page.page.evaluate(() => navigator.serviceWorker.ready.then(() => caches.keys()));
const stampOf = page => page.page.evaluate(() => /v=(\w+)/.exec(document.querySelector('script[src*=main]').src)[1]);
const bars = page =>
  page.page
    .getByRole('img', { name: /^Bound and time above it/ })
    .locator('.point')
    .first()
    .waitFor({ state: 'attached' });
const update = page =>
  page.page.evaluate(() => navigator.serviceWorker.getRegistration().then(known => known.update().then(() => {})));

/** The service worker that is installed and waits; `replaced` resolves when it is in the place of the one before it. */
async function waitingWorker(context) {
  const session = await context.newCDPSession(await context.newPage());
  let waiting;
  const replaced = new Promise(resolve =>
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { versionId, status } of versions) {
        if (status === 'installed') waiting = versionId;
        else if (status === 'activated' && versionId === waiting) resolve();
      }
    }),
  );
  await session.send('ServiceWorker.enable');
  return { replaced };
}

test('without a network, after the first visit', async () => {
  const site = await new Site().start();
  const page = await openPage(site.url, { serviceWorkers: 'allow' });
  await check('this version is kept', async () => assert.match((await kept(page)).join(), new RegExp(`${STAMP}$`)));
  await site.stop();
  await page.page.reload();
  await page.painted();
  await worksByItself(page);
  const report = await page.download('Report (HTML)');
  assert.ok(readFileSync(report.path).length > 1e6, 'a report is made');
  const document = await page.context.newPage();
  await document.goto(`${site.url}docs/formats.html`);
  assert.ok(await document.getByRole('heading', { level: 1 }).isVisible());
  await page.close();
});

test('a newer version is told, and shown by a reload', async () => {
  const site = await new Site().start();
  const page = await openPage(site.url, { serviceWorkers: 'allow' });
  await check('this version is kept', async () => assert.equal((await kept(page)).length, 1));
  await page.page.reload(); // under the service worker now
  await page.painted();

  const told = page.page.getByText(/newer version/);
  site.changed = { ...laterVersion(), 'roofline.wasm': 'of yet another version' };
  const became = await page.page.evaluate(async () => {
    const known = await navigator.serviceWorker.getRegistration();
    const state = new Promise(resolve =>
      known.addEventListener('updatefound', () => {
        const { installing } = known;
        installing.addEventListener('statechange', () => resolve(installing.state));
      }),
    );
    await known.update().catch(() => {});
    return state;
  });
  assert.equal(became, 'redundant');
  await check('a version that is not whole is not taken', async () => {
    assert.equal(await told.count(), 0);
    assert.equal(
      await page.page.evaluate(() => navigator.serviceWorker.getRegistration().then(known => known.waiting === null)),
      true,
    );
  });

  site.changed = laterVersion();
  // As after an hour: a new attempt, because what failed is not remembered.
  await update(page);
  await check('it is told', async () => assert.equal(await told.count(), 1));
  assert.equal(await stampOf(page), STAMP, 'the page that is open stays as it is');
  const libraries = () => site.asked.filter(url => url.includes('plotly.js?') && !url.endsWith(LATER));
  const before = libraries().length;
  await page.show('Bars');
  await bars(page);
  assert.equal(libraries().length, before, 'what it needs later is of its own version, which it has kept');

  await page.link(); // it says which view is shown
  await page.notices.getByRole('button', { name: 'Reload' }).click();
  await page.page.waitForURL(() => true);
  await page.painted();
  await check('a reload shows it', async () => assert.equal(await stampOf(page), LATER));
  await bars(page);
  await check('its files are asked for by its own version', async () =>
    assert.ok(site.asked.some(url => url.endsWith(`plotly.js?v=${LATER}`))),
  );

  await site.stop();
  await page.page.reload();
  await page.painted();
  await check('the service worker before it keeps the version before it, whole, while a tab has it', async () =>
    assert.equal(await stampOf(page), STAMP),
  );
  await bars(page);
  const { replaced } = await waitingWorker(page.context);
  await page.page.close();
  await replaced; // with the last of its tabs
  const next = new Page(await page.context.newPage(), page.context);
  await next.page.goto(site.url);
  assert.equal(await stampOf(next), LATER);
  await next.painted();
  await next.show('Bars');
  await bars(next);
  await page.close();
});
