// Theory against measurement: a results table, its parity view, and the fitted machine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';

/** Square products in two formats, at 60% of 100 (FP16) or 200 (INT8) TFLOP/s, 80% of 1 TB/s and 5 us of launch. */
const rows = [64, 256, 1024, 4096].flatMap(n =>
  [
    ['fp16', 100e12, 2],
    ['int8', 200e12, 1],
  ].map(
    ([format, peak, width]) =>
      `gemm,${n}x${n}x${n},${format},${(Math.max((2 * n ** 3) / (0.6 * peak), (3 * n * n * width) / 0.8e12) + 5e-6) * 1e6}`,
  ),
);
const table = `operator,shape,format,measured_us\n${rows.join('\n')}\n`;
const machine = JSON.stringify({
  id: 'round',
  name: 'Round',
  peaks: { matrix: { fp16: 100e12, int8: 200e12 } },
  memories: [{ name: 'HBM', bandwidth: 1e12 }],
});

test('parity', async () => {
  const page = await openPage();
  await page.drop({ 'round.json': machine, 'results.csv': table }); // together: a machine of before is not imposed on a file
  await check('a results table is a list of operations', async () => assert.deepEqual(await page.count(), '8'));
  await page.rows(page.operations).first().click();
  await page.settled();
  await check('with formulas', async () =>
    assert.ok(
      (await page.text(page.diagnosis)).includes('2 * B * M * N * K') ||
        (await page.page.locator('.formula').count()) > 0,
    ),
  );

  await page.show('Predicted vs measured');
  const side = page.view;
  await side.waitFor();
  await page.page.getByRole('img', { name: /^Predicted against measured times of 8 operations/ }).waitFor();
  await check('a row for each operation', async () => assert.deepEqual(await page.rows(page.view).count(), 8));
  const cells = row => page.rows(page.view).nth(row).locator('td').allInnerTexts();
  const [measured, bound, error, faster, predicted] = await cells(7);
  await check('INT8 is predicted twice as fast', async () => assert.deepEqual(predicted, '2x'));
  await check('measured, bound, error', async () =>
    assert.ok(
      measured === '1.15 ms' && bound === '687 µs' && error === '−40%' && faster === '2x',
      inspect(await cells(7)),
    ),
  );
  const search = page.page.getByRole('searchbox');
  await search.fill('64x64x64');
  await check('a filter applies to it', async () => assert.equal(await page.rows(page.view).count(), 2));
  await search.fill('');
  await check('until it is cleared', async () => assert.equal(await page.rows(page.view).count(), 8));
  await page.page.getByLabel('Baseline format').selectOption('int8');
  await check('over another format', async () => assert.deepEqual((await cells(6)).at(-1), '0.5x'));

  await page.rows(page.view).nth(3).click();
  await check('a row is chosen', async () =>
    assert.equal(await page.rows(page.view).nth(3).getAttribute('aria-current'), 'true'),
  );
  await page.settled();
  await check('one selection', async () =>
    assert.ok((await page.selectedName()).includes('256x256x256'), inspect(await page.selectedName())),
  );

  await page.page.getByRole('button', { name: 'Fit the machine' }).click();
  const fit = await page.page.getByRole('group', { name: 'Fit', exact: true }).innerText();
  await check('the fit finds what the times were made with', async () =>
    assert.ok(
      fit.includes('60% of the compute peak') &&
        fit.includes('80% of the bandwidth') &&
        fit.includes('5 µs per launch'),
      inspect(fit),
    ),
  );
  await page.page.getByRole('button', { name: 'Save to my machines' }).click();
  await page.page.getByRole('button', { name: 'Use the calibrated machine' }).click();
  await check('it is the machine', async () =>
    assert.equal(
      await page.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(),
      'Round (fitted)',
    ),
  );
  await page.page.getByRole('button', { name: 'Estimate' }).click();
  await check('the estimates are then the measured ones', async () =>
    assert.match(await page.text(page.view), /Estimate\s*mean error 0%, 100% of 8/),
  );
  page.assertQuiet();

  await page.show('Summary');
  await page.page.waitForFunction(() => document.querySelector('.chart canvas')?.dataset.painted > 0);
  await page.drop({ 'wrong.csv': 'operator,shape,format,time\ngemv,64,fp16,3\n' });
  await check('a table without a unit says so', async () =>
    assert.ok((await page.text(page.notices)).includes('has no unit'), inspect(await page.text(page.notices))),
  );
  await check('and what was open stays', async () => assert.deepEqual(await page.count(), '8'));
  await page.close();
});
