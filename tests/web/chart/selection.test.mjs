// One selection, filters, search, sorting, grouping, keyboard, zoom.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';
import { four, many, mul } from '../inputs.mjs';

test('selection', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': four });
  const { keyboard } = page.page;
  const canvas = page.chart;
  const names = () => page.texts('tbody tr[data-op] td:first-child');

  await check('sorted by lost time', async () =>
    assert.deepEqual(
      (await names()).map(name => name.trim()),
      ['conv1', 'proj', 'swap', 'scale'],
    ),
  );
  await page.tableRow('proj').click();
  await page.settled();
  await check('a click on a row selects', async () => assert.deepEqual(await page.selectedName(), 'proj'));
  await canvas.focus();
  await keyboard.press('ArrowDown');
  await page.settled();
  await check('an arrow walks the table', async () => assert.deepEqual(await page.selectedName(), 'swap'));
  await keyboard.press('Home');
  await page.settled();
  await check('Home selects the first', async () => assert.deepEqual(await page.selectedName(), 'conv1'));
  await keyboard.press('Escape');
  await page.settled();
  await check('Escape clears', async () =>
    assert.deepEqual(await page.operations.getByRole('row', { selected: true }).count(), 0),
  );

  const [at] = await page.markers();
  await canvas.click({ position: at });
  await page.settled();
  await check('a click on a point selects', async () =>
    assert.ok((await page.operations.getByRole('row', { selected: true }).count()) === 1),
  );
  const [beside] = await page.markers(); // the diagnosis has come, and the chart is narrower
  await canvas.hover({ position: { x: beside.x + 1, y: beside.y } });
  await check('hover shows the essentials', async () =>
    assert.ok(/Intensity/.test(await page.text(page.tooltip)), inspect(await page.tooltip.count())),
  );

  await keyboard.press('/');
  await keyboard.type('conv');
  await page.settled();
  await check('search narrows', async () =>
    assert.deepEqual(
      (await names()).map(name => name.trim()),
      ['conv1'],
    ),
  );
  await check('the summary follows', async () => assert.deepEqual(await page.count(), '1 of 4'));
  await keyboard.press('Escape');
  await page.settled();
  await check('Escape ends the search', async () => assert.deepEqual((await names()).length, 4));

  await (await page.behind('filter')).getByRole('button', { name: /^ID_MUL/ }).click();
  await page.settled();
  await check('a type can be hidden', async () => assert.deepEqual((await names()).length, 3));
  await page.page.getByRole('button', { name: 'Show all' }).click();
  const statuses = (await page.behind('filter')).getByRole('list', { name: 'Statuses' });
  await statuses.getByRole('button').first().click();
  await page.settled();
  await check('a status can be hidden', async () => assert.ok((await names()).length < 4));
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();

  await page.page.getByRole('button', { name: 'Operation' }).click();
  await page.settled();
  await check('sorted by name', async () =>
    assert.deepEqual(
      (await names()).map(name => name.trim()),
      ['conv1', 'proj', 'scale', 'swap'],
    ),
  );

  const before = await canvas.screenshot();
  await canvas.hover({ position: { x: 400, y: 90 } });
  await page.page.mouse.wheel(0, -400);
  await page.settled();
  const zoomed = await canvas.screenshot();
  await check('the wheel zooms', async () => assert.ok(!before.equals(zoomed)));
  await check('points beyond the view are counted', async () =>
    assert.ok((await page.button(/outside$/).count()) > 0 || Number(await canvas.getAttribute('data-markers')) === 4),
  );
  await canvas.dblclick({ position: { x: 400, y: 150 } });
  await page.page.mouse.move(5, 5);
  await page.settled();
  await check('a double click resets', async () => assert.deepEqual(await canvas.getAttribute('data-markers'), '4'));

  await page.drop({
    'same.json': JSON.stringify([mul, mul, mul, { ...mul, name: 'other', input_self: [4096], input_other: [4096] }]),
  });
  await (await page.behind('filter')).getByLabel('Group identical operations').check();
  await page.settled();
  await check('identical ops are grouped', async () => assert.deepEqual((await names()).length, 2));
  await check('with their count', async () =>
    assert.ok(
      (await names()).some(name => name.includes('×3')),
      inspect(await names()),
    ),
  );

  await page.drop({ 'many.json': JSON.stringify(many(5000)) });
  await page.sourceName.filter({ hasText: 'many.json' }).waitFor();
  await page.settled();
  const table = page.page.getByRole('region', { name: 'Operations', exact: true });
  await check('rows are virtual', async () => assert.ok((await page.rows(page.operations).count()) < 80));
  await table.evaluate(element => (element.scrollTop = element.scrollHeight));
  await page.settled();
  await check('the last row is fetched', async () =>
    assert.equal(await page.rows(page.operations).last().getAttribute('aria-rowindex'), '5001'),
  );
  await page.chart.focus();
  await keyboard.press('Home');
  await page.settled();
  await check('a selection far away is scrolled to', async () =>
    assert.ok(
      (await page.operations.getByRole('row', { selected: true }).getAttribute('aria-rowindex')) === '2' &&
        (await table.evaluate(element => element.scrollTop)) === 0,
    ),
  );
  await check('the legend says what the density stands for', async () =>
    assert.ok(
      (await page.region('Legend')).includes('of 5,000; the rest as density'),
      inspect(await page.region('Legend')),
    ),
  );
  page.assertQuiet();
  await page.close();
  await outrunTheCore();
});

