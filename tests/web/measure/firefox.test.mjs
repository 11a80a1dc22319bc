// Firefox measures the processor, and says why it has no GPU to measure, where it has none.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { check } from '../harness.mjs';
import { firefox, startFirefox } from '../delivery/firefox.mjs';

const skip = !firefox && 'there is no firefox-esr';
const browser = skip ? null : await startFirefox({ width: 1280, height: 800 });
after(() => browser?.end());

test('measure: in Firefox', { skip }, async () => {
  const page = await browser.open();
  await (await page.behind('machine')).getByRole('button', { name: 'Measure this machine…' }).click();
  await page.page.getByRole('button', { name: 'Measure', exact: true }).click();
  const state = part =>
    page.page.evaluate(
      name => document.querySelector(`.measure section[aria-label="${name}"]`)?.dataset.state ?? '',
      part,
    );
  await check('the processor is measured', async () => assert.equal(await state('Processor'), 'done'));
  await check('the GPU is measured, or why not is said', async () => assert.match(await state('GPU'), /done|failed/));
  const text = await page.page.evaluate(() => document.querySelector('.measure').innerText);
  assert.match(text, /FP32\s+[\d.,]+ [MGT]FLOP\/s/);
  if ((await state('GPU')) === 'failed') assert.match(text, /Not measured: this browser (has no WebGPU|offers no GPU)/);
});
