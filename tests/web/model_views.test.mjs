// What stands beside a model's operators: measured points on the chart, curves over its sizes, the achievable answer, cost, formulas, a form.
import { Page } from './harness.mjs';

const encode = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const link = (request, rest = {}) => encode({ source: { built: 'model', request }, settings: { machine: 'a100-80gb-sxm' }, ...rest });

export default async function test({ browser, url, checks }) {
  const request = { model: 'llama-3-8b', phase: 'decode', batch: 8, context: 4096, measured_s: 0.02, measured: [{ name: 'published', oi: 300, tflops: 150 }] };
  const page = await Page.open(browser, url + link(request));
  const { page: p } = page;
  const shows = (selector, text) => p.locator(selector, { hasText: text }).first().waitFor({ timeout: 15_000 }).then(() => true, () => false);
  const until = (test, argument) => p.waitForFunction(test, argument, { timeout: 15_000 }).then(() => true, () => false);
  const by = (role, name) => p.getByRole(role, { name, exact: true });

  // Measured points.
  const placed = await until(() => JSON.parse(document.querySelector('.chart canvas')?.dataset.measured ?? '[]').length === 2);
  checks.that('measured points stand on the chart', placed);
  checks.that('the legend names them', (await page.text('.legend')).includes('measured'));
  const points = JSON.parse(await p.locator('.chart canvas').getAttribute('data-measured'));
  const box = await p.locator('.chart canvas').boundingBox();
  await p.mouse.move(box.x + points[1][0], box.y + points[1][1]);
  await shows('.tooltip', 'published');
  const tip = await page.text('.tooltip');
  checks.that('hovering one says exactly what it is', /published/.test(tip) && /measured/.test(tip) && tip.includes('300 FLOP/B') && tip.includes('150 TFLOP/s of 312 TFLOP/s (48 %)'), tip);
  await p.mouse.move(box.x + points[0][0], box.y + points[0][1]);
  await shows('.tooltip', 'measured, decode');
  checks.that('a measured time has its bound beside it', /Time\s*20\.0 ms, bound 9\.\d\d ms/.test(await page.text('.tooltip')), await page.text('.tooltip'));
  const svg = await page.download('SVG');
  const { readFileSync } = await import('node:fs');
  checks.that('and in the exported picture', readFileSync(svg.path, 'utf8').includes('published, measured: 150 TFLOP/s'));
  const json = await page.download('JSON');
  const { summary } = JSON.parse(readFileSync(json.path, 'utf8'));
  checks.that('the exported document has the model\'s answer', summary.parameters === 8030261248 && summary.measured.length === 2);

  // The diagnosis of an operator.
  await p.locator('tbody tr', { hasText: 'gate_proj' }).first().click();
  await shows('.diagnosis h3', 'gate_proj');
  await p.locator('.diagnosis summary', { hasText: 'How the work is counted' }).click();
  checks.that('the diagnosis has the formula with its numbers', await shows('.diagnosis .formula', '2 * T * H * I = 2 * 8 * 4096 * 14336 = 939524096'), await page.texts('.diagnosis .formula'));
  checks.that('what its letters mean', await shows('.diagnosis details p', 'H hidden size'), await page.texts('.diagnosis details p'));
  checks.that('and its bytes by role', await shows('.diagnosis .formula', /weights \* bw \+ activations \* ba/));

  // Two answers and the cost.
  await by('button', 'Inference').click();
  const cells = name => p.locator('.two-answers tr', { has: p.locator(`th:text-is("${name}")`) }).locator('td').allInnerTexts();
  const [ideal, achievable] = (await cells('time per token')).map(parseFloat);
  checks.that('the achievable answer stands beside the ideal: 80 % of the bandwidth', Math.abs(ideal / achievable - 0.8) < 0.01, [ideal, achievable]);
  checks.that('in tokens per second too', (await cells('tokens/s')).length === 2 && (await cells('tokens/s'))[0] !== (await cells('tokens/s'))[1]);
  checks.that('without a price there is no cost', (await cells('cost per million tokens'))[0] === '–');
  await p.getByLabel('Machine, $').fill('15000');
  checks.that('a price gives the cost', await until(() => /^\$/.test([...document.querySelectorAll('.two-answers tr')].find(row => row.textContent.includes('cost'))?.querySelector('td')?.textContent ?? '')));
  const [cost] = await cells('cost per million tokens');
  checks.that('over four years, which is said', (await page.text('.price')).includes('$0.428 an hour'), await page.text('.price'));
  await p.getByLabel('over years').fill('2');
  checks.that('and can be turned', await until(was => [...document.querySelectorAll('.two-answers td')].every(cell => cell.textContent !== was), cost), cost);
  checks.that('what was measured is judged in words', (await page.text('.measured')).includes('MBU') && (await page.texts('.measured li')).some(text => text.includes('of the measured)')), await page.text('.measured'));

  // Curves.
  await by('button', 'Sweep').click();
  await p.waitForSelector('.model-sweep canvas.plane[data-painted]', { timeout: 15_000 });
  checks.that('three formats of weights along the batch', (await p.locator('.model-sweep .crossings li').count()) === 3, await page.texts('.crossings li'));
  checks.that('that decode never turns compute-bound is told with the reason', await shows('.crossings li', /no batch is compute-bound, as the cache \(\d+ % of the bytes at batch 512\) grows with it/), await page.texts('.crossings li'));
  checks.that('and where memory ends', await shows('.crossings li', /fits up to batch \d+/));
  await p.getByLabel('Along', { exact: true }).selectOption('context');
  await shows('.model-sweep canvas[aria-label="Tokens/s along context"]', '');
  await p.getByLabel('Along', { exact: true }).selectOption('batch');
  await p.getByRole('spinbutton', { name: /^Context/ }).fill('128');
  checks.that('at a short context it does, from a batch that is told', await shows('.crossings li', /compute-bound from batch \d+ up/), await page.texts('.crossings li'));
  const painted = () => p.locator('canvas.plane').getAttribute('data-painted').then(Number);
  const before = await painted();
  const told = await page.texts('.crossings li');
  await page.slide('HBM', 400);
  checks.that('it follows the machine while that is dragged', await until(was => document.querySelector('.crossings').textContent !== was, told.join('')) && (await painted()) > before);
  await by('button', 'Reset HBM').click();
  const plane = await p.locator('canvas.plane').boundingBox();
  await p.mouse.move(plane.x + plane.width / 2, plane.y + plane.height / 2);
  checks.that('pointing reads every curve', await shows('.readout', /batch \d+/) && /INT4, groups of 128/.test(await page.text('.readout')) && /achievable/.test(await page.text('.readout')), await page.texts('.readout'));
  await p.mouse.click(plane.x + plane.width / 2, plane.y + plane.height / 2);
  checks.that('a click takes the batch', await until(() => !/batch 8 /.test(document.querySelector('.headline').textContent)), await page.text('.headline'));
  await p.getByLabel('Compare', { exact: true }).selectOption('machine');
  checks.that('machines can be compared', await shows('.crossings li', 'NVIDIA H100 SXM'), await page.texts('.crossings li'));
  await p.getByLabel('Add a curve').selectOption('gaudi3');
  checks.that('one more machine', await shows('.crossings li', 'Gaudi 3'), await page.texts('.crossings li'));
  await by('button', 'Remove NVIDIA H100 SXM').click();
  checks.that('one less', await until(() => !document.querySelector('.crossings').textContent.includes('H100')));
  await p.getByLabel('Shown', { exact: true }).selectOption('tpot_s');
  await p.waitForTimeout(600);
  const again = await Page.open(browser, p.url(), { wait: false });
  await again.page.waitForSelector('.model-sweep canvas.plane[data-painted]', { timeout: 30_000 });
  await again.page.locator('.crossings li', { hasText: 'Gaudi 3' }).waitFor({ timeout: 15_000 }).catch(() => {});
  checks.equal('the link brings all of it back', [await again.page.getByLabel('Shown', { exact: true }).inputValue(), await again.texts('.crossings li')], ['tpot_s', await page.texts('.crossings li')]);
  await again.close();

  // A model by form.
  await p.locator('.model-form summary').click();
  await p.getByLabel('Layers', { exact: true }).fill('16');
  checks.that('fewer layers, fewer parameters', await shows('[data-echo]', '4.54 G parameters'), await page.text('[data-echo]'));
  await p.getByLabel('Key-value heads', { exact: true }).fill('32');
  checks.that('every head with its own cache: 4 times the bytes', await shows('[data-echo]', '262 kB per token'), await page.text('[data-echo]'));
  await p.getByLabel('Layers', { exact: true }).fill('');
  checks.that('what is missing is said', await shows('.model-source .error', 'num_hidden_layers'), await page.texts('.model-source .error'));
  await p.getByLabel('Layers', { exact: true }).fill('32');
  checks.that('and set right again', await until(() => !document.querySelector('.model-source .error')));
  checks.equal('no complaints of the browser', page.complaints, []);
  await page.close();

  // On a phone what is typed stands over what comes of it.
  const phone = await Page.open(browser, url + link({ model: 'llama-3-8b', batch: 8, context: 4096 }), { viewport: { width: 390, height: 844 } });
  const top = selector => phone.page.locator(selector).first().boundingBox().then(box => Math.round(box.y));
  const [source, headline, machine] = [await top('.model-source'), await top('.headline'), await top('#machine-title, .machine, section:has([aria-label="Machine"])').catch(() => 1e6)];
  checks.that('on a phone the source stands above the result', source < headline && headline < 844, [source, headline]);
  checks.that('and the machine below', machine > headline, [machine, headline]);
  checks.that('what is seldom set is folded away', !(await phone.page.getByText('KV cache').first().isVisible()));
  await phone.page.getByRole('button', { name: /Formats, attention/ }).click();
  checks.that('and comes on demand', await phone.page.locator('.model-source label', { hasText: 'KV cache' }).isVisible());
  checks.that('nothing is wider than the screen', await phone.page.evaluate(() => document.documentElement.scrollWidth <= 390), await phone.page.evaluate(() => document.documentElement.scrollWidth));
  await phone.close();
}
