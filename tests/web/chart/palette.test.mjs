// The command palette: anything the page can do, by its name and the keyboard alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { conv, mul } from '../inputs.mjs';

test('palette', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const dialog = tab.getByRole('dialog', { name: 'Command palette' });
  const field = dialog.getByRole('combobox');
  const options = dialog.getByRole('option');
  const type = async text => {
    await tab.keyboard.press('Control+k');
    await field.fill(text);
  };
  const choose = async (text, expected = text) => {
    await type(text);
    await check(`"${text}" finds ${expected}`, async () =>
      assert.match(
        (await options.first().textContent()) ?? '',
        expected instanceof RegExp ? expected : new RegExp(expected),
      ),
    );
    await tab.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.settled();
  };
  const shown = () => page.tab();

  await choose('bars', /Bars/);
  await check('a view', async () => assert.equal(await shown(), 'Bars'));
  await choose('h100 sxm', /Machine: NVIDIA H100 SXM/);
  await check('a machine, by its id or name', async () =>
    assert.match(await tab.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(), /H100 SXM/),
  );
  await choose('int4 weights', /What if INT4.* weights/);
  await check('a what-if', async () =>
    assert.equal(await tab.getByRole('combobox', { name: 'Weights', exact: true }).inputValue(), 'int4'),
  );
  await choose('gemm 1 4096 4096', /Matrix product.*m 1, n 4096, k 4096/);
  assert.match(
    Buffer.from((await page.link()).split('#')[1], 'base64url').toString(),
    /"parameters":\{"m":1,"n":4096,"k":4096\}/,
  );
  await choose('sweep m', /Sweep m/);
  await check('a sweep', async () => assert.equal(await shown(), 'Scaling'));
  await choose('sdpa heads=8 context=1024', /Attention/);
  await choose('llama 3 8b', /Llama 3 8B/);
  await choose('sweep batch', /Sweep batch/);
  await choose('resnet', /ResNet/);
  await choose('fc', /fc|Fully/);
  await choose('ridge point', /Ridge point/);
  await tab.getByRole('dialog', { name: 'Roofline' }).getByText('The intensity above which compute limits').waitFor();
  await tab.keyboard.press('Escape');

  await type('no such thing at all');
  await check('nothing found is said', async () => assert.equal(await options.count(), 0));
  await tab.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await tab.keyboard.press('2');
  await check('keys show the tabs in their order', async () => assert.equal(await shown(), 'Formats'));
  await tab.keyboard.press('1');
  await check('and the summary', async () => assert.equal(await shown(), 'Summary'));

  await type('no such thing at all');
  // Before the frame in which the browser takes the focus out of the palette.
  const target = await tab.evaluate(() => {
    document.querySelector('dialog.palette').close(); // as Escape does
    const { activeElement } = document;
    activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '2', bubbles: true, cancelable: true }));
    return activeElement.localName;
  });
  assert.equal(target, 'input');
  await check('a key right after Escape', async () => assert.equal(await shown(), 'Formats'));

  await type('table only');
  await check('a view is found', async () => assert.match((await options.first().textContent()) ?? '', /Table only/));
  await tab.evaluate(() => {
    for (const key of ['Enter', '1'])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  });
  await check('a key right after a command', async () => assert.equal(await shown(), 'Summary'));
  page.assertQuiet();
  await page.close();
});

test('commands that change the rows clear the selection', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': JSON.stringify([conv, { ...conv, name: 'conv2' }, mul]) });
  const selected = page.operations.getByRole('row', { selected: true });
  for (const command of ['Group identical operations', 'Reset everything']) {
    await page.tableRow(conv.name).click();
    await page.settled();
    assert.equal(await selected.count(), 1);
    await page.page.keyboard.press('Control+k');
    await page.page.keyboard.type(command);
    await page.page.keyboard.press('Enter');
    await page.settled();
    await check(command, async () => assert.equal(await selected.count(), 0));
  }
  page.assertQuiet();
  await page.close();
});

test('operations of the same name have their sizes in their names', async () => {
  const page = await openPage();
  const table = 'name,M,N,K,dtype\nmm,64,64,64,fp16\nmm,128,128,128,fp16\n';
  await page.drop({ 'products.csv': table });
  await page.page.keyboard.press('Control+k');
  await page.page.keyboard.type('mm');
  const found = page.page.getByRole('option').filter({ hasText: /^Operation/ });
  await check('by their sizes', async () => {
    const [first, second, ...others] = await found.allInnerTexts();
    assert.ok(first && second && first !== second && others.length === 0, `${first}, ${second}`);
  });
  await page.close();
});
