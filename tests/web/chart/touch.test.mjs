// The page on a phone: fingers on the chart, the totals, and the label that unfolds the table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { stateOf } from '../walk/core.mjs';

test('one finger up or down scrolls the page; one finger sideways, or two fingers, pan the chart', async () => {
  const page = await openPage('', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const device = await page.context.newCDPSession(page.page);
  const canvas = page.chart;
  const window = async () => stateOf(await page.link()).view?.zoom;
  /** Drags fingers, 20 px apart, from the middle of the chart. */
  const drag = async (fingers, dx, dy) => {
    const { x, y, width, height } = await canvas.boundingBox();
    const at = step =>
      Array.from({ length: fingers }, (_, id) => ({
        id,
        x: x + width / 2 + 20 * id + (dx * step) / 8,
        y: y + height / 2 + (dy * step) / 8,
      }));
    const send = (type, touchPoints) => device.send('Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', at(0));
    for (let step = 1; step <= 8; ++step) await send('touchMove', at(step));
    await send('touchEnd', []);
    await page.settled();
  };
  await check('nothing is zoomed', async () => assert.equal(await window(), undefined));
  await drag(1, 4, -120);
  await check('a finger up leaves the chart', async () => assert.equal(await window(), undefined));
  await drag(1, -100, 4);
  const sideways = await window();
  assert.ok(sideways, 'a finger sideways pans');
  await drag(2, 0, 60);
  await check('two fingers pan up and down', async () => {
    const { y0, x0 } = await window();
    assert.ok(y0 > sideways.y0 + 0.1 && Math.abs(x0 - sideways.x0) < 0.01, `${y0} ${sideways.y0} ${x0} ${sideways.x0}`);
  });
  page.assertQuiet();
  await page.close();
});

test('on a phone the totals keep their notes, and the label unfolds the table', async () => {
  const page = await openPage('', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await check('made-up times are called so', async () =>
    assert.ok(await page.totals.getByText('synthetic').isVisible()),
  );
  await check('no total is alone in a row', async () => {
    const tops = await page.totals.locator('> div').evaluateAll(tiles => tiles.map(tile => tile.offsetTop));
    assert.ok(tops.length >= 5 && tops.every(top => tops.filter(other => other === top).length > 1), tops.join());
  });
  const unfolded = page.page.getByRole('button', { name: 'Fold the table', exact: true });
  assert.equal(await unfolded.count(), 0);
  await page.page.getByText(/^\d+ ops$/).tap();
  await check('the table is there', async () => assert.equal(await unfolded.count(), 1));

  await page.show('Machines');
  const heads = page.page.getByRole('region', { name: 'Machines side by side' }).getByRole('columnheader');
  await check('heads that sort the table are level with those that do not', async () => {
    const middles = await heads.evaluateAll(all =>
      all.slice(0, 3).map(head => {
        const words = document.createRange();
        words.selectNodeContents(head.querySelector('button') ?? head);
        const { top, bottom } = words.getBoundingClientRect();
        return (top + bottom) / 2;
      }),
    );
    assert.ok(Math.max(...middles) - Math.min(...middles) < 2, middles.join());
  });
  page.assertQuiet();
  await page.close();
});

test("a phone cuts nothing of the table's bar, and shows the whole legend", async () => {
  const page = await openPage('', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const ends = box => box.evaluate(element => element.getBoundingClientRect().bottom);
  const bar = page.page.locator('.drawer > header');
  await check('the legend ends above the bar', async () =>
    assert.ok((await ends(page.legend)) <= (await bar.boundingBox()).y),
  );
  await page.button('Unfold the table').tap();
  await page.settled();
  const columns = await page.button('Columns').boundingBox();
  await check('the bar has room for all', async () => assert.ok(columns.x + columns.width <= 390, `${columns.x}`));
  const search = page.page.getByLabel('Search names and types');
  assert.ok((await search.evaluate(field => field.clientWidth)) >= 80);
  page.assertQuiet();
  await page.close();
});

test('a tap on a list option does not click the element below it', async () => {
  const page = await openPage('', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.tap();
  await machine.fill('h200');
  const tapped = [];
  await page.page.exposeFunction('tapped', name => tapped.push(name));
  await page.page.evaluate(() =>
    addEventListener(
      'click',
      ({ target }) => globalThis.tapped(target.closest('[role]')?.role ?? target.tagName),
      true,
    ),
  );
  const entry = page.page.getByRole('option', { name: 'NVIDIA H200 SXM' });
  await entry.tap();
  await page.settled();
  await check('the machine is chosen', async () => assert.match(await machine.inputValue(), /H200/));
  await check('only the option was clicked', () => assert.deepEqual(tapped, ['option']));
  page.assertQuiet();
  await page.close();
});
