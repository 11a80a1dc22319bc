// Small things that get in the way: tooltips that stay, a toast over rows, the focus after Esc, axes after undo, tables cut off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { conv, four } from '../inputs.mjs';

const withNotes = JSON.stringify([...JSON.parse(four), { type: 'Unheard-of' }]);

/** Points at a marker. */
async function pointAtMarker(page) {
  const [position] = await page.markers();
  await page.chart.hover({ position });
  await page.tooltip.waitFor();
}

test('a tooltip goes with its chart, its file and the tour', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  await pointAtMarker(page);
  await page.page.keyboard.press('2');
  await page.settled();
  await page.page.keyboard.press('1');
  await page.painted();
  await check('gone with the chart', async () => assert.equal(await page.tooltip.count(), 0));

  await page.page.mouse.move(0, 0);
  await pointAtMarker(page);
  await page.page.keyboard.press('Control+k');
  await page.page.keyboard.type('tour');
  await page.page.keyboard.press('Enter');
  await page.page.getByRole('region', { name: 'Tour' }).waitFor();
  await page.painted();
  await check('gone with the tour', async () => assert.equal(await page.tooltip.count(), 0));
  page.assertQuiet();
  await page.close();
});

test('how a figure comes about is read whole, and goes with the focus', async () => {
  for (const width of [1440, 390]) {
    const page = await openPage('', { viewport: { width, height: 844 } });
    const figures = page.finding.locator('button[aria-expanded]');
    assert.ok((await figures.count()) > 1);
    for (let i = 0; i < (await figures.count()); ++i) {
      await figures.nth(i).press('Enter'); // what is open may lie over the next
      const note = page.page.getByRole('main').getByRole('note');
      const { x, width: wide } = await note.boundingBox();
      const view = await page.page.getByRole('main').boundingBox();
      assert.ok(x >= view.x && x + wide <= view.x + view.width, `${width} px: ${x} to ${x + wide}`);
    }
    await page.page.getByRole('heading', { level: 1 }).click({ position: { x: 2, y: 2 } });
    await check('gone', async () => assert.equal(await page.page.getByRole('main').getByRole('note').count(), 0));
    await page.close();
  }
});

/** Whatever can be pressed or typed into under a box, outside of it. */
const controlsUnder = box =>
  box.evaluate(own => {
    const over = own.getBoundingClientRect();
    return [...document.querySelectorAll('button, input, select, a[href], [role=tab]')]
      .filter(each => !own.contains(each) && each.checkVisibility())
      .filter(each => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
      })
      .map(each => each.textContent || each.getAttribute('aria-label'));
  });

test('a toast hides no row and no control, and goes with the next action', async () => {
  for (const [width, height, hasTouch] of [
    [1440, 900, false],
    [768, 1024, true],
    [390, 844, false],
    [390, 844, true],
  ]) {
    const viewport = { width, height };
    const page = await openPage('', { viewport, hasTouch });
    await page.link();
    await page.drop({ 'mine.json': withNotes });
    const toast = page.page.locator('.toast');
    await toast.waitFor();
    const over = await toast.boundingBox();
    const bar = await page.page.locator('.drawer > header').boundingBox();
    assert.ok(over.y >= bar.y && over.y + over.height <= bar.y + bar.height, `${over.y} to ${over.y + over.height}`);
    assert.ok(over.x >= 0 && over.x + over.width <= viewport.width);
    assert.deepEqual(await controlsUnder(toast), [], `at ${viewport.width}`);
    const words = await toast.evaluate(box =>
      [...box.querySelectorAll('span')]
        .filter(span => getComputedStyle(span).position !== 'absolute' && span.offsetWidth > 0)
        .map(span => [span.innerText, span.scrollWidth > span.clientWidth]),
    );
    assert.deepEqual(words, [['Opened mine.json', false]], 'its words are whole');
    await page.show('Machines');
    await toast.waitFor({ state: 'detached' });

    await page.committed();
    await page.drop({ 'second.json': JSON.stringify([conv]) });
    await toast.getByRole('button', { name: 'Hide' }).click();
    await toast.waitFor({ state: 'detached' });

    await page.committed();
    await page.drop({ 'third.json': four });
    await toast.waitFor();
    await page.drop({ 'broken.json': '{' });
    await page.page.getByRole('alert').first().waitFor();
    await toast.waitFor({ state: 'detached' }); // not beside the error of another file
    await page.close();
  }
});

