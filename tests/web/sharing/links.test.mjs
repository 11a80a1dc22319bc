// The link restores the view; private files stay private; the bare address opens the defaults.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, openPage, Page, root, url } from '../harness.mjs';
import { samples } from '../../samples.mjs';
import { four } from '../inputs.mjs';
import { OLD_LINKS } from './old_links.mjs';

test('links', async () => {
  const page = await openPage();
  await page.slide('DRAM', 700);
  await page.page.getByRole('searchbox').fill('o');
  await page.rows(page.operations).nth(1).click();
  await page.settled();
  const link = await page.link();
  const seen = [await page.summary('Bound'), await page.count(), await page.selectedName()];
  await check('the address holds the view', async () => assert.ok(link.includes('#')));

  const other = await openPage(link);
  await check('a link restores machine, filter and selection', async () =>
    assert.deepEqual([await other.summary('Bound'), await other.count(), await other.selectedName()], seen),
  );
  await other.close();

  await page.drop({ 'private.json': four });
  await page.tableRow('proj').click();
  await page.settled();
  const hidden = await page.link();
  const text = Buffer.from(hidden.split('#')[1], 'base64url').toString();
  await check('a private file: name and hash, not its content', async () =>
    assert.ok(
      text.includes('private.json') && /"sha256":"[0-9a-f]{64}"/.test(text) && !text.includes('conv1'),
      inspect(text),
    ),
  );
  const guest = await openPage(hidden);
  await check('the page asks for that file', async () =>
    assert.match(await guest.page.getByRole('main').innerText(), /not in the link\s+private\.json/),
  );
  await guest.drop({ 'renamed.json': four });
  await check('and restores the view when it comes', async () => assert.deepEqual(await guest.selectedName(), 'proj'));
  await guest.close();
  const stranger = await openPage(hidden);
  await stranger.drop({ 'private.json': four.replace('850000', '850001') });
  await check('a file with other content is told apart', async () =>
    assert.ok(
      (await stranger.text(stranger.notices)).includes('has other content'),
      inspect(await stranger.text(stranger.notices)),
    ),
  );
  await stranger.close();

  await page.page.getByRole('button', { name: 'Share' }).click();
  await page.page.getByLabel(/Include the input/).check();
  await check('the input is read', async () => assert.equal(await page.page.getByText(/and the input\./).count(), 1));
  const carrying = await page.page.getByLabel('Link', { exact: true }).inputValue();
  const receiver = await openPage(carrying);
  await check('a small input travels in the link by choice', async () =>
    assert.deepEqual([await receiver.count(), await receiver.selectedName()], ['4', 'proj']),
  );
  await receiver.close();
  await page.page.getByLabel(/Replace names/).check();
  const nameless = await openPage(await page.page.getByLabel('Link', { exact: true }).inputValue());
  await check('or without its names', async () =>
    assert.deepEqual((await nameless.tableNames()).sort(), ['ID_CONV 1', 'ID_MM 1', 'ID_MUL 1', 'transpose 1']),
  );
  await nameless.close();

  // A summary: its work and times, not its shapes, nor the file.
  await page.page.getByLabel(/Replace names/).uncheck();
  await page.page.getByLabel(/Include the input/).uncheck();
  await page.page.getByLabel(/Include a summary/).check();
  await check('the summary is made', async () =>
    assert.equal(await page.page.getByText(/settings and the summary/).count(), 1),
  );
  const summed = await page.page.getByLabel('Link', { exact: true }).inputValue();
  const carried = JSON.parse(Buffer.from(summed.split('#')[1], 'base64url')).source;
  const content = gunzipSync(Buffer.from(carried.text, 'base64')).toString();
  assert.ok(/roofline-operations/.test(content) && !/input_shape|input_mat1|224/.test(content), inspect(content));
  const reader = await openPage(summed);
  await check('it shows the same operations and totals', async () => {
    assert.deepEqual((await reader.tableNames()).sort(), (await page.tableNames()).sort());
    for (const figure of ['Time', 'Bound']) assert.equal(await reader.summary(figure), await page.summary(figure));
  });
  await reader.close();
  await page.page.getByLabel(/Include a summary/).uncheck();
  await page.page.getByLabel(/Include the input/).check();
  await page.page.getByText(/and the input\./).waitFor();
  const snippet = await page.page.getByLabel('Embed', { exact: true }).inputValue();
  const frame = /^<iframe src="([^"]+)"/.exec(snippet)[1];
  const embedded = await openPage(frame, { wait: false });
  await embedded.page.getByRole('link', { name: 'Open in Roofline' }).waitFor();
  await check('a frame shows the finding and the chart alone', async () => {
    assert.ok((await embedded.page.getByRole('heading', { level: 1 }).innerText()).length > 20);
    assert.ok((await embedded.chart.boundingBox()).height > 400);
    assert.equal(await embedded.sourceName.count(), 0);
  });
  embedded.assertQuiet();
  await embedded.close();
  await page.page.keyboard.press('Escape');

  await page.button('Columns').click();
  await page.page.getByLabel('Work', { exact: true }).check();
  await page.page.keyboard.press('Escape');
  await page.button('Fold the panel').click();
  const furnished = await openPage(await page.link());
  await page.button('Unfold the panel').click();
  await furnished.drop({ 'private.json': four });
  await check('panel and columns are restored', async () => {
    assert.equal(await furnished.button('Unfold the panel').count(), 1);
    assert.equal(await furnished.page.getByRole('columnheader', { name: 'Work' }).count(), 1);
  });
  await furnished.page.goto('about:blank');
  await furnished.page.goto(url);
  await furnished.painted();
  await check('and change nothing of what this browser keeps', async () =>
    assert.equal(await furnished.button('Fold the panel').count(), 1),
  );
  await furnished.close();

  const again = await page.context.newPage();
  await again.goto(url);
  const next = new Page(again, page.context);
  await next.painted();
  await check('the bare address opens the defaults', async () =>
    assert.deepEqual(
      [await again.getByLabel('DRAM, GB/s').inputValue(), await again.getByRole('searchbox').inputValue()],
      ['50', ''],
    ),
  );
  page.assertQuiet();

  for (const [what, hash] of [
    ['not base64', '#%%%'],
    ['not JSON', `#${btoa('{"a"')}`],
    ['wrong types', `#${btoa('{"settings":[],"view":{"zoom":1},"selected":"x"}')}`],
    ['a summary that is not packed', `#${btoa('{"source":{"file":"a","text":"%%","encoding":"gzip"}}')}`],
    ['a summary packed in an unknown way', `#${btoa('{"source":{"file":"a","text":"","encoding":"zip"}}')}`],
  ]) {
    const odd = await openPage(hash);
    await check(`a broken link (${what}) still opens a sample`, async () => assert.ok(Number(await odd.count()) > 0));
    await odd.close();
  }
  const pasted = await openPage();
  await pasted.page.evaluate(() => (location.hash = '#%%%'));
  await check('a broken link pasted over an open page is reported', async () =>
    assert.match(await pasted.alert(), /^This link: cannot be read/),
  );
  await check('and the address is that of what is open', async () =>
    assert.notEqual(await pasted.page.evaluate(() => location.hash), '#%%%'),
  );
  await pasted.close();
  const order = {
    source: { sample: 'training-profile' },
    before: { sample: 'training-profile' },
    view: { tab: 'compare', compareSort: 'colour' },
  };
  const disordered = await openPage(`#${btoa(JSON.stringify(order))}`);
  await disordered.show('Compare');
  await check('an order of changes that there is not is left out', async () =>
    assert.match(await disordered.text(disordered.view), /\d+ unchanged/),
  );
  await disordered.close();
  await page.close();
});

