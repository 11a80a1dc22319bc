// A profile: operations and program level, steps, infeed, filters by bound, memories on the axis, time by category; all of it in the link.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage, root } from '../harness.mjs';

test('profile', async () => {
  const page = await openPage();
  await page.drop({ 'profile.bin': readFileSync(join(root, 'presets/samples/training-profile-synthetic.json')) });
  const opened = from =>
    from.sourceName
      .filter({ hasText: 'profile.bin' })
      .waitFor()
      .then(() => from.settled());
  await opened(page);
  const rows = async () => (await page.count()).replaceAll(',', '');
  const chip = (list, name) => page.page.locator(`ul[aria-label="${list}"] button`, { hasText: name });

  await check('opens by content: its operations', async () => assert.deepEqual(await rows(), '84'));
  await check('the device is the machine', async () =>
    assert.deepEqual(
      await page.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(),
      'TPU (synthetic)',
    ),
  );
  await check("the table has the profile's columns", async () =>
    assert.ok(
      (await page.texts(page.head(page.operations))).some(text => text.includes('Self time')),
      inspect(await page.texts(page.head(page.operations))),
    ),
  );
  await check('with the source, as text', async () =>
    assert.ok((await page.texts(page.rows(page.operations))).join().includes('layers.py:')),
  );

  await page.behind('filter');
  await page.page.getByLabel('Include infeed and outfeed').uncheck();
  await page.settled();
  await check('infeed and outfeed can be left out', async () => assert.deepEqual(await rows(), '82'));
  await page.behind('filter');
  await page.page.getByLabel('Include infeed and outfeed').check();
  await page.page.getByRole('button', { name: 'Program and steps' }).click();
  await page.settled();
  await check('the program level has the program and its steps', async () => assert.deepEqual(await rows(), '5'));
  await check('named by step', async () =>
    assert.ok((await page.texts(page.rows(page.operations))).join().includes('Average')),
  );
  await chip('Steps', '1').click({ modifiers: ['Shift'] });
  await page.settled();
  await check('one step', async () => assert.deepEqual(await rows(), '1 of 5'));
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.behind('filter');
  await page.page.getByRole('button', { name: 'Operations', exact: true }).click();
  await page.settled();

  await chip('Bound by', 'VMEM Read').click({ modifiers: ['Shift'] });
  await page.settled();
  await check('filtered by what limits', async () => assert.deepEqual(await rows(), '12 of 84'));
  await page.rows(page.operations).first().click();
  await page.settled();
  await check('the diagnosis knows the memory', async () =>
    assert.ok(/VMEM Read/.test(await page.text(page.diagnosis)), inspect(await page.text(page.diagnosis))),
  );

  const canvas = page.chart;
  const choice = page.page.getByLabel('Intensity of', { exact: true });
  await check('whose intensity is a choice', async () =>
    assert.deepEqual(await choice.locator('option').allInnerTexts(), [
      'the bottleneck',
      'HBM',
      'VMEM Read',
      'VMEM Write',
      'All memories',
      'all memories, connected',
    ]),
  );
  await page.page.mouse.move(5, 5);
  const before = await canvas.screenshot();
  await choice.selectOption('HBM');
  await page.settled();
  const hbm = await canvas.screenshot();
  await check('another memory moves the points', async () => assert.ok(!before.equals(hbm)));
  await choice.selectOption('all');
  await page.settled();
  await check('all memories are joined', async () => assert.ok(!hbm.equals(await canvas.screenshot())));

  await page.show('Timeline: By category');
  await page.rows(page.view).first().waitFor();
  await check('time by category follows the filters', async () =>
    assert.deepEqual((await page.texts(page.view.getByRole('rowheader'))).length, 1),
  );
  const link = await page.link();
  const other = await openPage();
  await other.page.goto(link);
  await other.page.reload();
  await other.painted().catch(() => {}); // it waits for its file
  await other.drop({ 'profile.bin': readFileSync(join(root, 'presets/samples/training-profile-synthetic.json')) });
  await opened(other);
  await check('the link has the filters', async () => assert.deepEqual(await other.count(), '12 of 84'));
  await check('and the view', async () => assert.deepEqual(await other.view.getByRole('table').count(), 1));
  await check('without complaints there', async () => assert.deepEqual(other.complaints, []));
  await other.close();

  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();
  await check('all categories', async () =>
    assert.ok(
      (await page.texts(page.view.getByRole('rowheader'))).includes('convolution fusion'),
      inspect(await page.texts(page.view.getByRole('rowheader'))),
    ),
  );
  await page.view.getByRole('table').getByRole('button', { name: 'all-reduce' }).click();
  await page.settled();
  await check('a click on a category shows it alone', async () => assert.deepEqual(await rows(), '3 of 84'));
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.show('Timeline: Over time');
  await page.rows(page.view).first().waitFor();
  await check('time per step', async () =>
    assert.deepEqual(await page.texts(page.view.getByRole('rowheader')), ['Total', 'Average', '0', '1', '2']),
  );
  await check("a profile's operations have no order in time", async () =>
    assert.deepEqual(await page.page.getByRole('figure', { name: 'Operations over time' }).count(), 0),
  );

  const ordered = [
    { type: 'x', name: 'first', flops: 8e9, bytes: 1e6, time_ns: 1e6, step: 'prefill' },
    { type: 'x', name: 'second', flops: 1e6, bytes: 5e7, time_ns: 3e6, step: 'decode' },
  ];
  await page.drop({ 'ordered.json': JSON.stringify(ordered) });
  await page.show('Timeline: Over time');
  await page.page.getByRole('figure', { name: 'Operations over time' }).getByRole('img').waitFor();
  page.assertQuiet();
  await page.close();
});
