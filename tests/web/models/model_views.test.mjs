// What stands beside a model's operators: measured points on the chart, curves over its sizes, the achievable answer, cost, formulas, a form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';

const encode = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const link = (request, rest = {}) =>
  encode({
    source: { built: 'model', request },
    settings: { machine: 'a100-80gb-sxm' },
    ...rest,
  });

test('model_views', async () => {
  const request = {
    model: 'llama-3-8b',
    phase: 'decode',
    batch: 8,
    context: 4096,
    measured_s: 0.02,
    measured: [{ name: 'published', oi: 300, tflops: 150 }],
  };
  const page = await openPage(link(request));
  const { page: p } = page;
  const shows = (of, text) =>
    page
      .located(of)
      .filter({ hasText: text })
      .first()
      .waitFor({ state: 'attached' }) // what is said to screen readers, too
      .then(
        () => true,
        () => false,
      );
  const until = (test, argument) =>
    p.waitForFunction(test, argument).then(
      () => true,
      () => false,
    );
  const curves = of => of.page.getByRole('list', { name: 'Findings per curve' }).getByRole('listitem');
  const told = curves(page);
  const form = p.getByRole('group', { name: 'Request', exact: true });
  const by = (role, name) => p.getByRole(role, { name, exact: true });

  // Measured points.
  const placed = await until(
    () => JSON.parse(document.querySelector('.chart canvas')?.dataset.measured ?? '[]').length === 2,
  );
  await check('measured points stand on the chart', async () => assert.ok(placed));
  await check('the legend names them', async () => assert.ok((await page.region('Legend')).includes('measured')));
  const points = JSON.parse(await page.chart.getAttribute('data-measured'));
  const box = await page.chart.boundingBox();
  await p.mouse.move(box.x + points[1][0], box.y + points[1][1]);
  await shows(page.tooltip, 'published');
  const tip = await page.text(page.tooltip);
  await check('hovering one says exactly what it is', async () =>
    assert.ok(
      /published/.test(tip) &&
        /measured/.test(tip) &&
        tip.includes('300 FLOP/B') &&
        tip.includes('150 TFLOP/s of 312 TFLOP/s (48%)'),
      inspect(tip),
    ),
  );
  await p.mouse.move(box.x + points[0][0], box.y + points[0][1]);
  await shows(page.tooltip, 'measured, decode');
  await check('a measured time has its bound beside it', async () =>
    assert.ok(
      /Time\s*20 ms, bound 9\.\d\d ms/.test(await page.text(page.tooltip)),
      inspect(await page.text(page.tooltip)),
    ),
  );
  const svg = await page.picture('SVG');
  const { readFileSync } = await import('node:fs');
  await check('and in the exported picture', async () =>
    assert.ok(readFileSync(svg.path, 'utf8').includes('published, measured: 150 TFLOP/s')),
  );
  const json = await page.download('JSON');
  const { summary } = JSON.parse(readFileSync(json.path, 'utf8'));
  await check("the exported document has the model's answer", async () =>
    assert.ok(summary.parameters === 8030261248 && summary.measured.length === 2),
  );

  // The diagnosis of an operator.
  await page.tableRow('gate_proj').click();
  await shows(page.diagnosis.getByRole('heading', { level: 3 }), 'gate_proj');
  await page.diagnosis.getByText('How the work is counted').click();
  await check('the diagnosis has the formula with its numbers', async () =>
    assert.ok(
      await shows(page.diagnosis, '2 * T * H * I = 2 * 8 * 4096 * 14336 = 939524096'),
      inspect(await page.text(page.diagnosis)),
    ),
  );
  await check('what its letters mean', async () =>
    assert.ok(await shows(page.diagnosis, 'H hidden size'), inspect(await page.text(page.diagnosis))),
  );
  await check('and its bytes by role', async () =>
    assert.ok(await shows(page.diagnosis, /weights \* bw \+ activations \* ba/)),
  );

  // Two answers and the cost.
  await page.show('Summary: Inference');
  const cells = name =>
    p
      .getByRole('row')
      .filter({ has: p.getByRole('rowheader', { name, exact: true }) })
      .getByRole('cell')
      .allInnerTexts();
  const [ideal, achievable] = (await cells('time per token')).map(parseFloat);
  await check(
    'the estimate stands beside the bound, with what its layers take more than 86.5% of the bandwidth',
    async () => assert.ok(ideal / achievable > 0.6 && ideal / achievable < 0.86, inspect([ideal, achievable])),
  );
  await p.getByText('How accurate is the estimate?').click();
  await check('and says how far it is off', async () =>
    assert.match(
      await page.text('.estimate'),
      /within [\d.]+% in half of \d+ published .* runs, within [\d.]+% in nine of ten\); bound/,
    ),
  );
  await check('in tokens per second too', async () =>
    assert.ok((await cells('tokens/s')).length === 2 && (await cells('tokens/s'))[0] !== (await cells('tokens/s'))[1]),
  );
  await check('without a price there is no cost', async () =>
    assert.ok((await cells('cost per million tokens'))[0] === '–'),
  );
  await p.getByLabel('Machine, $').fill('15000');
  await check('a price gives the cost', async () => assert.ok(/^\$/.test((await cells('cost per million tokens'))[0])));
  const [cost] = await cells('cost per million tokens');
  await check('over four years, which is said', async () =>
    assert.ok((await page.text('.price')).includes('$0.428 per hour'), inspect(await page.text('.price'))),
  );
  await p.getByLabel('over years').fill('2');
  await check('and can be turned', async () =>
    assert.ok((await cells('cost per million tokens'))[0] !== cost, inspect(cost)),
  );
  await check('what was measured is judged in words', async () =>
    assert.ok(
      (await page.text('.measured')).includes('MBU') &&
        (await page.texts('.measured li')).some(text => text.includes('of the measured time)')),
      inspect(await page.text('.measured')),
    ),
  );

  // Curves.
  await page.show('Scaling: Sweep');
  await p.waitForSelector('.model-sweep canvas.plot[data-painted]');
  await check('three formats of weights along the batch', async () =>
    assert.ok((await told.count()) === 3, inspect(await page.texts(told))),
  );
  await check('that decode never turns compute-bound is told with the reason', async () =>
    assert.ok(
      await shows(told, /no batch is compute-bound, as the cache \(\d+% of the bytes at batch 512\) grows with it/),
      inspect(await page.texts(told)),
    ),
  );
  await check('and where memory ends', async () =>
    assert.ok(await shows(told, /fits up to batch \d+, barely up to \d+/)),
  );
  await p.getByLabel('Along', { exact: true }).selectOption('context');
  await shows('.model-sweep canvas[aria-label="Tokens/s along context"]', '');
  await p.getByLabel('Along', { exact: true }).selectOption('batch');
  await p.getByRole('spinbutton', { name: /^Context/ }).fill('128');
  await check('at a short context it does, from a batch that is told', async () =>
    assert.ok(await shows(told, /compute-bound from batch \d+ up/), inspect(await page.texts(told))),
  );
  const painted = () => page.view.getByRole('img').getAttribute('data-painted').then(Number);
  const before = await painted();
  const undragged = await page.texts(told);
  await page.slide('HBM', 400);
  await check('it follows the machine while that is dragged', async () =>
    assert.ok((await page.texts(told)).join() !== undragged.join() && (await painted()) > before),
  );
  await by('button', 'Reset HBM').click();
  const plane = await page.view.getByRole('img').boundingBox();
  await p.mouse.move(plane.x + plane.width / 2, plane.y + plane.height / 2);
  await check('pointing reads every curve', async () =>
    assert.ok(
      (await shows(page.tooltip, /batch \d+/)) &&
        /INT4, groups of 128/.test(await page.text(page.tooltip)) &&
        /estimated/.test(await page.text(page.tooltip)),
      inspect(await page.texts(page.tooltip)),
    ),
  );
  await p.mouse.click(plane.x + plane.width / 2, plane.y + plane.height / 2);
  await check('a click takes the batch', async () => assert.doesNotMatch(await page.headline(), /batch 8 /));
  await check('the headline says how far the request goes, and how fast', async () =>
    assert.match(
      await page.sentence(),
      /^FP16 (at|fits up to) batch [\d,]+: an estimated [\d,]+ tokens\/s(?: at [\d,]+)?\. (Compute|Memory)-bound /,
    ),
  );
  await p.getByLabel('Compare', { exact: true }).selectOption('machine');
  await check('machines can be compared', async () =>
    assert.ok(await shows(told, 'NVIDIA H100 SXM'), inspect(await page.texts(told))),
  );
  await p.getByLabel('Add a curve').selectOption('gaudi3');
  await check('one more machine', async () => assert.ok(await shows(told, 'Gaudi 3'), inspect(await page.texts(told))));
  await by('button', 'Remove NVIDIA H100 SXM').click();
  await check('one less', async () => assert.ok(!(await page.texts(told)).join().includes('H100')));
  await p.getByLabel('Show', { exact: true }).selectOption('tpot_s');
  const again = await openPage(await page.link(), { wait: false });
  await again.page.waitForSelector('.model-sweep canvas.plot[data-painted]');
  const toldAgain = curves(again);
  await toldAgain.filter({ hasText: 'Gaudi 3' }).first().waitFor({ state: 'attached' });
  await check('the link brings all of it back', async () =>
    assert.deepEqual(
      [await again.page.getByLabel('Show', { exact: true }).inputValue(), await again.texts(toldAgain)],
      ['tpot_s', await page.texts(told)],
    ),
  );
  await again.close();

  // A model by form.
  await p.getByText('Edit architecture').click();
  await p.getByLabel('Layers', { exact: true }).fill('16');
  await check('fewer layers, fewer parameters', async () =>
    assert.ok(await shows('[data-echo]', '4,540,469,248 parameters'), inspect(await page.text('[data-echo]'))),
  );
  await p.getByLabel('Key-value heads', { exact: true }).fill('32');
  await check('every head with its own cache: 4 times the bytes', async () =>
    assert.ok(await shows('[data-echo]', '262 kB per token'), inspect(await page.text('[data-echo]'))),
  );
  await p.getByLabel('Layers', { exact: true }).fill('');
  await check('what is missing is said', async () =>
    assert.ok(
      await shows(form.getByRole('alert'), 'num_hidden_layers'),
      inspect(await page.texts(form.getByRole('alert'))),
    ),
  );
  await p.getByLabel('Layers', { exact: true }).fill('32');
  await check('and set right again', async () => assert.equal(await form.getByRole('alert').count(), 0));
  page.assertQuiet();
  await page.close();

  // On a phone what is typed is a sheet, under what comes of it.
  const phone = await openPage(link({ model: 'llama-3-8b', batch: 8, context: 4096 }), {
    viewport: { width: 390, height: 844 },
  });
  const kv = phone.page.getByRole('combobox', {
    name: 'KV cache',
    exact: true,
  });
  await check('on a phone the result comes first', async () => {
    assert.ok((await phone.finding.boundingBox()).y < 300);
    assert.ok(!(await kv.isVisible()));
  });
  await (await phone.change()).getByRole('combobox', { name: 'Model', exact: true }).waitFor();
  await check('the sheet leaves the chart its place', async () =>
    assert.ok((await phone.inputs.boundingBox()).y > 844 * 0.4),
  );
  await check('and holds every setting', async () => {
    await kv.scrollIntoViewIfNeeded();
    assert.ok(await kv.isVisible());
  });
  await check('nothing is wider than the screen', async () =>
    assert.ok(
      await phone.page.evaluate(() => document.documentElement.scrollWidth <= 390),
      inspect(await phone.page.evaluate(() => document.documentElement.scrollWidth)),
    ),
  );
  await phone.close();
});

