// Nothing is lost: each change is a step of the browser's history; Back, Ctrl-Z and a button take it back; a file opened over another, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage, url } from '../harness.mjs';
import { four } from '../inputs.mjs';

const faster = JSON.stringify(JSON.parse(four).map(op => ({ ...op, time_ns: op.time_ns / 2 })));

test('undo', async () => {
  const page = await openPage('', { clock: true });
  const { page: tab } = page;
  const button = name => tab.getByRole('button', { name, exact: true });
  const bandwidth = tab.getByLabel('DRAM, GB/s');
  /** The state by which one knows the page. */
  const seen = async () => {
    await page.settled();
    return [
      await bandwidth.inputValue().catch(() => ''),
      await page.count(),
      await tab.getByRole('searchbox').inputValue(),
      await page.tab(),
      await page.text(page.sourceName),
    ].join(' | ');
  };

  await check('at first there is nothing to undo', async () => assert.ok(await button('Undo').isDisabled()));
  const changes = [
    () => page.slide('DRAM', 700),
    () => page.slide('DRAM', 300),
    () => tab.getByRole('searchbox').fill('conv'),
    () => page.show('Bars'),
    () => page.slide('DRAM', 900),
    () => page.show('Summary'),
    () => tab.getByRole('searchbox').fill('fc'),
    () => tab.getByRole('searchbox').fill(''),
    () => page.slide('DRAM', 111),
    () => page.drop({ 'four.json': four }),
  ];
  const states = [await seen()];
  await page.committed();
  for (const change of changes) {
    await change();
    await page.settled();
    await tab.evaluate(() => document.activeElement?.blur());
    await page.committed();
    states.push(await seen());
  }
  await check('a file opened over another says so, and offers the way back', async () =>
    assert.match(await tab.getByRole('status').filter({ hasText: 'Opened' }).textContent(), /four\.json.*Undo/),
  );
  assert.equal(new Set(states).size > 7, true, states.join('\n'));

  const undos = [
    () => tab.getByRole('status').getByRole('button', { name: 'Undo' }).click(),
    () => tab.keyboard.press('Control+z'),
    () => tab.goBack(),
    () => button('Undo').click(),
  ];
  for (let i = changes.length - 1; i >= 0; --i) {
    const way = i === changes.length - 1 ? undos[0] : undos[1 + (i % 3)];
    await way();
    await check(`undo to step ${i}`, async () => assert.equal(await seen(), states[i]));
    await page.committed();
  }
  await check('then there is nothing left to undo', async () => assert.ok(await button('Undo').isDisabled()));
  for (let i = 1; i <= changes.length; ++i) {
    await (i % 2 ? tab.keyboard.press('Control+Shift+z') : button('Redo').click());
    await check(`redo to step ${i}`, async () => assert.equal(await seen(), states[i]));
    await page.committed();
  }

  // One drag, one step; a selection, none.
  const before = await tab.evaluate(() => history.length);
  const slider = await tab.getByRole('slider', { name: 'DRAM', exact: true }).boundingBox();
  const at = part => [slider.x + slider.width * part, slider.y + slider.height / 2];
  await tab.mouse.move(...at(0.3));
  await tab.mouse.down();
  for (const part of [0.35, 0.4, 0.45, 0.5]) {
    await tab.mouse.move(...at(part));
    await tab.clock.runFor(1000); // no change for a while, and still the same drag
  }
  await tab.mouse.up();
  await page.tableRow('proj').click();
  await page.committed();
  assert.equal((await tab.evaluate(() => history.length)) - before, 1);
  const dragged = await bandwidth.inputValue();
  await button('Undo').click();
  await check('undoing a change leaves what was selected since', async () => {
    assert.notEqual(await bandwidth.inputValue(), dragged);
    assert.equal(await page.selectedName(), 'proj');
  });
  await page.committed();
  await button('Redo').click();
  await check('and redoing, too', async () => {
    assert.equal(await bandwidth.inputValue(), dragged);
    assert.equal(await page.selectedName(), 'proj');
  });
  await page.committed();
  await tab.getByRole('searchbox').fill('x');
  await tab.getByRole('searchbox').press('Control+z');
  await check('in a text field the browser’s own undo', async () =>
    assert.equal(await tab.getByRole('searchbox').inputValue(), ''),
  );
  const changed = await bandwidth.inputValue();
  await button('Reset').click();
  await check('reset returns everything', async () => assert.notEqual(await bandwidth.inputValue(), changed));
  await page.committed();
  await tab.keyboard.press('Control+z');
  await check('and can be undone', async () => assert.equal(await bandwidth.inputValue(), changed));

  page.assertQuiet();
  await page.close();
});