test('a link with the input needs no other file, and without its names has none', async () => {
  const page = await openPage();
  await page.drop({ 'before.json': four });
  await page.page
    .locator('#compare-input')
    .setInputFiles({ name: 'after.json', mimeType: '', buffer: Buffer.from(four.replace('320000', '310000')) });
  await page.settled();
  await page.show('Summary');
  await page.page.getByRole('searchbox').fill('proj');
  await page.settled();
  await page.button('Share').click();
  await page.page.getByLabel(/Include the input/).check();
  const link = page.page.getByLabel('Link', { exact: true });
  await check('both runs are in it', async () => {
    await page.page.getByText('Includes all settings and the input of both runs.').waitFor();
    assert.ok((await link.inputValue()).length < 4000);
  });
  const guest = await openPage(await link.inputValue());
  await check('the input is shown', async () => assert.equal(await guest.count(), '1 of 4'));
  await check('and compared with the run before', async () => {
    await guest.show('Compare');
    assert.match(await guest.text(guest.view), /1 faster/);
  });
  guest.assertQuiet();
  await guest.close();
  await page.page.getByLabel(/Replace names/).check();
  const hash = (await link.inputValue()).split('#')[1];
  assert.doesNotMatch(Buffer.from(hash, 'base64url').toString(), /proj|conv1|before\.json|after\.json/);
  await check('says what is left out', async () =>
    assert.equal(await page.page.getByText(/and the input\. The comparison is not included\./).count(), 1),
  );
  const stranger = await openPage(`#${hash}`);
  await check('no name filters it to nothing', async () => assert.equal(await stranger.count(), '4'));
  stranger.assertQuiet();
  await stranger.close();
  await page.close();
});

const data = name => [name, readFileSync(join(root, 'tests/data', name))];
const SUMMARISED = [
  data('pytorch_trace.json'),
  data('nsight_systems.csv'),
  data('op_summary.csv'),
  data('operations.xplane.pb'),
  ...(samples ? [['vit_mi300x.json.gz', readFileSync(join(samples, 'pytorch_trace/vit_mi300x.json.gz'))]] : []),
];

/** The link that the Share menu has with a summary. */
async function summaryLink(page) {
  await page.page.getByRole('banner').getByRole('button', { name: 'Share' }).click(); // a column is "Share" too
  await page.page.getByLabel(/Include a summary/).check();
  await page.page.getByText(/settings and the summary/).waitFor();
  const link = await page.page.getByLabel('Link', { exact: true }).inputValue();
  await page.page.keyboard.press('Escape');
  return link;
}

