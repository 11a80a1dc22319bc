// One selection, filters, search, sorting, grouping, keyboard, zoom.
import { Page } from './harness.mjs';
import { four, many, mul } from './inputs.mjs';

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.drop({ 'commands.json': four });
  const { keyboard } = page.page;
  const canvas = page.page.locator('.chart canvas');
  const names = () => page.texts('tbody tr[data-op] td:first-child');

  checks.equal('sorted by lost time', (await names()).map(name => name.trim()), ['conv1', 'proj', 'swap', 'scale']);
  await page.page.locator('tbody tr', { hasText: 'proj' }).click();
  await page.settled();
  checks.equal('a click on a row selects', await page.selectedName(), 'proj');
  await canvas.focus();
  await keyboard.press('ArrowDown');
  await page.settled();
  checks.equal('an arrow walks the table', await page.selectedName(), 'swap');
  await keyboard.press('Home');
  await page.settled();
  checks.equal('Home selects the first', await page.selectedName(), 'conv1');
  await keyboard.press('Escape');
  await page.settled();
  checks.equal('Escape clears', await page.page.locator('tbody tr[aria-selected="true"]').count(), 0);

  const at = await markerPlace(page);
  await canvas.click({ position: at });
  await page.settled();
  checks.that('a click on a point selects', (await page.page.locator('tbody tr[aria-selected="true"]').count()) === 1);
  await canvas.hover({ position: { x: at.x + 1, y: at.y } });
  await page.page.waitForTimeout(200);
  checks.that('hover shows the essentials', /Intensity/.test(await page.text('.tooltip')), await page.page.locator('.tooltip').count());

  await keyboard.press('/');
  await keyboard.type('conv');
  await page.settled();
  checks.equal('search narrows', (await names()).map(name => name.trim()), ['conv1']);
  checks.equal('the summary follows', await page.summary('ops'), '1 of 4');
  await keyboard.press('Escape');
  await page.settled();
  checks.equal('Escape ends the search', (await names()).length, 4);

  await page.page.locator('.chips button', { hasText: 'ID_MUL' }).click();
  await page.settled();
  checks.equal('a type can be hidden', (await names()).length, 3);
  await page.page.getByRole('button', { name: 'Show all' }).click();
  const status = page.page.locator('.legend li button').first();
  await status.click();
  await page.settled();
  checks.that('a status can be hidden from the legend', (await names()).length < 4);
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();

  await page.page.getByRole('button', { name: 'Operation' }).click();
  await page.settled();
  checks.equal('sorted by name', (await names()).map(name => name.trim()), ['conv1', 'proj', 'scale', 'swap']);

  const before = await canvas.screenshot();
  await canvas.hover({ position: { x: 400, y: 120 } });
  await page.page.mouse.wheel(0, -400);
  await page.settled();
  const zoomed = await canvas.screenshot();
  checks.that('the wheel zooms', !before.equals(zoomed));
  checks.that('points beyond the view are counted', (await page.page.locator('.outside').count()) > 0 || Number(await canvas.getAttribute('data-markers')) === 4);
  await canvas.dblclick({ position: { x: 400, y: 250 } });
  await page.page.mouse.move(5, 5);
  await page.settled();
  checks.equal('a double click resets', await canvas.getAttribute('data-markers'), '4');

  await page.drop({ 'same.json': JSON.stringify([mul, mul, mul, { ...mul, name: 'other', input_self: [4096], input_other: [4096] }]) });
  await page.page.getByLabel('Group identical operations').check();
  await page.settled();
  checks.equal('identical ops are grouped', (await names()).length, 2);
  checks.that('with their count', (await names()).some(name => name.includes('×3')), await names());

  await page.drop({ 'many.json': JSON.stringify(many(5000)) });
  await page.page.locator('.source-name', { hasText: 'many.json' }).waitFor();
  await page.settled();
  const table = page.page.locator('.table-scroll');
  checks.that('rows are virtual', (await page.page.locator('tbody tr[data-op]').count()) < 80);
  await table.evaluate(element => (element.scrollTop = element.scrollHeight));
  await page.page.waitForTimeout(200);
  await page.settled();
  await page.page.locator('tbody tr[data-op][aria-rowindex="5001"]').waitFor({ timeout: 5000 }).catch(() => {});
  checks.that('the last row is fetched', (await page.page.locator('tbody tr[data-op][aria-rowindex="5001"]').count()) === 1, await page.page.locator('tbody tr').last().innerText());
  await page.page.waitForTimeout(500);
  await page.page.locator('.chart canvas').focus();
  await keyboard.press('Home');
  await page.settled();
  await page.page.locator('tbody tr[aria-rowindex="2"][aria-selected="true"]').waitFor({ timeout: 5000 }).catch(() => {});
  await page.settled();
  checks.that('a selection far away is scrolled to', (await page.page.locator('tbody tr[aria-rowindex="2"][aria-selected="true"]').count()) === 1 && (await table.evaluate(element => element.scrollTop)) === 0);
  checks.that('the legend says what the density stands for', (await page.text('.legend')).includes('of 5,000; the rest as density'), await page.text('.legend'));
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}

/// Where some marker is: the first pixel of a status's colour.
const markerPlace = page => page.page.evaluate(() => {
  const canvas = document.querySelector('.chart canvas');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  for (let y = 30; y < height - 40; ++y) {
    for (let x = 90; x < width - 14; ++x) {
      const i = 4 * (y * width + x);
      const [r, g, b] = data.slice(i, i + 3);
      if (Math.max(r, g, b) - Math.min(r, g, b) > 90) return { x: Math.round((x / width) * canvas.clientWidth) + 2, y: Math.round((y / height) * canvas.clientHeight) + 3 };
    }
  }
  return { x: 0, y: 0 };
});
