// Neighbours selected together, as one kernel.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

const relu = name => ({ type: 'relu', name, data_type: 'FP16', input_shape: [64, 1000] });
const file = JSON.stringify([
  relu('alpha'),
  relu('bravo'),
  { ...relu('charlie'), input_shape: [1000, 64, 1] },
  relu('delta'),
]);

test('fusion', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': file });
  const { keyboard } = page.page;
  const section = page.page.locator('details.fusion');
  const selected = async () =>
    (await page.texts('tbody tr[aria-selected="true"] td:first-child')).map(name => name.trim()).sort();
  const says = pattern => section.getByText(pattern).first().waitFor();

  await page.tableRow('bravo').click();
  await page.settled();
  await page.tableRow('charlie').click({ modifiers: ['Shift'] });
  // 64,000 numbers of 2 bytes: four passes of 128 kB become two.
  await says('256 kB');
  await check('Shift and a click take the neighbours', async () =>
    assert.deepEqual(await selected(), ['bravo', 'charlie']),
  );
  await check('what passes is told with its tensors', async () =>
    assert.match(
      await section.innerText(),
      /passes on \[64, 1000\], read as input_shape \[1000, 64, 1\]: saves 128 kB written and 128 kB read/,
    ),
  );
  await section.getByRole('button', { name: '256 kB', exact: true }).click();
  await says('256 kB = 128 kB written and 128 kB read');
  const link = await page.link();

  await page.chart.focus();
  await keyboard.press('Shift+ArrowUp');
  await keyboard.press('Shift+ArrowUp');
  await says('256 kB'); // charlie is let go of, then alpha is taken
  await check('Shift and arrows follow the file', async () => assert.deepEqual(await selected(), ['alpha', 'bravo']));
  await page.link();
  await section.getByRole('button', { name: '+ next op' }).click();
  await says('512 kB');
  await page.link();
  await keyboard.press('Control+z');
  await says('256 kB');
  await check('undo takes a step back', async () => assert.deepEqual(await selected(), ['alpha', 'bravo']));

  await page.tableRow('delta').click();
  await page.settled();
  await check('a click selects that row alone', async () => assert.deepEqual(await selected(), ['delta']));

  const other = await openPage(link);
  await other.drop({ 'commands.json': file });
  await other.page.locator('details.fusion').getByText('256 kB').first().waitFor();
});
