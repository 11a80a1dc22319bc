// The user's own files: a reload finds them, a link without its file asks for it, and nothing else is ever shown in its place.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { check, dist, openPage, Page, root, url } from '../harness.mjs';
import { conv, copy, four, matmul, mul } from '../inputs.mjs';

const three = JSON.stringify([conv, mul, { ...matmul, name: 'later' }]);

const question = page => page.page.getByRole('heading', { level: 1, name: /not in the link$/ });
const setAside = page => page.page.getByText(/^This link is for/);
const kept = page => page.page.getByText(/kept in this browser,/);
const note = page => page.page.getByText(/^Kept in this browser/);

/** Until the open file is kept and the address holds its digest. */
async function isKept(page) {
  await page.behind('source');
  await note(page).waitFor();
  await page.page.keyboard.press('Escape');
  return page.link();
}

async function reload(page) {
  await page.page.reload();
  await page.painted();
}

/** No figure of any operation, machine or sample is on the screen. */
async function showsNothingElse(page) {
  const text = await page.page.locator('main').innerText();
  assert.doesNotMatch(text, /FLOP|efficiency|memory-bound|GB\/s|ResNet|× faster|\dx\b/);
  assert.equal(await page.page.locator('canvas, table').count(), 0);
}

const stateOf = async page => [
  await page.text(page.sourceName),
  await page.count(),
  await page.summary('Bound'),
  await page.selectedName(),
  await page.headline(),
];

test('a reload brings back the own file and its view', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  await page.slide('DRAM', 700);
  await page.tableRow('proj').click();
  await page.settled();
  await isKept(page);
  const seen = await stateOf(page);
  await reload(page);
  await check('the same file, view and figures', async () => assert.deepEqual(await stateOf(page), seen));
  assert.equal(await question(page).count(), 0);

  // A second tab, and the file's size in the list.
  const second = new Page(await page.context.newPage(), page.context);
  await second.page.goto(await page.link());
  await second.painted();
  await check('another tab opens it too', async () => assert.deepEqual(await stateOf(second), seen));
  await page.behind('source');
  await kept(page).click();
  await check('the panel lists it with its size', async () =>
    assert.match(await page.page.getByRole('list', { name: /^Files kept/ }).innerText(), /mine\.json\s+[\d.,]+ k?B/),
  );
  await page.button('Forget mine.json').click();
  await kept(page).waitFor({ state: 'detached' });
  await second.page.reload();
  await question(second).waitFor();
  await check('forgotten in one tab, the other asks for it', () => showsNothingElse(second));
  await check('with its name and size', async () => {
    const text = await second.page.locator('main').innerText();
    assert.match(text, /mine\.json\s+[\d.,]+ k?B/);
  });
  await second.drop({ 'renamed.json': four });
  await check('machine, settings and view of the link apply once it is given', async () => {
    const now = await stateOf(second);
    assert.deepEqual(now.slice(1), seen.slice(1));
  });
  page.assertQuiet();
  second.assertQuiet();
  await page.close();
});

/** A link to an own file with a changed rate and a chosen row, and what the page showed. */
async function linkOfOwnFile() {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  await page.slide('DRAM', 700);
  await page.tableRow('proj').click();
  await page.settled();
  const link = await isKept(page);
  const seen = await stateOf(page);
  await page.close();
  return { link, seen };
}

