// Ways in: the first sample, drops, file button, paste, gzip, UTF-16, registry, settings, several files at once.
import { gzipSync } from 'node:zlib';
import { Page } from './harness.mjs';
import { conv, four, matmul, mul } from './inputs.mjs';

const registry = JSON.stringify({ ops: { ID_MY_OP: { symbol: 'diamond', macs: 'prod(shape)', bytes: '2 * prod(shape) * dt_size' } } });
const custom = JSON.stringify([{ type: 'ID_MY_OP', name: 'mine', data_type: 'INT8', shape: [1024, 1024], time_ns: 100000 }, mul]);

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  const opsOf = () => page.summary('ops');

  checks.that('opens on a sample with points drawn', Number(await page.page.locator('.chart canvas').getAttribute('data-markers')) > 3);
  checks.that('pixels of many colours are on the canvas', (await colours(page)) > 12, await colours(page));
  checks.that('the op that loses most time is selected', (await page.page.locator('tbody tr[aria-selected="true"]').getAttribute('aria-rowindex')) === '2');
  checks.that('the headline says what matters', /\d/.test(await page.text('.headline')), await page.text('.headline'));
  checks.that('the sample says whether it is synthetic or measured', /synthetic|measured/i.test(await page.text('.sample-text')), await page.text('.sample-text'));

  await page.drop({ 'commands.json': four });
  checks.equal('a dropped file is opened', await opsOf(), '4');
  checks.equal('its name is shown', await page.text('.source-name'), 'commands.json');
  checks.equal('the convolution loses most', await page.selectedName(), 'conv1');
  // 2 * 924,844,032 FLOP over 4,890,624 B in 850 µs
  const numbers = await page.text('.numbers');
  checks.that('its figures are the golden ones', ['850 µs', '378 FLOP/B', '5.75 GB/s', '1.85 GFLOP', '4.89 MB'].every(figure => numbers.includes(figure)), numbers);

  await page.page.locator('#file-input').setInputFiles({ name: 'two.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify([conv, mul])) });
  await page.page.waitForTimeout(150);
  await page.settled();
  checks.equal('the file button opens', await opsOf(), '2');

  await page.page.evaluate(text => {
    const data = new DataTransfer();
    data.setData('text', text);
    dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
  }, JSON.stringify({ ops: [mul, matmul, conv] }));
  await page.page.waitForTimeout(150);
  await page.settled();
  checks.equal('pasted text opens', await opsOf(), '3');

  await page.drop({ 'packed.json.gz': gzipSync(four) });
  checks.equal('gzip opens', await opsOf(), '4');
  const record = await rawRecord(page);
  checks.that('the raw record of a packed file is its own', record.includes('"conv1"') && record.includes('850000'), record);

  const wide = Buffer.from(`\ufeff${four.replace('conv1', 'größe')}`, 'utf16le');
  await page.drop({ 'wide.json': wide });
  checks.equal('UTF-16 opens', await page.selectedName(), 'größe');
  checks.that('its raw record too', (await rawRecord(page)).includes('größe'));
  await page.drop({ 'bom.json': `\ufeff${four}` });
  checks.that('a byte order mark does not shift the raw record', (await rawRecord(page)).includes('"conv1"'));
  await page.drop({ 'lines.json': [conv, mul].map(op => JSON.stringify(op)).join('\r\n') });
  checks.equal('newline-delimited opens', await opsOf(), '2');

  await page.drop({ 'custom.json': custom });
  checks.that('an unknown type is listed as unknown', (await page.texts('tbody .status')).includes('unknown'), await page.texts('tbody .status'));
  await page.drop({ 'op_registry.json': registry });
  checks.that('a dropped registry explains it', !(await page.texts('tbody .status')).includes('unknown'), await page.texts('tbody .status'));
  checks.that('the page says so', (await page.text('.left')).includes('op_registry.json'));
  await page.page.getByRole('button', { name: 'remove' }).click();
  await page.page.waitForTimeout(150);
  await page.settled();
  checks.that('and forgets it on demand', (await page.texts('tbody .status')).includes('unknown'));

  await page.drop({ 'custom.json': custom, 'op_registry.json': registry, 'roofline_config.json': '{"peak_tops": 8, "mem_bw": 25}' });
  checks.that('operations, registry and settings in one drop', !(await page.texts('tbody .status')).includes('unknown'));
  checks.equal('the settings apply', await page.page.getByLabel('DRAM, GB/s').inputValue(), '25');

  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}

const colours = page => page.page.evaluate(() => {
  const canvas = document.querySelector('.chart canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return seen.size;
});

async function rawRecord(page) {
  const details = page.page.locator('details', { hasText: 'Raw record' });
  if (!(await details.getAttribute('open') !== null)) await details.locator('summary').click();
  return details.locator('pre').innerText();
}