test('Esc in the search field clears it and leaves it', async () => {
  const page = await openPage();
  const search = page.page.getByRole('searchbox');
  await page.page.keyboard.press('/');
  await page.page.keyboard.type('conv');
  await page.settled();
  await page.page.keyboard.press('Escape');
  await check('empty, and the keys are the page again', async () => {
    assert.equal(await search.inputValue(), '');
    assert.equal(await search.evaluate(field => field === document.activeElement), false);
  });
  await page.close();
});

test('a dialog returns the focus, however it is closed', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': withNotes });
  const opener = page.page.locator('.remarks-button');
  const dialog = page.page.getByRole('dialog');
  for (const [how, close] of [
    ['Esc', () => page.page.keyboard.press('Escape')],
    ['its button', () => dialog.getByRole('button', { name: 'Close' }).click()],
    ['a click outside', () => page.page.mouse.click(2, 2)],
  ]) {
    await opener.focus();
    await page.page.keyboard.press('Enter');
    await dialog.waitFor();
    await close();
    await dialog.waitFor({ state: 'detached' });
    await check(how, async () => assert.ok(await opener.evaluate(button => button === document.activeElement)));
  }
  page.assertQuiet();
  await page.close();
});

test('undo takes back the axes that a change has widened', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  await page.link();
  const axes = async () => {
    const picture = await page.chart.evaluate(canvas => canvas.toDataURL());
    return picture;
  };
  await page.page.mouse.move(0, 0);
  await page.settled();
  const before = await axes();
  const link = await page.link();
  const field = page.page.getByLabel('DRAM, GB/s', { exact: true });
  await field.fill('0.5');
  await field.blur();
  await page.settled();
  await page.link();
  assert.notEqual(await axes(), before);
  await page.page.mouse.move(0, 0);
  await page.page.keyboard.press('Control+z');
  await page.settled();
  await check('the same window', async () => assert.equal(await page.link(), link));
  await check('the same picture', async () => assert.equal(await axes(), before));
  page.assertQuiet();
  await page.close();
});

test('a table that goes on beyond its edge fades there', async () => {
  const page = await openPage('', { viewport: { width: 390, height: 844 } });
  await page.button('Unfold the table').click();
  const table = page.page.getByRole('region', { name: 'Operations', exact: true });
  const fades = () => table.evaluate(box => [box.dataset.clipped ?? '', getComputedStyle(box).maskImage !== 'none']);
  await check('at the right', async () => assert.deepEqual(await fades(), ['right', true]));
  await table.evaluate(box => box.scrollBy(20, 0));
  await check('at both sides', async () => assert.deepEqual(await fades(), ['left right', true]));
  await table.evaluate(box => box.scrollTo(box.scrollWidth, 0));
  await check('at the left', async () => assert.deepEqual(await fades(), ['left', true]));
  await page.page.setViewportSize({ width: 1440, height: 900 });
  await check('not where all of it is in view', async () => assert.deepEqual(await fades(), ['', false]));
  await page.close();
});

