// A profile: operations and program level, steps, infeed, filters by bound, memories on the axis, time by category; all of it in the link.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Page, root } from './harness.mjs';

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.drop({ 'profile.bin': readFileSync(join(root, 'presets/samples/training-profile.json')) });
  const opened = from => from.page.locator('.source-name', { hasText: 'profile.bin' }).waitFor().then(() => from.settled());
  await opened(page);
  const rows = async () => (await page.summary('ops')).replaceAll(',', '');
  const chip = (list, name) => page.page.locator(`ul[aria-label="${list}"] button`, { hasText: name });
  const tab = async name => {
    await page.page.locator('.view-bar .explore button').first().click();
    await page.page.locator('.menu-panel .item', { hasText: name }).click();
    await page.settled();
  };

  checks.equal('opens by content: its operations', await rows(), '84');
  checks.equal('the device is the machine', await page.page.getByRole('combobox', { name: 'Machine' }).inputValue(), 'TPU (synthetic)');
  checks.that('the table has the profile\'s columns', (await page.texts('.table-scroll thead th')).some(text => text.includes('Self time')), await page.texts('.table-scroll thead th'));
  checks.that('with the source, as text', (await page.texts('.table-scroll tbody')).join().includes('layers.py:'));

  await page.page.getByLabel('Include infeed and outfeed').uncheck();
  await page.settled();
  checks.equal('infeed and outfeed can be left out', await rows(), '82');
  await page.page.getByLabel('Include infeed and outfeed').check();
  await page.page.getByRole('button', { name: 'Program and steps' }).click();
  await page.settled();
  checks.equal('the program level has the program and its steps', await rows(), '5');
  checks.that('named by step', (await page.texts('.table-scroll tbody')).join().includes('Average'));
  await chip('Steps', '1').click({ modifiers: ['Shift'] });
  await page.settled();
  checks.equal('one step', await rows(), '1 of 5');
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.page.getByRole('button', { name: 'Operations', exact: true }).click();
  await page.settled();

  await chip('Bound by', 'VMEM Read').click({ modifiers: ['Shift'] });
  await page.settled();
  checks.equal('filtered by what limits', await rows(), '12 of 84');
  await page.page.locator('tbody tr[data-op]').first().click();
  await page.settled();
  checks.that('the diagnosis knows the memory', /VMEM Read/.test(await page.text('.diagnosis')), await page.text('.diagnosis'));

  const canvas = page.page.locator('.chart canvas');
  const choice = page.page.locator('.memory-choice select');
  checks.equal('whose intensity is a choice', await choice.locator('option').allInnerTexts(), ['the bottleneck', 'HBM', 'VMEM Read', 'VMEM Write', 'All memories', 'all memories, joined']);
  await page.page.mouse.move(5, 5);
  const before = await canvas.screenshot();
  await choice.selectOption('HBM');
  await page.settled();
  const hbm = await canvas.screenshot();
  checks.that('another memory moves the points', !before.equals(hbm));
  await choice.selectOption('all');
  await page.settled();
  checks.that('all memories are joined', !hbm.equals(await canvas.screenshot()));

  await tab('Time by category');
  await page.page.locator('.time-table tbody tr').first().waitFor();
  checks.equal('time by category follows the filters', (await page.texts('.time-table tbody th')).length, 1);
  await page.page.waitForTimeout(500);  // the address follows a moment later
  const link = page.page.url();
  const other = await Page.open(browser, url);
  await other.page.goto(link);
  await other.page.reload();
  await other.painted().catch(() => {});  // it waits for its file
  await other.drop({ 'profile.bin': readFileSync(join(root, 'presets/samples/training-profile.json')) });
  await opened(other);
  checks.equal('the link has the filters', (await other.summary('ops')), '12 of 84');
  await other.page.locator('.time-table').waitFor({ timeout: 5000 }).catch(() => {});
  checks.equal('and the view', await other.page.locator('.time-table').count(), 1);
  checks.equal('without complaints there', other.complaints, []);
  await other.close();

  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();
  await page.page.locator('.time-table tbody th', { hasText: 'convolution fusion' }).waitFor({ timeout: 5000 }).catch(() => {});
  checks.that('all categories', (await page.texts('.time-table tbody th')).includes('convolution fusion'), await page.texts('.time-table tbody th'));
  await page.page.locator('.time-table').getByRole('button', { name: 'all-reduce' }).click();
  await page.settled();
  checks.equal('a click on a category shows it alone', await rows(), '3 of 84');
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await tab('Steps and time');
  await page.page.locator('.time-table tbody tr').first().waitFor();
  checks.equal('time per step', await page.texts('.time-table tbody th'), ['Total', 'Average', '0', '1', '2']);
  checks.equal('a profile\'s operations have no order in time', await page.page.locator('.timeline').count(), 0);

  const ordered = [{ type: 'x', name: 'first', flops: 8e9, bytes: 1e6, time_ns: 1e6, step: 'prefill' }, { type: 'x', name: 'second', flops: 1e6, bytes: 5e7, time_ns: 3e6, step: 'decode' }];
  await page.drop({ 'ordered.json': JSON.stringify(ordered) });
  await tab('Steps and time');
  await page.page.locator('.timeline svg').waitFor();
  checks.equal('steps of any source', await page.texts('.time-table tbody th'), ['prefill', 'decode']);
  const box = await page.page.locator('.timeline svg').boundingBox();
  await page.page.mouse.click(box.x + box.width * 0.6, box.y + 20);
  await page.settled();
  checks.equal('a click along time selects', await page.selectedName(), 'second');
  checks.equal('no complaints', page.complaints, []);
  await page.close();
}
