// Machines of one's own: edit, use, save, export, import, share.
import { readFileSync } from 'node:fs';
import { Page } from './harness.mjs';
import { four } from './inputs.mjs';

const clpeak = `<clpeak clpeak_version="2"><run device="Some GPU"><category name="x">
  <test name="half_precision_compute" unit="gflops"><metric name="half">5000</metric></test>
  <test name="global_memory_bandwidth" unit="gbps"><metric name="float">200</metric></test></category></run></clpeak>`;
const sum = '  21.84 GFLOPs\n\n 2830.16 Weight\n\n  349.39 L1\n   34.88 DRAM\n\nMETA_DATA\nHOSTNAME  (\'box\', [], [])\n';
const ert = JSON.stringify({ empirical: { gbytes: { data: [['L1', 1723.23], ['DRAM', 83]] }, gflops: { data: [['GFLOPs', 355.79]] } } });

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.drop({ 'commands.json': four });
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  const edit = () => page.page.getByRole('button', { name: 'Edit machine…' }).click();
  const field = name => page.page.locator('dialog').getByLabel(name, { exact: true });
  const press = name => page.page.locator('dialog').getByRole('button', { name, exact: true }).click();
  const closed = () => page.page.waitForFunction(() => !document.querySelector('dialog[open]'));

  const before = await page.summary('bound');
  await edit();
  checks.equal('one rate for every format is one row', await field('Format of peak 1').inputValue(), 'every');
  await field('GB/s of memory 1').fill('fast');
  await press('Use');
  await page.page.locator('.form-fault').waitFor();
  checks.that('a wrong figure says where and what was expected', /memories\[0\]\.bandwidth.*a text; expected a number/.test(await page.text('.form-fault')), await page.text('.form-fault'));
  checks.equal('and nothing has changed', await page.summary('bound'), before);

  await field('Name').fill('My board');
  await field('GB/s of memory 1').fill('100');
  await press('Add a memory');
  await field('Name of memory 2').fill('SRAM');
  await field('GB/s of memory 2').fill('1000');
  await press('Add a format');
  await field('Format of peak 3').selectOption('int4');
  await page.page.locator('dialog').getByRole('button', { name: 'Remove peak 3' }).click();
  await field('Achievable bandwidth, %').fill('80');
  await field('Launch time, µs').fill('5');
  await field('Power (TDP), W').fill('15');
  await field('Price, US dollars').fill('cheap');
  await press('Use');
  await page.page.locator('.form-fault').filter({ hasText: 'price_usd' }).waitFor();
  checks.that('a wrong price is told', /price_usd.*expected/.test(await page.text('.form-fault')), await page.text('.form-fault'));
  await field('Price, US dollars').fill('249');
  await field('Matrix units side by side (SMs, CUs, cores)').fill('8');
  await press('Save to my machines');
  await closed();
  await page.settled();
  checks.equal('the machine is used', await machine.inputValue(), 'My board');
  checks.that('and the bound follows', (await page.summary('bound')) !== before, await page.summary('bound'));
  const bound = await page.summary('bound');

  const figures = async () => {
    await page.page.getByRole('button', { name: 'Where the figures come from' }).click();
    const rows = await page.texts('dialog .figures tbody tr');
    await page.page.keyboard.press('Escape');
    return rows.map(text => text.replace(/\s+/g, ' '));
  };
  const listed = await figures();
  checks.that('power, price and units are among its figures', [/^Power 15 W typed/, /^Price \$249 typed/, /^Matrix units 8 typed/, /^Achievable bandwidth 80/].every(wanted => listed.some(row => wanted.test(row))), listed);
  await page.page.waitForTimeout(500);
  const guest = await Page.open(browser, page.page.url());
  checks.equal('the link carries it to another browser', await guest.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(), 'My board');
  await guest.close();

  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  checks.equal('another machine', await page.summary('bound'), before);
  await page.page.reload();
  await page.painted();
  await page.drop({ 'commands.json': four });
  await machine.click();
  await machine.fill('my board');
  await page.page.keyboard.press('Enter');
  await page.settled();
  checks.equal('it is kept, and chosen by search', [await machine.inputValue(), await page.summary('bound')], ['My board', bound]);

  // Another machine in force, one's own in the what-if: saved machines are offered there too, and the link carries them whole.
  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await page.page.getByRole('button', { name: 'What-if' }).click();
  const whatif = page.page.getByRole('combobox', { name: 'What-if machine', exact: true });
  await whatif.click();
  await whatif.fill('my board');
  await page.page.keyboard.press('Enter');
  await page.settled();
  checks.equal('a machine of one\'s own is a what-if', await whatif.inputValue(), 'My board');
  const gain = await page.summary('what-if');
  checks.that('and it counts', /×/.test(gain), gain);
  await page.page.waitForTimeout(500);
  const other = await Page.open(browser, page.page.url());
  await other.drop({ 'commands.json': four });
  await other.page.getByRole('button', { name: 'What-if' }).click();
  checks.equal('in the link, too', [await other.page.getByRole('combobox', { name: 'What-if machine', exact: true }).inputValue(), await other.summary('what-if')], ['My board', gain]);
  await other.close();
  await page.page.getByRole('button', { name: 'Back to today' }).click();
  await machine.click();
  await machine.fill('my board');
  await page.page.keyboard.press('Enter');
  await page.settled();

  await edit();
  checks.equal('price and power are kept', [await field('Price, US dollars').inputValue(), await field('Power (TDP), W').inputValue()], ['249', '15']);
  checks.equal('and edited again', [await field('Name of memory 2').inputValue(), await field('Launch time, µs').inputValue()], ['SRAM', '5']);
  const [download] = await Promise.all([page.page.waitForEvent('download'), press('Export')]);
  const file = readFileSync(await download.path(), 'utf8');
  checks.equal('exported', [download.suggestedFilename(), JSON.parse(file).memories[0].bandwidth.value, JSON.parse(file).memories[0].bandwidth.basis], ['my-board.json', 100e9, 'typed']);
  await field('Import a machine').setInputFiles({ name: 'gpu.xml', mimeType: 'text/xml', buffer: Buffer.from(clpeak) });
  await page.page.waitForFunction(() => document.querySelector('dialog input')?.value.startsWith('Some GPU'));
  checks.equal('imported from clpeak', await field('GB/s of memory 1').inputValue(), '200');
  await field('Import a machine').setInputFiles({ name: 'x.json', mimeType: 'text/json', buffer: Buffer.from('{"a": 1') });
  await page.page.locator('.form-fault').waitFor();
  checks.that('a wrong file is refused by name', (await page.text('.form-fault')).includes('x.json'), await page.text('.form-fault'));
  await page.page.keyboard.press('Escape');
  await edit();
  await press('Delete from my machines');
  await closed();
  await machine.click();
  await machine.fill('mine');
  checks.that('deleted', !(await page.texts('.combobox li')).some(text => text.includes('My board')), await page.texts('.combobox li'));
  await page.page.keyboard.press('Escape');

  await page.drop({ sum });
  checks.equal('an ERT sum dropped on the page is its machine', await machine.inputValue(), 'box, measured by ERT');
  await page.drop({ 'roofline.json': ert });
  checks.equal('an ERT file dropped on the page is its machine', await machine.inputValue(), 'Machine, measured by ERT');
  await page.drop({ 'my.json': file });
  checks.equal('and so is an exported one', await machine.inputValue(), 'My board');
  await page.drop({ 'bad.json': file.replace('"memories"', '"memory"') });
  checks.that('a wrong machine is refused, the old one stays', (await page.text('.notices')).includes('memory: unknown key') && (await machine.inputValue()) === 'My board', await page.text('.notices'));
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}