test('a text that is cut off has a title only while it is', async () => {
  const page = await openPage();
  const text = await page.page.evaluateHandle(() => {
    const made = document.body.appendChild(document.createElement('div'));
    made.textContent = 'a name that is too long for its place';
    made.style.cssText =
      'position: fixed; top: 0; left: 0; z-index: 99; overflow: hidden; text-overflow: ellipsis; white-space: nowrap';
    return made;
  });
  const titleAt = async width => {
    await text.evaluate((made, now) => (made.style.width = now), width);
    await page.page.mouse.move(300, 300);
    await page.page.mouse.move(20, 5);
    return text.evaluate(made => made.title);
  };
  await check('cut off', async () => assert.equal(await titleAt('60px'), 'a name that is too long for its place'));
  await check('in full', async () => assert.equal(await titleAt('600px'), ''));
  await text.evaluate(made => (made.title = 'another'));
  await check('the title of someone else', async () => assert.equal(await titleAt('60px'), 'another'));
  await page.close();
});

test('the sliders of the estimate show what is in force', async () => {
  const page = await openPage();
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  await machine.fill('a100 80gb sxm');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await page.page.getByText(/^Estimate \(/).click();
  const field = name => page.page.getByLabel(name, { exact: true });
  const document = JSON.parse(
    await page
      .download('JSON')
      .then(({ path }) => import('node:fs').then(({ readFileSync }) => readFileSync(path, 'utf8'))),
  );
  const { launch_s, compute, bandwidth, overlap } = document.scenario.overhead;
  assert.ok(launch_s > 0, 'the stack of single kernels has a launch time');
  await check('as the document has them', async () => {
    const shown = await Promise.all(
      ['Launch, µs', 'Peak reached, %', 'Bandwidth, %', 'Overlap, %'].map(name => field(name).inputValue()),
    );
    const rounded = value => String(Number(value.toPrecision(3)));
    assert.deepEqual(shown, [launch_s * 1e6, compute * 100, bandwidth * 100, overlap * 100].map(rounded));
  });
  await field('Launch, µs').fill('20');
  await page.settled();
  await page.button('Reset Launch').click();
  await check('and again after a reset', async () =>
    assert.equal(await field('Launch, µs').inputValue(), String(Number((launch_s * 1e6).toPrecision(3)))),
  );
  page.assertQuiet();
  await page.close();
});

test('what is shown while the core computes is marked, and is no answer to another question', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const summary = await page.sentence();
  const slow = ms => tab.evaluate(held => void (globalThis.waits.held = held), ms);
  const dimmed = () => page.finding.getAttribute('aria-busy');
  assert.equal(await dimmed(), 'false');
  await slow(2000);
  await tab.getByRole('tab', { name: 'Machines', exact: true }).click();
  await check('the tab does not repeat the headline of the last one', async () => {
    assert.equal(await dimmed(), 'true');
    assert.equal(await page.sentence(), 'Computing…');
    assert.equal(await page.view.getAttribute('aria-busy'), 'true');
  });
  await slow(0);
  await page.settled();
  await check('then its own is there', async () => {
    assert.equal(await dimmed(), 'false');
    assert.match(await page.sentence(), /is the fastest/);
  });
  await page.show('Summary');
  await slow(2000);
  await tab.getByRole('combobox', { name: 'Weights', exact: true }).selectOption('int4');
  await check('old figures are dimmed', async () => {
    assert.equal(await dimmed(), 'true');
    assert.equal(await page.sentence(), summary);
  });
  await slow(0);
  await page.settled();
  await check('until the new ones are there', async () => {
    assert.equal(await dimmed(), 'false');
    assert.match(await page.sentence(), /With INT4 weights: /);
  });
  const outcome = () => page.inputs.locator('.outcome').getAttribute('aria-busy');
  await slow(2000);
  await tab.getByRole('combobox', { name: 'Weights', exact: true }).selectOption('nf4');
  await check('so is the old range of the what-if', async () => assert.equal(await outcome(), 'true'));
  await slow(0);
  await page.settled();
  await check('until the new one is there', async () => assert.equal(await outcome(), 'false'));
  page.assertQuiet();
  await page.close();
});

