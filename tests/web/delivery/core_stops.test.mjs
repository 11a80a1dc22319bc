// The core's worker ends, or its memory runs out: it is said, and what was open is open again as it was.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { check, dist, openPage } from '../harness.mjs';
import { four, many } from '../inputs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roofline-core-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const big = join(folder, 'big.json');
const OPS = 100_000; // more than the module's first memory holds
writeFileSync(big, JSON.stringify(many(OPS)));

const FULL = "WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no more'); };";
const registry = JSON.stringify({ ops: { ID_OWN: { macs: 'n * 1000', bytes: 'n * 2' } } });
const own = JSON.stringify([...JSON.parse(four), { type: 'ID_OWN', name: 'own', n: 4096, time_ns: 90_000 }]);
const slower = own.replaceAll('"time_ns":', '"time_ns":1');

const seen = async page => [
  await page.sentence(),
  await page.count(),
  await page.totals.innerText(),
  await page.tableNames(),
];
const saysSo = (page, why) =>
  check('it is said', async () =>
    assert.match(await page.text(page.notices), new RegExp(`The core stopped \\(.*${why}`)),
  );
const open = (page, file) => page.page.getByLabel('Open files').setInputFiles(file);

for (const [form, address] of [
  ['the site', ''],
  ['one file', pathToFileURL(join(dist, 'roofline.html')).href],
])
  test(`the worker of ${form} ends`, async () => {
    const page = await openPage(address);
    await page.drop({ 'op_registry.json': registry });
    await page.drop({ 'before.json': own, 'after.json': slower });
    await page.button('Unfold the table').click();
    await page.tableRow('own').click();
    await page.slide('DRAM', 700);
    const [before, name] = [await seen(page), await page.selectedName()];
    assert.ok(before[3].includes('own'));
    await page.page.workers()[0].evaluate(() => close());
    await saysSo(page, 'its worker ended');
    await page.settled();
    await check('nothing has changed', async () =>
      assert.deepEqual([await seen(page), await page.selectedName()], [before, name]),
    );
    await page.slide('DRAM', 300);
    await check('and the core answers', async () => assert.notEqual(await page.totals.innerText(), before[2]));
    await page.show('Compare');
    await check('about both runs', async () => assert.match(await page.sentence(), /slower/));
    page.assertQuiet();
    await page.close();
  });

function noLocks() {
  const request = () => Promise.reject(new DOMException('forbidden', 'SecurityError'));
  Object.defineProperty(navigator, 'locks', { value: { request } });
}

test('the worker ends where the page may not use locks', async () => {
  const page = await openPage('', { init: noLocks, clock: true });
  await page.drop({ 'four.json': four });
  const before = await seen(page);
  await page.page.workers()[0].evaluate(() => close());
  await page.move('DRAM', 700); // is answered by the next one
  await page.clock.runFor(90_000); // it is asked every ten seconds, and again six times
  await saysSo(page, 'no longer answers');
  await page.settled();
  await check('what was open is open', async () => assert.deepEqual((await seen(page))[3], before[3]));
  await check('and answers', async () => assert.notEqual(await page.totals.innerText(), before[2]));
  page.assertQuiet();
  await page.close();
});

test('a file for which the memory does not suffice', async () => {
  const page = await openPage();
  await page.drop({ 'four.json': four });
  const before = await seen(page);
  await page.page.workers()[0].evaluate(FULL);
  await open(page, big);
  await check('it is named', async () => assert.match(await page.alert(), /big\.json.*ran out of memory/s));
  await saysSo(page, 'it ran out of memory');
  await check('what was open is open', async () => assert.deepEqual(await seen(page), before));
  await page.button('Dismiss').first().click();
  await open(page, big); // in a worker that gets its memory
  await check('and the next file opens', async () => assert.equal(await page.count(), '100,000'));
  page.assertQuiet();
  await page.close();
});

test('a file of forty gigabytes is refused at once, and what was open stays', async () => {
  const page = await openPage();
  await page.drop({ 'four.json': four });
  const before = await seen(page);
  const line = `${JSON.stringify(JSON.parse(four)[2])}\n`;
  await page.page.evaluate(text => {
    const piece = new Blob([text.repeat(Math.ceil(64e6 / text.length))]); // held once, however often it is in the file
    const data = new DataTransfer();
    data.items.add(new File(new Array(640).fill(piece), 'forty.json'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
  }, line);
  await check('it is named, with what takes it', async () =>
    assert.match(await page.alert(), /forty\.json.*about \d{9} operations: .* memory .* roofline analyze/s),
  );
  assert.doesNotMatch(await page.text(page.notices), /was restarted/); // it was noticed before the memory ran out
  await page.settled();
  await check('what was open is open', async () => assert.deepEqual(await seen(page), before));
  await page.slide('DRAM', 300);
  await check('and answers', async () => assert.notEqual(await page.totals.innerText(), before[2]));
  page.assertQuiet();
  await page.close();
});

test('the memory runs out again when what was open is opened', async () => {
  const page = await openPage();
  await open(page, big);
  await check('it is open', async () => assert.equal(await page.count(), '100,000'));
  await page.settled();
  const before = await seen(page);
  const script = /worker\.js/;
  await page.page.route(script, async route => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${FULL}${await response.text()}` });
  });
  await page.page.workers()[0].evaluate(() => close());
  await check('it is said', async () => assert.match(await page.alert(), /could not reopen.*memory/s));
  await page.button('Try again').click();
  await check('it is said again', async () => assert.match(await page.alert(), /could not reopen.*memory/s));
  await page.button('Open a sample').click();
  await check('a sample needs less', async () =>
    assert.equal(await page.text(page.sourceName), 'ResNet-50, INT8, batch 8'),
  );
  assert.equal(await page.page.getByRole('alert').count(), 0);
  await page.page.unroute(script);
  await page.page.workers()[0].evaluate(() => close());
  await saysSo(page, 'its worker ended');
  await open(page, big);
  await check('with memory it opens', async () => assert.deepEqual(await seen(page), before));
  page.assertQuiet();
  await page.close();
});