/** What the page says of the whole and of each operation. */
async function figuresOf(page) {
  await page.settled();
  const remarks = page.page.locator('.remarks-button');
  return {
    headline: await page.headline(),
    totals: await page.totals.innerText(),
    count: await page.count(),
    rows: await page.rows(page.operations).allInnerTexts(),
    remarks: (await remarks.count()) ? await remarks.innerText() : 'none',
  };
}

test('a summary has the figures of its file, and no more warnings', async () => {
  for (const [name, content] of SUMMARISED) {
    const page = await openPage();
    await page.drop({ [name]: content });
    const seen = await figuresOf(page);
    const link = await summaryLink(page);
    const guest = await openPage(link);
    const { remarks, ...figures } = await figuresOf(guest);
    await check(`${name}: the same figures`, async () => assert.deepEqual({ ...figures, remarks: seen.remarks }, seen));
    await check(`${name}: no warnings`, async () => assert.equal(remarks, 'none'));
    for (const one of [page, guest]) {
      await one.rows(one.operations).first().click();
      await one.settled();
    }
    await check(`${name}: the same estimate and rates of an operation`, async () =>
      assert.equal(await guest.figures.innerText(), await page.figures.innerText()),
    );
    guest.assertQuiet();
    await guest.close();
    await page.close();
  }
});

test('a summary of many operations fits into a link and says what it adds up', async () => {
  const ops = Array.from({ length: 3000 }, (_, i) => ({
    type: 'gemm',
    name: `product ${(i * 7919) % 3001} of ${(i * 104729) % 99991}`,
    data_type: 'fp16',
    m: 64 + ((i * 31) % 977),
    n: 64 + ((i * 17) % 991),
    k: 64 + ((i * 13) % 983),
    time_ns: 1000 + ((i * 7907) % 99989),
  }));
  const page = await openPage();
  await page.drop({ 'many.json': JSON.stringify(ops) });
  const time = await page.summary('Time');
  const link = await summaryLink(page);
  assert.ok(link.length < 36e3, `${link.length} characters`);
  await page.button('Share').click();
  await check('says so', async () =>
    assert.equal(await page.page.getByText(/with the least time are added up by type/).count(), 1),
  );
  const guest = await openPage(link);
  await check('the total time stays', async () => assert.equal(await guest.summary('Time'), time));
  await guest.page.getByRole('searchbox').fill('other gemm');
  await check('the rest is a row of its type', async () => assert.match(await guest.count(), /^1 of/));
  await guest.close();
  await page.close();
});

/** What a link says; without the window, which fits the points again when the machine changes. */
function decode(link) {
  const {
    view: { zoom: _, ...view } = {},
    ...state
  } = JSON.parse(Buffer.from(link.split('#')[1], 'base64url'));
  return { ...state, view };
}

test('a link whose source cannot be opened changes nothing', async () => {
  const page = await openPage();
  await page.slide('DRAM', 700);
  await page.page.getByRole('searchbox').fill('conv');
  await page.rows(page.operations).nth(1).click();
  await page.settled();
  const link = await page.link();
  await page.page.route(/samples\/cpu-gemm/, route => route.abort());
  const settings = { machine: 'h100-sxm', whatif: { weight: 'int4' } };
  for (const before of [undefined, { sample: 'encoder' }]) {
    const state = { source: { sample: 'cpu-gemm' }, before, settings, view: { search: 'gemm' }, selected: 1 };
    const hash = `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
    await page.page.evaluate(hash => (location.hash = hash), hash);
    await page.page.getByRole('alert').filter({ hasText: 'cpu-gemm' }).waitFor();
    await page.settled();
    await check('all is as it was', async () => assert.deepEqual(decode(await page.link()), decode(link)));
    await page.page.getByRole('button', { name: 'Dismiss' }).first().click();
  }
  await page.close();
});

test('links of earlier versions', async () => {
  for (const { what, hash, says } of OLD_LINKS) {
    const page = await openPage(hash);
    await check(what, async () => {
      const text = await page.words();
      for (const part of says) assert.ok(text.includes(part), `${part} is missing`);
    });
    page.assertQuiet();
    await page.close();
  }
});

test('what is chosen right before the page is left is there when it comes back', async () => {
  const page = await openPage();
  const first = await page.link();
  const choose = (name, leave) =>
    page.page.evaluate(
      ([text, away]) => {
        const field = document.querySelector('input[type="search"]');
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
        if (away === 'reload') location.reload();
        else location.href = away;
      },
      [name, leave],
    );
  const searched = () => page.page.getByRole('searchbox').inputValue();
  await choose('conv', 'reload');
  await page.page.waitForEvent('load');
  await page.painted();
  await check('after a reload', async () => assert.equal(await searched(), 'conv'));
  assert.notEqual(await page.link(), first);
  await choose('pool', 'about:blank');
  await page.page.waitForURL('about:blank');
  await page.page.goBack();
  await page.painted();
  await check('after coming back', async () => assert.equal(await searched(), 'pool'));
  page.assertQuiet();
  await page.close();
});