test('a format that would help states its accuracy', async () => {
  const request = { model: 'llama-3-8b', phase: 'decode', batch: 8 };
  const page = await openPage(link(request));
  const levers = page.diagnosis.locator('.suggestions li').filter({ hasText: /INT|FP8/ });
  await check('in dB', async () => {
    const texts = await levers.allInnerTexts();
    assert.ok(texts.length > 0 && texts.every(text => /\d+(\.\d+)? dB per tensor/.test(text)), texts.join());
  });
  await page.close();
});

test('a suggestion with a KV cache below 8 bits says that it loses accuracy', async () => {
  const page = await openPage(link({ model: 'llama-3-8b', phase: 'decode', batch: 16, context: 8192 }));
  const heading = page.diagnosis.getByRole('heading', {
    name: 'With less than 8 bits for the KV cache, which loses accuracy',
  });
  await check('INT4 stands below that heading', async () =>
    assert.match(await page.text(heading.locator('+ .suggestions')), /^INT4 in all operands/),
  );
  assert.doesNotMatch(await page.text(page.diagnosis), /listed last/);
  await page.close();
});

test('the page says if a model barely fits or does not fit', async () => {
  const page = await openPage(link({ model: 'llama-3-8b', phase: 'decode', batch: 1, context: 128, reserve: 0.6 }));
  await page.show('Machines: Speed');
  await check('how little of the memory is free where no more can be linked', async () =>
    assert.match(await page.view.innerText(), /\nunder 60% free\s+[\d.]+\s+1\s/),
  );
  await check('a machine without benchmarks has an approximate figure', async () => {
    assert.match(await page.view.innerText(), /about [\d,.]+/);
    assert.doesNotMatch(await page.view.innerText(), /~/);
  });
  const large = await openPage(link({ model: 'llama-3-70b', phase: 'decode', batch: 1, context: 128 }));
  await large.show('Summary: Inference');
  const fact = name => large.page.getByRole('term').filter({ hasText: name }).locator('+ dd').innerText();
  await check('no batch and no context fit', async () =>
    assert.deepEqual(
      [await fact('largest batch'), await fact('longest context')],
      ['none with 10% free', 'none with 10% free'],
    ),
  );
  await large.close();
  await page.close();
});

