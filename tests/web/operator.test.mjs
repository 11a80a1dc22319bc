// An operator by its shape: the form, its sliders, formats, sweeps, machines, typical time, and the link.
import { Page } from './harness.mjs';

export default async function test({ browser, url, checks }) {
  const page = await Page.open(browser, url);
  const by = (role, name) => page.page.getByRole(role, { name, exact: true });
  const column = async (row, i) => (await page.page.locator('.comparison tbody tr').nth(row).locator('td').nth(i).innerText()).trim();
  /// Until nothing in the middle, the panels and the canvas changes any more, whatever view is shown.
  const look = () => page.page.evaluate(() => document.querySelector('#app').innerText + [...document.querySelectorAll('canvas')].map(canvas => canvas.dataset.painted));
  const answered = async () => {
    for (let last = null, now = await look(); now !== last;) {
      await page.page.waitForTimeout(200);
      [last, now] = [now, await look()];
    }
  };
  const slide = async (label, position) => {
    await by('slider', label).evaluate((element, to) => {
      element.value = String(to);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }, position);
    await answered();
  };

  await by('button', 'Operator').click();
  await answered();
  checks.that('the calculator opens on an operator, drawn and diagnosed', (await page.summary('ops')) === '3' && /bound/i.test(await page.text('.sentence')), await page.text('.diagnosis'));
  await page.page.locator('summary', { hasText: 'How the work is counted' }).click();
  checks.that('the formula has the numbers put in', (await page.text('.formula')).includes('2 * 1 * 1 * 4096 * 4096 = 33554432'), await page.texts('.formula'));

  // A slider moved: bytes, bound and time follow.
  const before = [await page.summary('bound'), await page.text('.numbers')];
  await slide('m', 900);
  const after = [await page.summary('bound'), await page.text('.numbers')];
  checks.that('moving a slider changes the numbers', before[0] !== after[0] && before[1] !== after[1], { before, after });
  const m = await page.page.getByLabel('m, factor').inputValue();
  checks.that('and stops at sizes that shapes have', Number(m) > 1000 && Number(m) % 128 === 0, m);
  await page.page.getByLabel('m, factor').fill('100');
  await answered();
  checks.that('what is typed stays as it is', (await page.text('.formula')).includes('2 * 1 * 100 * 4096 * 4096'), await page.text('.formula'));

  // Formats side by side.
  await page.page.getByLabel('Operator preset').selectOption('LLM decode GEMV 4096');
  await by('button', 'Formats').click();
  await page.page.waitForSelector('.comparison tbody tr');
  await answered();
  checks.equal('one row per format, in the order given', await page.texts('.comparison tbody th'), ['FP16', 'INT8', 'INT4 weights, FP16 activations']);
  checks.equal('the bound buys what the bytes say', [await column(0, 6), await column(1, 6)], ['1.0×', '2.0×']);
  await page.page.getByLabel('Add a format', { exact: true }).selectOption('mxfp4');
  await answered();
  checks.equal('a format more is a row more', await page.page.locator('.comparison tbody tr').count(), 4);
  await page.page.locator('.comparison tbody tr').nth(1).getByRole('button', { name: 'make baseline' }).click();
  await answered();
  checks.equal('speed-ups refer to the baseline', [await column(0, 6), await column(1, 6)], ['0.50×', '1.0×']);
  await by('button', 'Remove MXFP4').click();
  await answered();
  checks.equal('and one can be taken out', await page.page.locator('.comparison tbody tr').count(), 3);

  // Typical time.
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  await machine.fill('rtx 3080');
  await page.page.keyboard.press('Enter');
  await page.page.getByLabel('Operator preset').selectOption('GEMM 4096 cubed');
  await by('button', 'What-if').click();
  await page.page.locator('.overhead summary').click();
  await page.page.getByLabel('Network in').selectOption('fp16');
  await answered();
  const typical = await column(2, 7);
  checks.that('conversions give typical speed-ups a range', / to /.test(typical), typical);
  const launch = await page.text('.typical');
  await slide('Launch', 50);
  checks.that('a term of the overhead model can be turned and is shown', launch !== (await page.text('.typical')) && (await page.text('.typical')).includes('50.0 µs'), await page.text('.typical'));
  await by('button', 'Diagnosis').click();

  // A sweep.
  await page.page.getByLabel('Operator preset').selectOption('LLM decode GEMV 4096');
  await machine.click();
  await machine.fill('a100 80gb sxm');
  await page.page.keyboard.press('Enter');
  await by('button', 'Sweep').click();
  await page.page.waitForSelector('.crossings');
  await answered();
  checks.that('the crossing into compute-bound is told to the whole number', (await page.text('.crossings')).includes('FP16: compute-bound from m = 166 up'), await page.text('.crossings'));
  const painted = () => page.page.locator('canvas.plane').getAttribute('data-painted').then(Number);
  const first = await painted();
  await slide('HBM', 500);
  await answered();
  checks.that('it follows the machine', (await painted()) > first && !(await page.text('.crossings')).includes('m = 166 up'), await page.text('.crossings'));
  await by('button', 'Reset HBM').click();
  await page.page.getByLabel('and parameter').selectOption('k');
  await answered();
  checks.that('two parameters make a heat map', (await page.text('.crossings')).includes('shapes in 3 formats'), await page.text('.crossings'));
  const box = await page.page.locator('canvas.plane').boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  checks.that('pointing at a cell reads it', /m = [\d,]+, k = [\d,]+/.test(await page.text('.readout')), await page.page.locator('.readout').count());
  const shape = await page.page.getByLabel('k, factor').inputValue();
  await page.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await answered();
  checks.that('and clicking takes its shape', shape !== (await page.page.getByLabel('k, factor').inputValue()), shape);
  for (const metric of ['Rate', 'Bound']) {
    const last = await painted();
    await page.page.locator('.sweep-bar').getByRole('button', { name: metric }).click();
    await answered();
    checks.that(`${metric.toLowerCase()} can be shown instead`, (await painted()) > last);
  }

  // Everything is in the link.
  await page.page.waitForTimeout(500);
  const link = page.page.url();
  const other = await page.context.newPage();
  await other.goto(link);
  await other.waitForSelector('canvas.plane', { timeout: 15000 });
  await other.waitForTimeout(400);
  checks.equal('a link restores the operator and the sweep',
    [await other.getByLabel('k, factor').inputValue(), await other.getByLabel('and parameter').inputValue(), await other.getByRole('combobox', { name: 'Machine', exact: true }).inputValue()],
    [await page.page.getByLabel('k, factor').inputValue(), 'k', await machine.inputValue()]);
  await other.close();

  // Machines side by side.
  await page.page.locator('.explore button').first().click();
  await page.page.locator('.explore .item', { hasText: 'Machines' }).click();
  await page.page.waitForSelector('.machines-view tbody tr');
  await answered();
  const some = await page.page.locator('.machines-view tbody tr').count();
  checks.that('the usual machines side by side', some === 7, some);
  await page.page.getByRole('button', { name: 'Every machine' }).click();
  await page.page.waitForFunction(() => document.querySelectorAll('.machines-view tbody tr').length > 60);
  checks.that('every machine in one chart on demand', true);
  await page.page.getByRole('button', { name: 'Chosen', exact: true }).click();
  await answered();

  // A wrong shape says what is wrong, and what is open stays.
  await by('button', 'Roofline').click();
  await page.page.getByLabel('Operator preset').selectOption('ResNet 3x3');
  await answered();
  const good = await page.summary('bound');
  await page.page.getByLabel('input_shape').fill('1, 64');
  await answered();
  checks.that('a bad shape is told with what was expected', (await page.text('.notices')).includes('input_shape: [1, 64] has 2 dimensions: expected at least 3'), await page.texts('.notices'));
  checks.equal('and what was open stays', await page.summary('bound'), good);
  await page.page.getByLabel('input_shape').fill('8, 64, 56, 56');
  await answered();
  checks.that('a corrected one recomputes', (await page.summary('bound')) !== good && !(await page.text('.notices').catch(() => '')).includes('dimensions'), await page.summary('bound'));

  // Other operators, and back to the file.
  const choice = page.page.getByRole('combobox', { name: 'Operator', exact: true });
  for (const name of ['Softmax', 'Pooling', 'Addition', 'Concatenation', 'Embedding', 'Attention', 'Transposed convolution', 'Einstein sum', 'Convolution, backward', 'Matrix product, backward', 'Attention, backward']) {
    await choice.click();
    await choice.fill(name);
    await page.page.keyboard.press('Enter');
    await answered();
    checks.that(`${name} opens with a shape of its own`, Number(await page.summary('ops')) > 0 && !(await page.page.locator('.notice.error').count()), await page.texts('.notices'));
  }
  const whole = await page.text('.numbers');
  await page.page.getByLabel('Add a parameter').selectOption('sparsity');
  await answered();
  checks.that('a mask halves the pairs', whole !== (await page.text('.numbers')) && (await page.page.getByLabel('sparsity, factor').inputValue()) === '0.5', [whole, await page.text('.numbers')]);
  await by('button', 'File').click();
  await answered();
  checks.that('back to the file', (await page.page.locator('.sample-text').count()) === 1);
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();
}
