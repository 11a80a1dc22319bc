// The roofline: where it opens, what stays while something changes, what its colours tell, and cards beside their points.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

test('chart', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const zoom = async () => {
    const state = Buffer.from((await page.link()).split('#')[1] ?? '', 'base64url').toString();
    return JSON.parse(state || '{}').view?.zoom;
  };

  await check('it opens on all points', async () => {
    assert.equal(await page.chart.getAttribute('data-markers'), '88');
    assert.equal(await page.button(/outside$/).count(), 0);
  });
  await page.button('Show the machine’s full range').click();
  const decades = await zoom();
  await check("the machine's decades on demand", async () => assert.ok(Number.isInteger(decades.x0), decades));
  await page.button('Fit the points').click();
  await check('and back', async () => assert.equal(await zoom(), undefined));

  // Where the window stays though the same state would open with another, the link names it.
  await page.slide('Peak', 800);
  const stayed = await zoom();
  const other = await openPage(await page.link());
  await check('a link shows the same window', async () => {
    assert.equal(await other.chart.getAttribute('data-markers'), await page.chart.getAttribute('data-markers'));
    if (stayed)
      assert.deepEqual(JSON.parse(Buffer.from((await other.link()).split('#')[1], 'base64url')).view.zoom, stayed);
  });
  await other.close();

  const colours = page.legend.getByLabel('Colour by');
  await colours.selectOption({ label: 'time above bound' });
  await check('colours tell the time above the bound', async () =>
    assert.match(await page.legend.innerText(), /µs above bound/),
  );
  await colours.selectOption({ label: 'category' });
  await check('or the category', async () => assert.match(await page.legend.innerText(), /convolution \d+/));
  await colours.selectOption({ label: 'status' });

  const { x, y, width, height } = await page.chart.boundingBox();
  const found = [];
  for (let at = 60; at < width - 20 && found.length < 3; at += 5)
    for (let down = 40; down < height - 40 && found.length < 3; down += 12) {
      await tab.mouse.move(x + at, y + down);
      if ((await page.chart.evaluate(canvas => canvas.style.cursor)) === 'pointer') {
        found.push([x + at, y + down]);
        break;
      }
    }
  assert.ok(found.length > 0, 'a point is found by the pointer');
  for (const [px, py] of found) {
    await tab.mouse.move(px, py);
    await page.tooltip.waitFor();
    const card = await page.tooltip.boundingBox();
    const over = px > card.x && px < card.x + card.width && py > card.y && py < card.y + card.height;
    await check('a card never covers its point', async () => assert.ok(!over, JSON.stringify({ card, px, py })));
  }
  page.assertQuiet();
  await page.close();
});

test('the legend says which shape is which kind of operation', async () => {
  const page = await openPage();
  await page.legend.getByRole('button', { name: 'Shapes' }).click();
  const shapes = page.legend.getByRole('list', { name: 'Shapes' }).getByRole('listitem');
  await check('each with its kinds', async () => {
    const texts = (await shapes.allInnerTexts()).map(text => text.trim());
    assert.ok(
      texts.length > 1 && texts.some(text => text.startsWith('ID_CONV')) && texts.some(text => /MaxPool/.test(text)),
      `${texts}`,
    );
  });
  const first = page.tableRow('conv1').locator('.marker title');
  assert.equal(await first.textContent(), 'ID_CONV');
  await page.close();
});