test('somebody else who opens the link is asked for the file', async () => {
  const { link, seen } = await linkOfOwnFile();

  const guest = await openPage(link, { init: () => void (window.showOpenFilePicker = undefined) });
  await question(guest).waitFor();
  await check('nothing else is shown', () => showsNothingElse(guest));
  assert.equal(await guest.button(/^Share/).count(), 0);
  await guest.drop({ 'other.json': three });
  await check('another file in its place: the page says which the link is for', async () => {
    assert.match(await guest.text(guest.notices), /This link is for mine\.json \(.* B\)\. Another file is open/);
    const { settings, view } = JSON.parse(Buffer.from((await guest.link()).split('#')[1], 'base64url'));
    assert.deepEqual([settings, view], [undefined, undefined], 'nothing of the link is in force');
  });
  const [dialog] = await Promise.all([guest.page.waitForEvent('filechooser'), guest.button('Open mine.json…').click()]);
  await check('its button asks for a file and leaves what is open', async () =>
    assert.deepEqual([await guest.text(guest.sourceName), await guest.count()], ['other.json', '3']),
  );
  await dialog.setFiles({ name: 'mine.json', mimeType: '', buffer: Buffer.from(four) });
  await guest.settled();
  await check('and opens the right one on request', async () => assert.deepEqual(await stateOf(guest), seen));
  await check('which ends the notice', async () => assert.equal(await setAside(guest).count(), 0));
  await guest.committed();
  await guest.page.goto('about:blank');
  await guest.page.goto(link);
  await guest.painted();
  await guest.behind('source');
  await kept(guest).click();
  await guest.button('Forget all').click();
  await kept(guest).waitFor({ state: 'detached' });
  await guest.page.reload();
  await question(guest).waitFor();
  await guest.drop({ 'mine.json': three });
  await check('another file of that name is told apart, and shown under its own numbers', async () => {
    assert.match(
      await guest.text(guest.notices),
      /This link is for mine\.json \(.* B\)\. The file opened has other content/,
    );
    assert.equal(await guest.count(), '3');
  });
  await guest.committed(); // else the page goes on with this change when the same link is opened again
  await guest.page.goto('about:blank');
  await guest.page.goto(link);
  await question(guest).waitFor();
  await guest.drop({ 'mine.json': four });
  await check('the file itself brings the view', async () => assert.deepEqual(await stateOf(guest), seen));
  await guest.page.goto('about:blank');
  await guest.page.goto(
    link.replace(/#.*/, `#${Buffer.from(JSON.stringify({ source: { file: 'x.json' } })).toString('base64url')}`),
  );
  await question(guest).waitFor();
  await guest.button('Open a sample instead').click();
  await guest.painted();
  await check('a sample is one click away', async () => assert.ok(Number(await guest.count()) > 0));
  guest.assertQuiet();
  await guest.close();
});

test('a link applies once its file is given, after whatever other files', async () => {
  const { link, seen } = await linkOfOwnFile();

  const guest = await openPage(link);
  await question(guest).waitFor();
  await guest.drop({ 'other.json': three });
  await guest.drop({ 'another.json': JSON.stringify([conv, copy]) });
  await check('files that are not meant are shown as they are', async () => assert.equal(await guest.count(), '2'));
  await guest.drop({ 'renamed.json': four });
  await check('the file itself brings settings, view and selection', async () =>
    assert.deepEqual((await stateOf(guest)).slice(1), seen.slice(1)),
  );
  await check('and nothing asks for it any more', async () => assert.equal(await setAside(guest).count(), 0));
  await guest.committed();

  const missing = { source: { file: 'x.json' } };
  await guest.page.goto(link.replace(/#.*/, `#${Buffer.from(JSON.stringify(missing)).toString('base64url')}`));
  await question(guest).waitFor();
  await check('while a link waits, nothing is named as open', async () => {
    assert.equal(await guest.text(guest.sourceName), 'Open…');
    assert.doesNotMatch(await guest.told('source'), /\d ops/);
  });
  guest.assertQuiet();
  await guest.close();
});

test('two files of one name, a gzip file, Forget all', async () => {
  const page = await openPage();
  await page.drop({ 'run.json': four });
  const first = await isKept(page);
  await page.drop({ 'run.json': three });
  await check('the second is open', async () => assert.equal(await page.count(), '3'));
  await page.behind('source');
  await kept(page).filter({ hasText: '2 files' }).waitFor();
  await isKept(page);
  await reload(page);
  await check('a reload opens the second', async () => assert.equal(await page.count(), '3'));
  await page.page.goto('about:blank');
  await page.page.goto(first);
  await page.painted();
  await check('the link of the first opens the first', async () => assert.equal(await page.count(), '4'));
  await page.drop({ 'packed.json.gz': gzipSync(JSON.stringify([conv, copy])) });
  await check('a gzip file', async () => assert.equal(await page.count(), '2'));
  await isKept(page);
  await reload(page);
  await check('comes back', async () => assert.equal(await page.count(), '2'));
  await page.behind('source');
  await kept(page).click();
  await page.button('Forget all').click();
  await kept(page).waitFor({ state: 'detached' });
  await page.page.reload();
  await question(page).waitFor();
  await check('after Forget all the page asks', () => showsNothingElse(page));
  page.assertQuiet();
  await page.close();
});

/** Changes what the browser has stored, as a fault of its disk would. */
const inStore = (page, change) =>
  page.page.evaluate(
    text =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('roofline');
        opening.onerror = reject;
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('files', 'readwrite');
          const files = transaction.objectStore('files');
          files.getAll().onsuccess = ({ target: { result } }) => {
            if (text === null) files.clear();
            else for (const file of result) files.put({ ...file, blob: new Blob([text]) });
          };
          transaction.oncomplete = () => (opening.result.close(), resolve());
        };
      }),
    change,
  );

test('a damaged copy and an evicted one', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  await isKept(page);
  await inStore(page, three);
  await page.page.reload();
  await question(page).waitFor();
  await check('the damaged copy is not shown', async () => {
    await showsNothingElse(page);
    assert.match(await page.page.locator('main').innerText(), /damaged/);
  });
  await page.drop({ 'mine.json': four });
  await check('the file is', async () => assert.equal(await page.count(), '4'));
  await isKept(page);
  await inStore(page, null);
  await page.page.reload();
  await question(page).waitFor();
  await check('what the browser has evicted is asked for', () => showsNothingElse(page));
  page.assertQuiet();
  await page.close();
});