test('each tab is a step, and a reload keeps the steps', async () => {
  const page = await openPage('', { clock: true });
  const { page: tab } = page;
  const search = tab.getByRole('searchbox');
  await page.committed();
  await search.fill('conv');
  await tab.evaluate(() => document.activeElement?.blur());
  await page.committed();
  const tabs = ['Summary', 'Formats', 'Machines', 'Bars'];
  for (const name of tabs.slice(1)) {
    await page.show(name);
    await page.committed();
  }
  await tab.keyboard.press('Control+z');
  await check('one tab back', async () => assert.equal(await page.tab(), 'Machines'));
  await page.committed();

  await tab.reload();
  await page.painted();
  await page.committed();
  await check('redo is still offered', async () => assert.ok(await page.button('Redo').isEnabled()));
  await tab.keyboard.press('Control+Shift+z');
  await check('and redoes', async () => assert.equal(await page.tab(), 'Bars'));
  for (const name of ['Machines', 'Formats', 'Summary']) {
    await page.committed();
    await page.button('Undo').click();
    await check(`undo to ${name}`, async () => assert.equal(await page.tab(), name));
  }
  await page.committed();
  await page.button('Undo').click();
  await check('undo of what was typed before the reload', async () => assert.equal(await search.inputValue(), ''));
  await page.committed();
  await check('then there is nothing left to undo', async () => assert.ok(await page.button('Undo').isDisabled()));
  page.assertQuiet();
  await page.close();
});

test('changes of two fields are two steps, however quickly they follow', async () => {
  const page = await openPage('', { clock: true });
  const { page: tab } = page;
  const fields = [tab.getByRole('spinbutton', { name: /^Peak,/ }), tab.getByRole('spinbutton', { name: /^DRAM,/ })];
  const values = async () => (await page.settled(), Promise.all(fields.map(field => field.inputValue())));
  const states = [await values()];
  await page.committed();
  for (const [field, value, pauses] of [
    [fields[0], '16', false], // written as the next field is entered, which changes the same key
    [fields[1], '700', true],
    [fields[0], '8', false],
  ]) {
    await field.fill(value);
    states.push(await values());
    if (pauses) await page.committed();
  }
  await tab.evaluate(() => document.activeElement?.blur());
  await page.committed();
  for (const state of states.slice(0, -1).reverse()) {
    await tab.getByRole('button', { name: 'Undo', exact: true }).click();
    await check(`undone to ${state}`, async () => assert.deepEqual(await values(), state));
  }
  for (const state of states.slice(1)) {
    await tab.getByRole('button', { name: 'Redo', exact: true }).click();
    await check(`redone to ${state}`, async () => assert.deepEqual(await values(), state));
  }
  page.assertQuiet();
  await page.close();
});

test('changes of two controls without the focus are two steps', async () => {
  const page = await openPage('', { clock: true });
  const controls = [page.page.getByLabel('DRAM, GB/s'), page.inputs.getByLabel('Weights')];
  const values = async () => (await page.settled(), Promise.all(controls.map(control => control.inputValue())));
  const states = [await values()];
  await page.committed();
  for (const at of [300, 600, 700]) await page.move('DRAM', at); // one drag
  states.push(await values());
  await controls[1].selectOption('int4');
  states.push(await values());
  await page.committed();
  for (const state of states.slice(0, -1).reverse()) {
    await page.button('Undo').click();
    await check(`undone to ${state}`, async () => assert.deepEqual(await values(), state));
  }
  assert.ok(await page.button('Undo').isDisabled());
  page.assertQuiet();
  await page.close();
});

test('Enter ends a step, the keys of a slider do not', async () => {
  const page = await openPage('', { clock: true });
  const field = page.page.getByRole('spinbutton', { name: /^Peak,/ });
  const value = async () => (await page.settled(), field.inputValue());
  const states = [await value()];
  await page.committed();
  for (const text of ['16', '8']) {
    await field.fill(text);
    await field.press('Enter');
    states.push(await value());
  }
  await page.committed();
  for (const state of states.slice(0, -1).reverse()) {
    await page.button('Undo').click();
    await check(`undone to ${state}`, async () => assert.equal(await value(), state));
  }
  const slider = page.page.getByRole('slider', { name: 'Peak', exact: true });
  for (let i = 0; i < 3; ++i) await slider.press('ArrowRight');
  await check('a slider moves by keys', async () => assert.notEqual(await value(), states[0]));
  await page.committed();
  await page.button('Undo').click();
  await check('as one step', async () => assert.equal(await value(), states[0]));
  page.assertQuiet();
  await page.close();
});

