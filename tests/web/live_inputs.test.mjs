// Every input recomputes: sliders, units, thresholds, machine, what-if.
import { Page } from './harness.mjs';
import { four } from './inputs.mjs';

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  await page.drop({ 'commands.json': four });
  const number = label => page.page.getByLabel(label);

  const before = await page.summary('bound');
  await page.slide('DRAM', 800);
  const after = await page.summary('bound');
  checks.that('dragging the bandwidth changes the bound', before !== after, `${before}, ${after}`);
  await page.page.getByRole('button', { name: 'Reset DRAM' }).click();
  await page.settled();
  checks.equal('reset brings it back', await page.summary('bound'), before);

  await number('Peak, TFLOP/s').fill('64');
  await page.settled();
  checks.that('a typed peak moves the ridge', (await page.text('.numbers')).includes('ridge at 1.28 k'), await page.text('.numbers'));
  await page.page.getByRole('button', { name: 'MAC', exact: true }).click();
  await page.settled();
  checks.that('MAC changes the units', (await page.text('.numbers')).includes('MAC/B') && (await page.page.getByLabel('Peak, TMAC/s').count()) === 1);
  await page.page.getByRole('button', { name: 'FLOP', exact: true }).click();
  await page.settled();

  const statuses = await page.texts('tbody .status');
  await page.slide('Bound from', 5);
  const lower = await page.texts('tbody .status');
  checks.that('a lower threshold makes more ops bound', lower.filter(text => text.endsWith('bound')).length > statuses.filter(text => text.endsWith('bound')).length, lower);
  await page.slide('Bound from', 70);

  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  await machine.fill('h100 sxm');
  await page.page.keyboard.press('Enter');
  await page.settled();
  checks.that('another machine by search', (await machine.inputValue()).toLowerCase().includes('h100'), await machine.inputValue());
  checks.that('its formats in play have sliders', (await page.page.getByRole('slider', { name: /^(INT8|FP16)/ }).count()) > 0, await page.texts('.left label'));
  const rates = await page.page.locator('.left .slider').count();
  await page.page.getByRole('button', { name: /more rates?$/ }).click();
  checks.that('the others on demand', (await page.page.locator('.left .slider').count()) > rates);
  await page.page.getByRole('button', { name: 'Where the figures come from' }).click();
  checks.that('each figure has its source', (await page.page.locator('dialog .figures tbody tr').count()) > 3);
  await page.page.keyboard.press('Escape');

  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await page.page.getByRole('button', { name: 'What-if' }).click();
  await page.page.getByLabel('Weights').selectOption('int4');
  await page.page.getByLabel('Activations').selectOption('int4');
  await page.settled();
  checks.that('a what-if gives a range for all', /×/.test(await page.text('.outcome strong')), await page.text('.outcome'));
  checks.that('and in the summary', /×/.test(await page.summary('what-if')));
  await page.page.getByRole('button', { name: 'Back to today' }).click();
  await page.settled();
  checks.equal('back to today', await page.page.locator('.summary .whatif').count(), 0);

  await page.page.getByRole('button', { name: 'Diagnosis' }).click();
  await page.page.locator('.suggestions button').first().click();
  await page.settled();
  checks.that('a suggestion becomes the what-if', /×/.test(await page.text('.outcome strong')));

  await page.drop({ 'stated.json': JSON.stringify({ machine: 't4', ops: JSON.parse(four) }) });
  await page.page.getByRole('button', { name: 'Reset the machine' }).click();
  await page.settled();
  checks.that('the machine that a file states', (await machine.inputValue()).includes('T4'), await machine.inputValue());
  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  checks.that('the standard machine can be chosen over it', (await machine.inputValue()).includes('NPU'), await machine.inputValue());
  await page.page.getByRole('button', { name: 'Reset the machine' }).click();
  await page.settled();
  checks.that('and given up again', (await machine.inputValue()).includes('T4'), await machine.inputValue());

  // While a slider moves, the chart goes ahead; at rest everything shows the same frame.
  const ahead = await page.page.evaluate(async () => {
    const slider = document.querySelectorAll('input[type="range"]')[1];
    const canvas = document.querySelector('.chart canvas'), main = document.querySelector('main');
    let most = 0;
    for (let i = 0; i < 25; ++i) {
      const painted = new Promise(resolve => new MutationObserver((_, observer) => (observer.disconnect(), resolve())).observe(canvas, { attributeFilter: ['data-painted'] }));
      slider.value = String(300 + 8 * i);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await painted;
      most = Math.max(most, Number(canvas.dataset.painted) - Number(main.dataset.revision));
    }
    return most;
  });
  checks.that('the chart does not wait for the table', ahead > 0, ahead);
  await page.settled();
  await page.page.getByRole('button', { name: 'Diagnosis', exact: true }).click();
  const [row, numbers] = [await page.page.locator('tr[aria-selected="true"] td').allInnerTexts(), await page.text('.diagnosis .numbers')];
  checks.that('and then the table and the diagnosis follow', numbers.includes(`Lost\n${row[4]}\n`), [row, numbers]);
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}
