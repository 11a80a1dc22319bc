// The walk that each form in which the page is delivered must pass: find the worst operation of ResNet-50, try INT4 weights, share, open
// the link in a fresh profile.
import assert from 'node:assert/strict';
import { check } from '../harness.mjs';
import { four } from '../inputs.mjs';

const found = async page => ({
  finding: await page.sentence(),
  bought: await page.text(page.inputs.getByText('All operations').locator('xpath=..')), // in total, and of the one selected
});
const picture = page => page.chart.evaluate(canvas => canvas.toDataURL());

/// `page`: with ResNet-50 open; `fresh`: a link's page in another profile. What was found, which is the same in every form.
export async function walkThrough(page, fresh) {
  const [worst] = await page.tableNames();
  await check('the operation that loses most heads the table and is selected', async () =>
    assert.equal(await page.selectedName(), worst),
  );
  assert.match(
    await page.text(page.diagnosis),
    /Limited by overhead, waiting or a poor kernel. It reaches \d+% of the DRAM bandwidth/,
  );

  await page.page.getByRole('combobox', { name: 'Weights', exact: true }).selectOption({ label: 'INT4' });
  await check('what INT4 weights buy, in total and for it', async () => {
    const { bought } = await found(page);
    assert.match(bought, /All operations\s+\d[\d.]*x/);
    assert.ok(bought.includes(worst), bought);
  });
  await page.link(); // the step is over

  await page.button(/^Share/).click();
  const whole = page.page.getByLabel(/Include the input/);
  if (await whole.count()) {
    await whole.check(); // a file of one's own
    await page.page.getByText('Includes all settings and the input.').waitFor();
  } else await page.page.getByText('Includes all settings.').waitFor();
  const link = await page.page.getByLabel('Link', { exact: true }).inputValue();
  await page.page.keyboard.press('Escape');
  await page.settled();
  const guest = await fresh(link);
  await check('the link shows the very same', async () => {
    await guest.settled();
    assert.deepEqual(await found(guest), await found(page));
    assert.ok((await picture(guest)) === (await picture(page)), 'the charts differ');
  });
  guest.assertQuiet();
  await guest.close();
  page.assertQuiet();
  return { link, ...(await found(page)) };
}

/// What needs nothing but the page's own files: a sample, a file, a slider, the chart library.
export async function worksByItself(page) {
  await check('a sample is open', async () => assert.ok(Number(await page.count()) > 0));
  await page.drop({ 'commands.json': four });
  await check('a file opens', async () => assert.equal(await page.count(), '4'));
  await page.slide('DRAM', 700);
  await page.show('Bars');
  const bars = page.page.getByRole('img', { name: /^Bound and time above it/ });
  await check('a chart of the chart library', async () => assert.ok(await bars.locator('.point').first().isVisible()));
}