test('a browser that stores nothing, and one that is full', async () => {
  const forbidden = await openPage('', {
    init: () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('denied', 'SecurityError');
      };
    },
  });
  await forbidden.drop({ 'mine.json': four });
  await check('says that the file is not kept', async () =>
    assert.match(await forbidden.told('source'), /Not kept: .*private window/),
  );
  const link = await forbidden.link();
  assert.ok(link.includes('#'));
  await forbidden.page.reload();
  await question(forbidden).waitFor();
  await check('and asks for it after a reload', () => showsNothingElse(forbidden));
  forbidden.assertQuiet();
  await forbidden.close();

  const full = await openPage('', {
    init: () => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (file) {
        if (globalThis.full) throw new DOMException('full', 'QuotaExceededError');
        return put.call(this, file);
      };
    },
  });
  await full.drop({ 'first.json': four });
  await isKept(full);
  await full.page.evaluate(() => (globalThis.full = true));
  await full.drop({ 'second.json': three });
  await check('a full browser says so', async () =>
    assert.match(await full.told('source'), /Not kept: the storage of this browser is full/),
  );
  full.assertQuiet();
  await full.close();
});

test('a comparison comes back', async () => {
  const page = await openPage();
  await page.drop({ 'before.json': four });
  await isKept(page);
  await page.page
    .locator('#compare-input')
    .setInputFiles({ name: 'after.json', mimeType: '', buffer: Buffer.from(three) });
  await page.settled();
  await page.show('Compare');
  await check('compared', async () => assert.match(await page.text(page.view), /before\.json/));
  await isKept(page);
  const text = await page.text(page.view);
  await page.link();
  await reload(page);
  await check('the comparison comes back', async () => assert.equal(await page.text(page.view), text));
  const guest = await openPage(await page.link());
  await question(guest).waitFor();
  await check('a guest is asked for both', async () => {
    const asked = await guest.page.locator('main').innerText();
    assert.match(asked, /before\.json/);
    assert.match(asked, /after\.json/);
  });
  await guest.drop({ 'after.json': three });
  await check('one is not enough', async () => {
    assert.doesNotMatch(await guest.page.locator('main').innerText(), /after\.json/);
    await showsNothingElse(guest);
  });
  await guest.drop({ 'before.json': four });
  await check('both are', async () => assert.equal(await guest.text(guest.view), text));
  await guest.close();
  page.assertQuiet();
  await page.close();
});

test('registry, tensors and joined files come back', async () => {
  const data = name => readFileSync(join(root, 'tests/data', name));
  const own = [{ type: 'ID_MINE', name: 'own', data_type: 'FP16', input_mat1: [64, 64], time_ns: 1000 }];
  const page = await openPage();
  await page.drop({ 'ops.json': JSON.stringify(own), 'op_registry.json': data('op_registry.json') });
  await isKept(page);
  const bound = await page.summary('Bound');
  assert.match(bound, /\d/);
  await page.drop({ 'model.safetensors': data('model.safetensors') });
  const tensor = page.page.getByLabel('Tensor', { exact: true });
  await tensor.waitFor();
  const readable = tensor.locator('option:not([disabled])');
  const last = await readable.last().getAttribute('value');
  await tensor.selectOption(last);
  await check('the tensor is shown', async () => assert.equal(await tensor.inputValue(), last));
  await page.behind('source');
  await kept(page).filter({ hasText: '3 files' }).waitFor();
  await page.settled();
  const finding = await page.sentence();
  await page.link();
  await reload(page);
  await check('registry and tensor are in force again', async () => {
    assert.equal(await page.summary('Bound'), bound);
    assert.equal(await tensor.inputValue(), last);
    assert.equal(await page.sentence(), finding);
    assert.match(await page.told('source'), /with op_registry\.json/);
  });

  await page.drop({
    'engine.profile.json': data('tensorrt_profile.json'),
    'engine.graph.json': data('tensorrt_layers.json'),
  });
  const joined = 'engine.graph.json + engine.profile.json';
  await check('joined', async () => assert.equal(await page.text(page.sourceName), joined));
  await isKept(page);
  const totals = await page.totals.innerText();
  await reload(page);
  await check('both files are joined again', async () => {
    assert.equal(await page.text(page.sourceName), joined);
    assert.equal(await page.totals.innerText(), totals);
  });
  page.assertQuiet();
  await page.close();
});

test('from file:// too', async () => {
  const page = await openPage(pathToFileURL(join(dist, 'roofline.html')).href);
  await page.drop({ 'mine.json': four });
  await isKept(page);
  await reload(page);
  await check('the one-file page brings it back', async () =>
    assert.deepEqual([await page.text(page.sourceName), await page.count()], ['mine.json', '4']),
  );
  page.assertQuiet();
  await page.close();
});

test('the next visit offers the file and opens it', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  await isKept(page);
  await page.page.goto('about:blank');
  await page.page.goto(url);
  await page.painted();
  await page.button('Continue with mine.json').click();
  await check('it is open again', async () => assert.equal(await page.count(), '4'));
  page.assertQuiet();
  await page.close();
});