test('on a phone every total is in view, and Escape closes a sheet', async () => {
  const page = await openPage('', { viewport: { width: 390, height: 844 } });
  const edges = () =>
    page.totals.locator('div').evaluateAll(tiles =>
      tiles.map(tile => {
        const cut = [...tile.children].some(part => part.scrollWidth > part.clientWidth + 1);
        return !cut && tile.getBoundingClientRect().right <= innerWidth;
      }),
    );
  await check('whole', async () => {
    const whole = await edges();
    assert.ok(whole.length >= 5 && whole.every(Boolean), `${whole}`);
  });
  await page.change();
  await page.page.getByRole('combobox', { name: 'Weights', exact: true }).selectOption('int4');
  await page.settled();
  await check('with a what-if, too', async () => assert.ok((await edges()).every(Boolean)));
  const sheet = page.page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Change' });
  assert.equal(await sheet.getAttribute('aria-expanded'), 'true');
  await page.page.evaluate(() => document.activeElement?.blur());
  await page.page.keyboard.press('Escape');
  await check('closed', async () => assert.equal(await sheet.getAttribute('aria-expanded'), 'false'));
  assert.ok(await page.finding.isVisible());

  await page.show('Machines');
  const table = page.page.getByRole('region', { name: 'Machines side by side' });
  const cue = table.getByText('More columns');
  await check('columns beyond the edge have a cue', async () => assert.ok(await cue.isVisible()));
  await table.evaluate(box => box.scrollTo(box.scrollWidth, 0));
  await check('which goes at the end, where the names stay', async () => {
    assert.ok(!(await cue.isVisible()));
    const name = await table.getByRole('rowheader').nth(1).boundingBox();
    assert.ok(name.x >= 0 && name.x < 40, `${name.x}`);
  });
  page.assertQuiet();
  await page.close();
});

test('a window that becomes narrow has sheets', async () => {
  const page = await openPage();
  const selected = await page.selectedName();
  await page.page.setViewportSize({ width: 390, height: 844 });
  await page.change();
  const sheet = page.page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Change' });
  await page.page.evaluate(() => document.activeElement?.blur());
  await page.page.keyboard.press('Escape');
  await check('Escape closes one', async () => assert.equal(await sheet.getAttribute('aria-expanded'), 'false'));
  await page.inspect();
  assert.equal(await page.selectedName(), selected, 'and leaves the selection');
  page.assertQuiet();
  await page.close();
});

test('heads have room for the arrow of the order, and a text that is cut off is shown whole', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  const heads = page.head(page.operations);
  for (const name of ['Above bound', 'Limited by', 'Status', 'Time', 'Efficiency', 'Type', 'Intensity']) {
    await heads.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await page.settled();
    const beyond = await heads.evaluateAll(cells =>
      cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.innerText),
    );
    assert.deepEqual(beyond, [], `in the order of ${name}`);
  }
  await page.show('Formats');
  const name = page.view.getByRole('rowheader', { name: /INT4, groups of 128, zero/ });
  await check('it is whole, or its title has all of it', async () => {
    const { title, text, beyond } = await name.evaluate(cell => ({
      title: cell.querySelector('.long-name')?.title,
      text: cell.textContent,
      beyond: cell.scrollWidth - cell.clientWidth,
    }));
    assert.ok(beyond <= 0, `${beyond} px of it are hidden`);
    assert.equal(title ?? text, 'INT4, groups of 128, zero point');
  });
  await page.close();
});