test('the largest batch and the sweep leave the reserve free', async () => {
  // Of 85.9 GB, 16.06 GB are weights, 0.77 GB activations and 0.537 GB the cache of each sequence.
  const page = await openPage(link({ model: 'llama-3-8b', phase: 'decode', context: 4096 }));
  await page.show('Summary: Inference');
  const fact = name => page.page.getByRole('term').filter({ hasText: name }).locator('+ dd');
  await check('a tenth', async () => assert.match(await fact('largest batch').innerText(), /^112$/));
  await check('the context ends with the training', async () =>
    assert.match(await fact('longest context').innerText(), /^8,192 \(training\)$/),
  );
  await page.page.getByText('More options').click();
  await page.page.getByRole('spinbutton', { name: /^Reserve/ }).fill('50');
  await check('half', async () => assert.match(await fact('largest batch').innerText(), /^48$/));
  await page.page.getByRole('spinbutton', { name: /^Batch/ }).fill('48');
  await check('the offered batch fits', async () => assert.match(await page.text('[data-fits]'), / fits in 85\.9 GB/));
  await page.page.getByRole('spinbutton', { name: /^Batch/ }).fill('49');
  await check('one more barely', async () =>
    assert.match(await page.text('[data-fits]'), /: barely fits: just under 50% of 85\.9 GB free \(target 50%\)/),
  );
  await page.page.getByRole('spinbutton', { name: /^Batch/ }).fill('60');
  await page.show('Scaling: Sweep');
  await check('a sweep has all three verdicts', async () =>
    assert.match(
      await page.sentence(),
      /^FP16 fits up to batch 48, barely up to 128\. At batch 47, the last point that fits: an estimated /,
    ),
  );
  await page.show('Scaling: Batch and context');
  await check('the map says so, too', async () =>
    assert.match(
      await page.sentence(),
      /, batch \d+ is the largest that fits\. Batch \d+ barely fits and reaches at most /,
    ),
  );
  page.assertQuiet();
  await page.close();
});