/** Resolves once the browser has scrolled an element away from both ends and scrolls it no further. */
const rests = element =>
  element.evaluate(
    box =>
      new Promise(resolve => {
        let at = NaN;
        const look = () => {
          const still = box.scrollTop === at && at > 0 && at < box.scrollHeight - box.clientHeight - 1;
          at = box.scrollTop;
          still ? resolve() : requestAnimationFrame(look);
        };
        look();
      }),
  );

/** Keys and clicks that come faster than the core answers: every message to it is held back. */
async function outrunTheCore() {
  const page = await openPage();
  const { keyboard } = page.page;
  const rows = 20_000;
  const csv = `name,M,N,K,dtype,time_us\n${Array.from({ length: rows }, (_, i) => `op${i},64,64,64,f16,${rows - i}`).join('\n')}\n`;
  await page.drop({ 'many.csv': csv });
  await page.sourceName.filter({ hasText: 'many.csv' }).waitFor();
  await page.settled();
  const held = ms => page.page.evaluate(to => (globalThis.waits.held = to), ms);
  const row = page.operations.getByRole('row', { selected: true });
  const lands = async name => {
    await page.diagnosis
      .getByRole('heading', { level: 3, name, exact: true })
      .waitFor()
      .catch(() => {});
    await page.settled(); // nothing else takes over
    await row.waitFor().catch(() => {});
    return [await page.selectedName(), (await row.count()) === 1 && (await row.innerText()).split(/\s/)[0]];
  };
  const table = page.page.getByRole('region', { name: 'Operations', exact: true });
  const box = await table.boundingBox();
  await page.page.mouse.move(box.x + 200, box.y + 100);
  await held(150);
  for (const [key, name, by] of [
    ['Home', 'op0', 30_000],
    ['End', `op${rows - 1}`, 30_000],
    ['Home', 'op0', -30_000],
  ]) {
    for (let i = 0; i < 3; ++i) await page.page.mouse.wheel(0, by);
    await rests(table);
    await keyboard.press(key);
    await check(`${key} right behind the wheel`, async () => assert.deepEqual(await lands(name), [name, name]));
  }
  for (let i = 0; i < 10; ++i) await keyboard.press('ArrowDown');
  await check('every press of an arrow counts', async () => assert.deepEqual(await lands('op10'), ['op10', 'op10']));
  for (let i = 0; i < 60; ++i) await keyboard.press('ArrowDown');
  await check('beyond the rows that were fetched too', async () =>
    assert.deepEqual(await lands('op70'), ['op70', 'op70']),
  );
  for (let i = 0; i < 30; ++i) await keyboard.press('ArrowUp');
  await check('and back', async () => assert.deepEqual(await lands('op40'), ['op40', 'op40']));
  await keyboard.press('PageDown');
  await check('a page further', async () => {
    const further = Number((await page.selectedName()).slice(2)) - 40;
    assert.ok(further > 1 && further < 30, inspect(further));
  });
  await keyboard.press('PageUp');
  await check('and back by one', async () => assert.deepEqual(await lands('op40'), ['op40', 'op40']));
  await page.page.mouse.wheel(0, 30_000);
  await page.settled();
  const fourth = page.rows(page.operations).nth(4);
  const chosen = (await fourth.innerText()).split(/\s/)[0];
  await held(3000); // Home is answered after the click
  await keyboard.press('Home');
  await fourth.click();
  await check('a click behind Home stands', async () => assert.deepEqual(await lands(chosen), [chosen, chosen]));
  await held(150);
  await page.operations.getByRole('button', { name: /^Time( [▾▴])?$/ }).click();
  await page.operations.getByRole('button', { name: /^Time( [▾▴])?$/ }).click(); // ascending
  await page.chart.focus();
  await keyboard.press('Home');
  await check('Home in an order that has only just been chosen', async () =>
    assert.deepEqual(await lands(`op${rows - 1}`), [`op${rows - 1}`, `op${rows - 1}`]),
  );
  page.assertQuiet();
  await page.close();
}