test('a change at once after an undo is a step of its own', async () => {
  const page = await openPage('', { clock: true });
  const { page: tab } = page;
  const values = async () => {
    await page.settled();
    return [await tab.getByLabel('DRAM, GB/s').inputValue(), await tab.getByRole('searchbox').inputValue()];
  };
  const first = await values();
  await page.committed();
  await page.slide('DRAM', 700);
  await page.settled();
  await page.committed();
  await page.button('Undo').click({ trial: true });
  await tab.evaluate(undone => {
    const type = () => {
      if (document.querySelector('input[aria-label="DRAM, GB/s"]').value !== undone) return setTimeout(type, 10);
      const search = document.querySelector('input[type=search]');
      search.value = 'conv';
      search.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    addEventListener('popstate', () => setTimeout(type, 50), { once: true });
    document.querySelector('button[aria-label=Undo]').click();
  }, first[0]);
  await check('the change is there', async () => assert.deepEqual(await values(), [first[0], 'conv']));
  await page.committed();
  await page.button('Undo').click();
  await check('undone alone', async () => assert.deepEqual(await values(), first));
  await page.button('Redo').click();
  await check('and redone', async () => assert.deepEqual(await values(), [first[0], 'conv']));
  page.assertQuiet();
  await page.close();
});

test('a language model that undo brings back has its form and its tabs', async () => {
  const page = await openPage();
  const { page: tab } = page;
  await page.openFrom('Plan a language model');
  await page.settled();
  const tabs = () => tab.getByRole('tab').allInnerTexts();
  const form = tab.getByRole('spinbutton', { name: /^Batch/ });
  await form.fill('12');
  await page.settled();
  await page.committed();
  const before = await tabs();
  assert.ok(before.includes('Serving'), before.join());
  await page.drop({ 'four.json': four });
  await page.settled();
  await page.committed();
  assert.notDeepEqual(await tabs(), before);
  await tab.keyboard.press('Control+z');
  await page.settled();
  await check('its tabs', async () => assert.deepEqual(await tabs(), before));
  await check('its form', async () => assert.equal(await form.inputValue(), '12'));
  page.assertQuiet();
  await page.close();
});

test("Ctrl+Z in a number field undoes the page's steps, including other fields", async () => {
  const page = await openPage();
  const { page: tab } = page;
  const bandwidth = tab.getByLabel('DRAM, GB/s');
  const peak = tab.getByLabel(/^Peak, T/);
  const weights = page.inputs.getByLabel('Weights');
  const seen = async () => [await bandwidth.inputValue(), await weights.inputValue(), await peak.inputValue()];
  const type = async (field, text) => {
    await field.click();
    await field.press('ControlOrMeta+A');
    await field.pressSequentially(text);
  };
  const states = [await seen()];
  await type(bandwidth, '100');
  states.push(await seen());
  await weights.focus();
  await weights.selectOption('int4');
  states.push(await seen());
  await type(peak, '64');
  states.push(await seen());
  assert.equal(new Set(states.map(String)).size, 4, states.join(' | '));
  await type(peak, '0');
  await tab.keyboard.press('Control+z');
  await page.settled();
  await check('a refused number is only put back', async () => assert.deepEqual(await seen(), states[3]));
  for (const at of [2, 1, 0]) {
    await tab.keyboard.press('Control+z');
    await page.settled();
    await check(`undone to step ${at}`, async () => assert.deepEqual(await seen(), states[at]));
  }
  assert.ok(await tab.getByRole('button', { name: 'Undo', exact: true }).isDisabled());
  for (const at of [1, 2, 3]) {
    await tab.keyboard.press('Control+y');
    await page.settled();
    await check(`redone to step ${at}`, async () => assert.deepEqual(await seen(), states[at]));
  }
  page.assertQuiet();
  await page.close();
});

test('a comparison is undone and redone with both of its runs', async () => {
  const page = await openPage('', { clock: true });
  const { page: tab } = page;
  const runs = async () => {
    await page.settled();
    const sentence = (await page.tab()) === 'Compare' ? (await page.sentence()).slice(0, 16) : '';
    return [await page.text(page.sourceName), await page.tab(), sentence];
  };
  await page.drop({ 'four.json': four });
  await page.committed();
  const alone = await runs();
  await page.drop({ 'before.json': four, 'after.json': faster });
  await page.committed();
  const together = await runs();
  await check('compared', async () => assert.deepEqual(together.slice(0, 2), ['after.json', 'Compare']));
  await page.button('Swap before and after').click();
  await page.committed();
  const swapped = await runs();
  await check('swapped', async () => assert.deepEqual(swapped.slice(0, 2), ['before.json', 'Compare']));
  for (const [key, state] of [
    ['Control+z', together],
    ['Control+z', alone],
    ['Control+y', together],
    ['Control+y', swapped],
  ]) {
    await tab.keyboard.press(key);
    await check(`${key} to ${state}`, async () => assert.deepEqual(await runs(), state));
    await page.committed();
  }
  await page.close();
});

test('Redo while Undo still reads its file loses no step', async () => {
  const page = await openPage();
  const name = () => page.text(page.sourceName);
  for (const file of ['first.json', 'second.json']) {
    await page.drop({ [file]: four });
    await page.committed();
  }
  await page.page.evaluate(() => (globalThis.waits.held = 600));
  await page.page.keyboard.press('Control+z');
  await page.page.waitForTimeout(120);
  await page.page.keyboard.press('Control+y');
  await page.page.evaluate(() => (globalThis.waits.held = 0));
  await page.settled();
  await page.page.waitForTimeout(1000); // longer than what a restored step changes later may be written
  await page.committed();
  await check('redone', async () => assert.equal(await name(), 'second.json'));
  await page.page.keyboard.press('Control+z');
  await check('and undone', async () => assert.equal(await name(), 'first.json'));
  await page.settled();
  await page.committed();
  await page.page.keyboard.press('Control+y');
  await check('and redone again', async () => assert.equal(await name(), 'second.json'));
  page.assertQuiet();
  await page.close();
});

test('a typed link is one step', async () => {
  const page = await openPage('', { clock: true });
  const bandwidth = page.page.getByLabel('DRAM, GB/s');
  const links = [],
    values = [];
  for (const at of [300, 700]) {
    await page.slide('DRAM', at);
    await page.settled();
    await page.committed();
    links.push(await page.page.evaluate(() => location.hash));
    values.push(await bandwidth.inputValue());
  }
  assert.notEqual(values[0], values[1]);
  await page.page.evaluate(hash => (location.hash = hash), links[0]);
  await check('opened', async () => assert.equal(await bandwidth.inputValue(), values[0]));
  await page.committed();
  await page.page.keyboard.press('Control+z');
  await check('undone at once', async () => assert.equal(await bandwidth.inputValue(), values[1]));
  await page.close();
});

test('the bare address opens the defaults and offers to continue', async () => {
  const page = await openPage();
  const standard = await page.page.getByLabel('DRAM, GB/s').inputValue();
  await page.slide('DRAM', 700);
  await page.settled();
  const left = await page.page.getByLabel('DRAM, GB/s').inputValue();
  assert.notEqual(left, standard);
  await page.committed();
  const later = await page.context.newPage();
  await later.goto(url);
  const offer = later.getByRole('button', { name: /^Continue with/ });
  await offer.waitFor();
  await later.setInputFiles('#file-input', {
    name: 'empty.json',
    mimeType: 'application/json',
    buffer: Buffer.from(''),
  });
  await later.getByText(/empty\.json: /).waitFor();
  await check('an error hides the offer to continue', async () => assert.equal(await offer.count(), 0));
  await later.getByRole('button', { name: 'Dismiss' }).click();
  await offer.waitFor();
  assert.equal(await later.getByLabel('DRAM, GB/s').inputValue(), standard);
  await offer.click();
  await check('it continues', async () => assert.equal(await later.getByLabel('DRAM, GB/s').inputValue(), left));
  await page.close();
});

test('undo restores a file together with its machine', async () => {
  const page = await openPage('', { clock: true });
  const fast = 'name,M,N,K,dtype,time_us\ngemm,4096,4096,4096,fp16,900\n'; // no NPU of 32 TOPS is as fast
  await page.drop({ 'kernels.csv': fast });
  await page.page.getByRole('combobox', { name: 'Machine', exact: true }).fill('4090');
  await page.page.getByRole('option', { name: 'NVIDIA GeForce RTX 4090' }).click();
  await page.committed();
  await page.drop({ 'four.json': four });
  await page.committed();
  await page.finding.evaluate(heading => {
    globalThis.shown = [];
    const main = heading.closest('main');
    const note = () => globalThis.shown.push(main.querySelector('h1')?.textContent ?? '');
    new MutationObserver(note).observe(main, { childList: true, subtree: true, characterData: true });
  });
  await page.button('Undo').first().click(); // the new file's notice has another Undo button
  await page.settled();
  await check('the first file is open again', async () =>
    assert.equal(await page.text(page.sourceName), 'kernels.csv'),
  );
  await check('never judged on another machine', async () => {
    const shown = await page.page.evaluate(() => globalThis.shown);
    assert.ok(shown.length > 0);
    assert.deepEqual(
      shown.filter(text => /did not run/.test(text)),
      [],
    );
  });
  page.assertQuiet();
  await page.close();
});