test('with a filter, the totals leave out what is of the whole model', async () => {
  const page = await openPage(link({ model: 'llama-3-8b', phase: 'decode' }));
  await page.settled();
  const told = () => page.text(page.totals);
  await check('of the whole', async () => assert.match(await told(), /Per token[^]*Tokens\/s/));
  await page.page.getByRole('searchbox').fill('q_proj');
  await page.settled();
  await check('of a part', async () => assert.doesNotMatch(await told(), /Per token|Tokens\/s/));
  page.assertQuiet();
  await page.close();
});

test('the ends of one axis are not taken for those of another', async () => {
  const request = {
    model: 'llama-3-8b',
    phase: 'decode',
    batch: 8,
    prompt: 3840,
    context: 4096,
  };
  const view = {
    tab: 'model-sweep',
    modelSweep: { key: 'context', from: 128, to: 131072 },
  };
  const state = {
    source: { built: 'model', request },
    settings: { machine: 'h100-sxm' },
    view,
  };
  const page = await openPage(`#${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
  await page.button('Prefill').click();
  await check('along batch, from 1 to 512', async () => {
    assert.equal(await page.page.getByLabel('Along', { exact: true }).inputValue(), 'batch');
    const ends = ['from', 'to'].map(end => page.view.getByLabel(`${end}, number`).inputValue());
    assert.deepEqual(await Promise.all(ends), ['1', '512']);
  });
  await page.close();
});

test('Edit architecture sets the key that the model is read from', async () => {
  const config = {
    model_type: 'gemma4_text',
    hidden_size: 3840,
    num_hidden_layers: 48,
    num_attention_heads: 16,
    num_key_value_heads: 8,
    num_global_key_value_heads: 1,
    head_dim: 256, // of the layers with a window
    global_head_dim: 512,
    attention_k_eq_v: true,
    intermediate_size: 15360,
    vocab_size: 262144,
    sliding_window: 1024,
  };
  const page = await openPage(link({ model: config, batch: 1, context: 4096 }), { wait: false });
  const echo = page.page.locator('[data-echo]');
  await echo.waitFor();
  const before = await echo.innerText();
  await page.page.getByText('Edit architecture').click();
  const size = page.page.getByLabel('Head size', { exact: true });
  assert.equal(await size.inputValue(), '512');
  await size.fill('256');
  await page.settled();
  await check('the model changes', async () => assert.notEqual(await echo.innerText(), before));
  page.assertQuiet();
  await page.close();
});