test('the diagnosis says that filters hide its operation in the table', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': four });
  const left = page.diagnosis.getByText('The filters hide this operation in the table.');
  await page.inspect();
  assert.equal(await left.count(), 0);
  const search = page.page.getByLabel('Search names and types');
  await search.fill(
    (await page.selectedName()) === (await page.tableNames())[0]
      ? (await page.tableNames())[1]
      : (await page.tableNames())[0],
  );
  await page.settled();
  await check('while it is hidden', async () => assert.equal(await left.count(), 1));
  await search.fill('');
  await page.settled();
  await check('and no longer', async () => assert.equal(await left.count(), 0));
  page.assertQuiet();
  await page.close();
});

test('quick changes of tabs leave no backlog of questions', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': four });
  const most = await page.page.evaluate(async () => {
    globalThis.waits.held = 2000; // the core hears of each after all are clicked
    const frame = () => new Promise(requestAnimationFrame);
    let most = 0;
    for (let click = 0; click < 12; ++click) {
      const tabs = [...document.querySelectorAll('.tab-bar [role="tab"]')];
      tabs[click % tabs.length].click();
      for (let frames = 0; frames < 4; ++frames) await frame();
      const put = [...globalThis.waits.pending].filter(({ message }) => message === 'ask');
      most = Math.max(most, put.length);
    }
    globalThis.waits.held = 0;
    return most;
  });
  // The run strip asks beside the views; without turns there are ten.
  await check('one view asks, the others wait', async () => assert.ok(most <= 3, `${most} questions`));
  await page.settled();
  page.assertQuiet();
  await page.close();
});

test('Escape clears every filter', async () => {
  for (const filter of [{ limits: ['DRAM'] }, { categories: ['element-wise'] }]) {
    const state = { source: { file: 'commands.json', text: four }, view: filter };
    const page = await openPage(`#${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
    await check(`${Object.keys(filter)} in force`, async () => assert.match(await page.count(), /^\d of 4$/));
    for (let press = 0; press < 2; ++press) await page.page.keyboard.press('Escape'); // the selection, then the filters
    await check(`${Object.keys(filter)} cleared`, async () => assert.equal(await page.count(), '4'));
    await page.close();
  }
});
