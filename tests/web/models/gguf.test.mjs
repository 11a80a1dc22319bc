// A GGUF file of 40 GB: dropped, judged, compared with other mixtures, shared.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LLAMA_70B, ggufHeader, llamaGguf, writeGguf } from '../../gguf.mjs';
import { openPage } from '../browser.mjs';
import { check } from '../harness.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roofline-gguf-'));
after(() => rmSync(folder, { recursive: true }));
const small = {
  layers: 2,
  hidden: 256,
  heads: 4,
  kvHeads: 2,
  mlp: 512,
  vocab: 1024,
};

/** Counts what the page and its workers read of blobs from here on. Returns a function that says how much it was. */
async function countReads({ page }) {
  const count = () => {
    const read = (globalThis.read = { bytes: 0, slices: 0 });
    const counted = (owner, name, blobOf) => {
      const { [name]: original } = owner;
      owner[name] = function (...args) {
        read.bytes += blobOf(this, args).size;
        ++read.slices;
        return original.apply(this, args);
      };
    };
    for (const name of ['arrayBuffer', 'text', 'stream']) counted(Blob.prototype, name, blob => blob);
    for (const owner of [globalThis.FileReader, globalThis.FileReaderSync])
      for (const name of ['readAsArrayBuffer', 'readAsText'])
        if (owner) counted(owner.prototype, name, (_, [blob]) => blob);
  };
  const places = [page, ...page.workers()];
  for (const place of places) await place.evaluate(count);
  return async () => {
    const all = await Promise.all(places.map(place => place.evaluate(() => globalThis.read)));
    return {
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      slices: all.reduce((sum, { slices }) => sum + slices, 0),
    };
  };
}

test('a GGUF file opens and is compared with mixtures', async () => {
  const file = join(folder, 'llama-70b-Q4_K.gguf');
  assert.ok(writeGguf(file, ...llamaGguf(LLAMA_70B)) > 39e9);
  const page = await openPage();
  const reads = await countReads(page);
  await page.page.locator('#file-input').setInputFiles(file);
  await page.page.getByRole('heading', { name: /^Decode at batch/, level: 1 }).waitFor();
  const pieces = 5 << 20; // of 1 and 4 MiB: the header has 2.4 MB
  const { bytes, slices } = await reads();
  await check('only the header is read, in a few slices', () =>
    assert.ok(bytes >= pieces && bytes < pieces + (1 << 20) && slices <= 16, `${bytes} bytes in ${slices} slices`),
  );
  await page.settled();
  const change = page.page.getByRole('group', { name: 'Request' });
  await check('its parameters and what it stores', async () => {
    const text = await page.text(change);
    assert.match(text, /70,553,706,496 parameters/);
    assert.match(text, /Stored as Q4_K 39\.1 GB, Q6_K 862 MB/);
  });
  await check("the page selects the file's formats", async () =>
    assert.equal(await change.getByLabel('Weights').evaluate(select => select.selectedOptions[0].text), 'original'),
  );
  await page.page.getByLabel('Machine', { exact: true }).first().fill('RTX 4090');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('the page says that the model does not fit', async () =>
    assert.match(await page.text(page.page.getByRole('main')), /does not fit/),
  );
  await page.show('Formats: GGUF mixtures');
  await check('no mixture fits with eight sequences', async () =>
    assert.match(
      await page.headline(),
      /^No mixture fits NVIDIA GeForce RTX 4090: IQ1_S, the smallest, needs 27\.6 GB/,
    ),
  );
  await page.page.getByRole('spinbutton', { name: /^Batch/ }).fill('1');
  await page.settled();
  await check('the headline names the most accurate mixture that fits', async () =>
    assert.match(
      await page.headline(),
      /IQ\w+ is the most accurate mixture that fits NVIDIA GeForce RTX 4090 with 10% free: .* per token, KLD [\d.]+\./,
    ),
  );
  const row = name => page.view.getByRole('row').filter({ has: page.page.getByRole('button', { name, exact: true }) });
  await check('Q4_K_M does not fit', async () =>
    assert.match(await page.text(row('Q4_K_M')), /42\.5 GB.*does not fit/),
  );
  await row('IQ2_XXS').getByRole('button').click();
  await page.settled();
  await check('a click takes a mixture', async () =>
    assert.equal(await change.getByLabel('Weights').evaluate(select => select.selectedOptions[0].text), 'IQ2_XXS'),
  );
  await check('the link holds the model without its file', async () => {
    const other = await openPage(await page.link());
    assert.match(await other.text(other.page.getByRole('group', { name: 'Request' })), /70,553,706,496 parameters/);
    assert.equal(await other.headline(), await page.headline());
    other.assertQuiet();
    await other.close();
  });
  page.assertQuiet();
  await page.close();
});

test('GGUF files that are split, cut off, or no model', async () => {
  const page = await openPage();
  const [metadata, tensors] = llamaGguf(small);
  const split = { 'split.count': 2 };
  const first = ggufHeader({ ...metadata, ...split }, tensors.slice(0, 8)).header;
  await page.drop({ 'two-00001-of-00002.gguf': first });
  await check('one file of two asks for both', async () =>
    assert.match(await page.text(page.notices), /found 1 of 2 files of a split model: open all of them together/),
  );
  await page.drop({
    'two-00002-of-00002.gguf': ggufHeader(split, tensors.slice(8)).header,
    'two-00001-of-00002.gguf': first,
  });
  await check('both are one model', async () => assert.match(await page.headline(), /^Decode at batch/));
  const { header } = ggufHeader(metadata, tensors);
  await page.drop({ 'cut.gguf': header.subarray(0, header.length - 300) });
  await check('a truncated file is refused', async () =>
    assert.match(await page.text(page.notices), /cut\.gguf.*ends within its header: expected a whole file/),
  );
  await check('the open model stays', async () => assert.match(await page.headline(), /^Decode at batch/));
  page.assertQuiet();
  await page.close();
});