test('the focus ring of a tab is not clipped, and headline lines are evenly spaced', async () => {
  const long = { source: { sample: 'resnet-50' }, view: { tab: 'categories' } };
  for (const hasTouch of [false, true]) {
    const page = await openPage(`#${Buffer.from(JSON.stringify(long)).toString('base64url')}`, {
      viewport: { width: 390, height: 844 },
      hasTouch,
    });
    const tops = await page.finding.locator('strong').evaluate(strong => {
      const range = document.createRange();
      range.selectNodeContents(strong);
      const texts = [...range.getClientRects()].filter(({ height }) => height > 16); // without the "?"
      return [...new Set(texts.map(({ top }) => Math.round(top)))].sort((a, b) => a - b);
    });
    const steps = tops.slice(1).map((top, i) => top - tops[i]);
    assert.ok(steps.length > 1 && Math.max(...steps) - Math.min(...steps) <= 1, steps.join());
    await page.page.getByRole('tab', { name: 'Summary' }).press('ArrowRight');
    const focused = page.page.locator('[role=tab]:focus-visible');
    const { outlineWidth, outlineOffset } = await focused.evaluate(tab => ({ ...getComputedStyle(tab) }));
    assert.ok(parseFloat(outlineOffset) <= -parseFloat(outlineWidth), `${outlineWidth} at ${outlineOffset}`);
    await page.close();
  }
});

test('a button that goes away when it is pressed hands on the focus', async () => {
  const page = await openPage();
  const focus = () =>
    page.page.evaluate(() => {
      const { activeElement: now } = document;
      return now === document.body ? 'nothing' : (now.ariaLabel ?? now.textContent);
    });
  const press = async (button, expected) => {
    await button.press('Enter');
    await page.settled();
    await check(`${expected} has it`, async () => assert.match(await focus(), expected));
  };
  await page.drop({ 'four.json': four });
  await page.page.getByRole('combobox', { name: 'Weights', exact: true }).selectOption('int4');
  await page.settled();
  await press(page.inputs.getByRole('button', { name: 'Clear' }), /^Fold the panel$/);
  await page.page.getByLabel('Search names and types').fill('conv');
  await page.settled();
  await press(page.button('Show all'), /^Filter/);
  await page.drop({ 'bad.json': '{bad' });
  await press(page.button('Dismiss').first(), /operations?|ops?/);
  const undo = page.button('Undo').first();
  while ((await undo.getAttribute('aria-disabled')) !== 'true') {
    await undo.press('Enter');
    await page.settled();
  }
  await check('Undo keeps it, with nothing left to undo', async () => assert.equal(await focus(), 'Undo'));
  page.assertQuiet();
  await page.close();
});

test('a removed format hands the focus to the next', async () => {
  const page = await openPage();
  await page.openFrom('Size an operator');
  await page.button('Remove INT8').press('Enter');
  await check('INT4', async () =>
    assert.match(await page.page.evaluate(() => document.activeElement.ariaLabel), /^Remove INT4/),
  );
  page.assertQuiet();
  await page.close();
});

test('a few hidden pixels of the last column are no more columns', async () => {
  const request = { model: 'llama-3-8b', phase: 'decode', batch: 8, prompt: 3840, context: 4096 };
  const state = { source: { built: 'model', request }, settings: { machine: 'b200-sxm' }, view: { tab: 'machines' } };
  const page = await openPage(`#${Buffer.from(JSON.stringify(state)).toString('base64url')}`, {
    viewport: { width: 768, height: 1024 },
  });
  const table = page.page.getByRole('region', { name: 'Machines side by side' });
  await table.getByRole('row').nth(4).waitFor();
  const cue = table.getByText('More columns');
  const hide = pixels =>
    table.evaluate((box, pixels) => {
      const table = box.querySelector('table');
      const left = table.getBoundingClientRect().left - box.getBoundingClientRect().left;
      table.style.minWidth = `${box.clientWidth - left + pixels}px`;
    }, pixels);
  await hide(5);
  await check('no cue', async () => {
    assert.ok((await table.evaluate(box => box.scrollWidth - box.clientWidth)) >= 5);
    assert.ok(!(await cue.isVisible()));
  });
  await hide(200);
  await check('a cue for columns', async () => assert.ok(await cue.isVisible()));
  page.assertQuiet();
  await page.close();
});
