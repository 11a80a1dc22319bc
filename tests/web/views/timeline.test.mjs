// The run over time: a track per type, steps, sums of any range, zoom, and a click that selects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { many } from '../inputs.mjs';

const ops = [
  { type: 'copy', name: 'first', flops: 8e9, bytes: 1e6, time_ns: 1e6, step: 'prefill' },
  { type: 'sum', name: 'second', flops: 1e6, bytes: 5e7, time_ns: 3e6, step: 'decode' },
];
const NAMES = 150; // px of the tracks' names
const RIGHT = 8; // px beside them

test('timeline', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  const { page: tab } = page;
  await page.show('Timeline: Over time');
  await check('the legend says what faded means', async () =>
    assert.match(await tab.locator('.timeline').innerText(), /faded: near the bound/),
  );
  await page.drop({ 'ordered.json': JSON.stringify(ops) });
  await page.show('Timeline: Over time');
  const figure = tab.getByRole('figure', { name: 'Operations over time' });
  const plot = figure.getByRole('img');
  await plot.waitFor();
  const sums = () => tab.getByRole('status', { name: 'Sums' }).innerText();
  await check('tracks: all, the steps, each type', async () =>
    assert.match(await plot.getAttribute('aria-label'), /: All ops, Steps, sum, copy$/),
  );
  await check('the sums of the whole run', async () => assert.match(await sums(), /^Whole run: 4 ms\s+2 ops:/));
  const { x, y, width, height } = await plot.boundingBox();
  const at = (part, track = 0) => [
    x + NAMES + part * (width - NAMES - RIGHT),
    y + 22 + (track + 0.5) * Math.min(96, (height - 22) / 4),
  ];
  await check('it fills its pane', async () => {
    const pane = await tab.getByRole('main').boundingBox();
    assert.ok(height > pane.height / 2, `${height} of ${pane.height}`);
  });

  await tab.mouse.move(...at(0.6));
  await check('pointing names the operation', async () => assert.match(await page.tooltip.innerText(), /^second/));
  await tab.mouse.click(...at(0.6));
  await check('a click selects it', async () => assert.equal(await page.selectedName(), 'second'));

  await tab.mouse.move(...at(0.125));
  await tab.mouse.down();
  await tab.mouse.move(...at(0.5), { steps: 3 });
  await tab.mouse.up();
  await check('a drag sums its range', async () =>
    assert.match(await sums(), /^(499|500|501|502) µs to (1\.99|2|2\.01) ms: 1\.5 ms\s+2 ops: /),
  );
  await page.button('Zoom to it').click();
  await check('and can be zoomed to', async () => {
    assert.match(await sums(), /1\.5 ms\s+2 ops/);
    assert.equal(await page.button('Clear').count(), 0);
    assert.ok(await page.button('Show the whole run').isEnabled());
  });
  await page.button('Show the whole run').click();
  await check('and back', async () => assert.match(await sums(), /^Whole run/));
  await tab.mouse.click(...at(0.6, 1));
  await check('a click on a step sums it', async () => assert.match(await sums(), /^1 ms to 4 ms: 3 ms\s+1 op:/));
  await page.button('Clear').click();

  await tab.mouse.move(...at(0.1));
  await tab.mouse.wheel(0, -200);
  await check('the wheel zooms', async () => assert.ok(!/^Whole run/.test(await sums()), await sums()));

  const zoomed = await sums();
  await page.link();
  await tab.reload();
  await page.settled();
  await check('the link has the zoom', async () => assert.equal(await sums(), zoomed));

  await page.drop({ 'many.json': JSON.stringify(many(5000)) });
  await page.show('Timeline: Over time');
  await check('another file is whole again', async () => assert.match(await sums(), /^Whole run: .*\s+5,000 ops/));
  await figure.focus();
  for (let i = 0; i < 8; ++i) await tab.keyboard.press('+');
  await check('keys zoom, and bins become operations', async () => {
    const [, count] = /\s([\d,]+) ops:/.exec(await sums()) ?? [];
    assert.ok(Number(count?.replace(',', '')) < 2000, await sums());
  });
  page.assertQuiet();
  await page.close();
});
