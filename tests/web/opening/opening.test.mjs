// Ways in: the first sample, drops, file button, paste, gzip, UTF-16, registry, settings, several files at once.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, dist, openPage } from '../harness.mjs';
import { conv, four, matmul, mul } from '../inputs.mjs';

const registry = JSON.stringify({
  ops: { ID_MY_OP: { symbol: 'diamond', macs: 'prod(shape)', bytes: '2 * prod(shape) * dt_size' } },
});
const custom = JSON.stringify([
  { type: 'ID_MY_OP', name: 'mine', data_type: 'INT8', shape: [1024, 1024], time_ns: 100000 },
  mul,
]);

test('opening', async () => {
  const page = await openPage();
  const opsOf = () => page.count();

  await check('opens on a sample with points drawn', async () =>
    assert.ok(Number(await page.chart.getAttribute('data-markers')) > 3),
  );
  await check('pixels of many colours are on the canvas', async () =>
    assert.ok((await colours(page)) > 12, inspect(await colours(page))),
  );
  await check('the op that loses most time is selected', async () =>
    assert.ok((await page.operations.getByRole('row', { selected: true }).getAttribute('aria-rowindex')) === '2'),
  );
  await check('the headline says what matters', async () =>
    assert.ok(/\d/.test(await page.headline()), inspect(await page.headline())),
  );
  await check('the sample says whether it is synthetic or measured', async () =>
    assert.ok(/synthetic|measured/i.test(await page.told('source')), inspect(await page.told('source'))),
  );

  await page.drop({ 'commands.json': four });
  await check('a dropped file is opened', async () => assert.deepEqual(await opsOf(), '4'));
  await check('its name is shown', async () => assert.deepEqual(await page.text(page.sourceName), 'commands.json'));
  await check('the convolution loses most', async () => assert.deepEqual(await page.selectedName(), 'conv1'));
  // 2 * 924,844,032 FLOP over 4,890,624 B in 850 µs
  const numbers = await page.text(page.figures);
  await check('its figures are the golden ones', async () =>
    assert.ok(
      ['850 µs', '378 OP/B', '5.75 GB/s', '1.85 GOP', '4.89 MB'].every(figure => numbers.includes(figure)),
      inspect(numbers),
    ),
  );

  await page.page.getByLabel('Open files').setInputFiles({
    name: 'two.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([conv, mul])),
  });
  await page.settled();
  await check('the file button opens', async () => assert.deepEqual(await opsOf(), '2'));

  await page.page.evaluate(
    text => {
      const data = new DataTransfer();
      data.setData('text', text);
      dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
    },
    JSON.stringify({ ops: [mul, matmul, conv] }),
  );
  await page.settled();
  await check('pasted text opens', async () => assert.deepEqual(await opsOf(), '3'));

  await page.drop({ 'packed.json.gz': gzipSync(four) });
  await check('gzip opens', async () => assert.deepEqual(await opsOf(), '4'));
  const record = await rawRecord(page);
  await check('the raw record of a packed file is its own', async () =>
    assert.ok(record.includes('"conv1"') && record.includes('850000'), inspect(record)),
  );

  const wide = Buffer.from(`\ufeff${four.replace('conv1', 'größe')}`, 'utf16le');
  await page.drop({ 'wide.json': wide });
  await check('UTF-16 opens', async () => assert.deepEqual(await page.selectedName(), 'größe'));
  await check('its raw record too', async () => assert.ok((await rawRecord(page)).includes('größe')));
  await page.drop({ 'bom.json': `\ufeff${four}` });
  await check('a byte order mark does not shift the raw record', async () =>
    assert.ok((await rawRecord(page)).includes('"conv1"')),
  );
  await page.drop({ 'lines.json': [conv, mul].map(op => JSON.stringify(op)).join('\r\n') });
  await check('newline-delimited opens', async () => assert.deepEqual(await opsOf(), '2'));

  await page.drop({ 'custom.json': custom });
  await check('an unknown type is listed as unknown', async () =>
    assert.ok((await page.texts('tbody .status')).includes('unknown'), inspect(await page.texts('tbody .status'))),
  );
  await page.drop({ 'op_registry.json': registry });
  await check('a dropped registry explains it', async () =>
    assert.ok(!(await page.texts('tbody .status')).includes('unknown'), inspect(await page.texts('tbody .status'))),
  );
  await check('the page says so', async () => assert.match(await page.told('source'), /with op_registry\.json/));
  await page.openFrom('remove');
  await check('and forgets it on demand', async () =>
    assert.ok((await page.texts('tbody .status')).includes('unknown')),
  );

  await page.drop({
    'custom.json': custom,
    'op_registry.json': registry,
    'roofline_config.json': '{"peak_tops": 8, "mem_bw": 25}',
  });
  await check('operations, registry and settings in one drop', async () =>
    assert.ok(!(await page.texts('tbody .status')).includes('unknown')),
  );
  await check('the settings apply', async () =>
    assert.deepEqual(await page.page.getByLabel('DRAM, GB/s').inputValue(), '25'),
  );

  page.assertQuiet();
  await page.close();
});

const colours = page =>
  page.page.evaluate(() => {
    const canvas = document.querySelector('.chart canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return seen.size;
  });

async function rawRecord(page) {
  const record = page.page.getByLabel('Raw record', { exact: true });
  if (!(await record.isVisible())) await page.diagnosis.getByText('Raw record', { exact: true }).click();
  return record.innerText();
}

test('of two samples, the one that was chosen last is open, however slow the first comes', async () => {
  const page = await openPage();
  let release;
  const held = new Promise(resolve => (release = resolve));
  let asked = 0;
  await page.page.route(/samples\/[^/]+$/, async route => {
    if (asked++ === 0) await held;
    await route.continue();
  });
  const index = JSON.parse(readFileSync(join(dist, 'samples/index.json'), 'utf8'));
  const titles = index.slice(1, 3).map(({ title }) => title);
  for (const title of titles) await (await page.behind('source')).getByRole('button', { name: title }).first().click();
  await check('the second', async () => assert.equal(await page.text(page.sourceName), titles[1]));
  release();
  await page.settled();
  await check('stays', async () => assert.equal(await page.text(page.sourceName), titles[1]));

  asked = 0;
  let releaseAgain;
  await page.page.unroute(/samples\/[^/]+$/);
  const heldAgain = new Promise(resolve => (releaseAgain = resolve));
  await page.page.route(/samples\/[^/]+$/, async route => {
    await heldAgain;
    await route.continue();
  });
  await (await page.behind('source')).getByRole('button', { name: index[3].title }).first().click();
  await page.page.locator('#file-input').setInputFiles({
    name: 'mine.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([{ type: 'gemm', m: 8, n: 8, k: 8, time_us: 1 }])),
  });
  await page.sourceName.filter({ hasText: 'mine.json' }).waitFor();
  releaseAgain();
  await page.settled();
  await check('nor does a slow sample replace a file', async () =>
    assert.equal(await page.text(page.sourceName), 'mine.json'),
  );
  page.assertQuiet();
  await page.close();
});
