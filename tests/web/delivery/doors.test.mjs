// Three doors over the sample of a first visit: they go once one is taken or anything is opened, and cover nothing that is somebody's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { four, linkLog } from '../inputs.mjs';

const doors = page => page.page.getByRole('region', { name: 'Begin' });

test('three doors', async () => {
  const page = await openPage('', { firstVisit: true });
  await check('a first visit shows a sample and three doors', async () => {
    const names = ['Open a profile or model', 'Size an operator', 'Plan a language model'];
    for (const name of names) assert.ok(await doors(page).getByRole('button', { name, exact: true }).isVisible());
    assert.match(await page.text(page.sourceName), /ResNet/);
  });
  await doors(page).getByRole('button', { name: 'Plan a language model' }).click();
  await page.settled();
  await check('one is taken', async () => {
    assert.equal(await doors(page).count(), 0);
    assert.match(await page.headline(), /Decode/);
  });
  page.assertQuiet();
  await page.close();

  const escaped = await openPage('', { firstVisit: true });
  await doors(escaped).waitFor();
  await escaped.page.keyboard.press('Escape');
  await check('Esc leaves the sample alone', async () => assert.equal(await doors(escaped).count(), 0));
  assert.ok(
    await escaped.page.getByText('If it ran like the other ID_CONV ops').first().isVisible(),
    'the selection stays',
  );
  await escaped.close();

  const clickedOutside = await openPage('', { firstVisit: true });
  await doors(clickedOutside).waitFor();
  await clickedOutside.page.getByRole('tab', { name: 'Formats' }).click();
  await check('a click outside closes them, and opens the tab', async () => {
    assert.equal(await doors(clickedOutside).count(), 0);
    assert.equal(await clickedOutside.tab(), 'Formats');
  });
  clickedOutside.assertQuiet();
  await clickedOutside.close();

  const dropped = await openPage('', { firstVisit: true });
  await doors(dropped).waitFor();
  await dropped.drop({ 'noise.bin': Buffer.from([1, 2, 3, 250, 251]) });
  await check('a file that is refused leaves them, and its error is above them', async () => {
    assert.equal(await doors(dropped).count(), 1);
    const at = await dropped.page.getByRole('alert').boundingBox();
    const seen = ({ x, y }) => document.elementFromPoint(x, y).closest('[role=alert]') !== null;
    assert.ok(await dropped.page.evaluate(seen, { x: at.x + at.width / 2, y: at.y + at.height / 2 }));
    const order = selector =>
      dropped.page.evaluate(one => Number(getComputedStyle(document.querySelector(one)).zIndex), selector);
    assert.ok((await order('.notices')) > (await order('.doors')));
  });
  await dropped.drop({ 'mine.json': four });
  await check('a drop is a door, too', async () => assert.equal(await doors(dropped).count(), 0));
  const link = await dropped.link();
  dropped.assertQuiet();
  await dropped.close();

  const machine = await openPage('', { firstVisit: true });
  await doors(machine).waitFor();
  await machine.drop({ 'a100.log': linkLog });
  await check('a machine file closes them, too', async () => assert.equal(await doors(machine).count(), 0));
  machine.assertQuiet();
  await machine.close();

  for (const address of [
    link,
    '?embed',
    `#${Buffer.from('{"source":{"sample":"training-profile"}}').toString('base64url')}`,
  ]) {
    const other = await openPage(address, { firstVisit: true, wait: false });
    await other.page.getByRole('heading', { level: 1 }).waitFor();
    await other.settled();
    assert.equal(await doors(other).count(), 0, address);
    other.assertQuiet();
    await other.close();
  }
});

test('no doors after a click while the page loads', async () => {
  let releaseSamples;
  const released = new Promise(resolve => (releaseSamples = resolve));
  const page = await openPage('', {
    firstVisit: true,
    wait: false,
    route: ['**/samples/index.json*', async route => (await released, route.continue())],
  });
  await page.page.locator('.source-chip > button').click();
  releaseSamples();
  await page.painted();
  assert.equal(await doors(page).count(), 0);
  page.assertQuiet();
  await page.close();
});
