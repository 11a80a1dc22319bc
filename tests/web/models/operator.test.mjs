// An operator by its shape: the form, its sliders, formats, sweeps, machines, typical time, and the link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';

test('operator', async () => {
  const page = await openPage();
  const by = (role, name) => page.page.getByRole(role, { name, exact: true });
  const column = async (row, name) => (await page.column(page.view, name))[row];
  const secondsIn = async (row, name) => {
    const [, value, unit] = /^([\d.]+) (ns|µs|ms)$/.exec(await column(row, name));
    return value * { ns: 1e-9, µs: 1e-6, ms: 1e-3 }[unit];
  };
  const slide = async (label, position) => {
    await by('slider', label).evaluate((element, to) => {
      element.value = String(to);
      element.dispatchEvent(new Event('input', { bubbles: true }));
    }, position);
    await page.settled();
  };

  await page.openFrom('Size an operator');
  await check('the calculator opens on an operator, drawn and diagnosed', async () =>
    assert.ok(
      (await page.count()) === '3' && /bound/i.test(await page.text(page.diagnosis)),
      inspect(await page.text(page.diagnosis)),
    ),
  );
  await check('leaving a parameter out says what applies then', async () =>
    assert.equal(await by('button', 'Leave out m').getAttribute('title'), 'Leave m out: its default, 1, applies'),
  );
  await page.diagnosis.getByText('How the work is counted').click();
  await check('the formula has the numbers put in', async () =>
    assert.ok(
      (await page.text(page.diagnosis)).includes('2 * 1 * 1 * 4096 * 4096 = 33554432'),
      inspect(await page.text(page.diagnosis)),
    ),
  );

  // A slider moved: bytes, bound and time follow.
  const before = await page.text(page.figures);
  await slide('m', 900);
  const after = await page.text(page.figures);
  await check('moving a slider changes the numbers', async () => assert.notEqual(after, before));
  const m = await page.page.getByLabel('m, number').inputValue();
  await check('and stops at sizes that shapes have', async () =>
    assert.ok(Number(m) > 1000 && Number(m) % 128 === 0, inspect(m)),
  );
  await page.page.getByLabel('m, number').fill('100');
  await page.settled();
  await check('what is typed stays as it is', async () =>
    assert.ok(
      (await page.text(page.diagnosis)).includes('2 * 1 * 100 * 4096 * 4096'),
      inspect(await page.text(page.diagnosis)),
    ),
  );

  // Formats side by side.
  await page.page.getByLabel('Operator preset').selectOption('LLM decode GEMV 4096');
  await page.show('Formats: Speed');
  await page.rows(page.view).first().waitFor();
  await page.settled();
  await check('one row per format, in the order given', async () =>
    assert.deepEqual(await page.texts(page.view.getByRole('rowheader')), [
      'FP16',
      'INT8',
      'INT4 weights, FP16 activations',
    ]),
  );
  await check('the bound buys what the bytes say', async () => {
    const [fp16, int8] = await Promise.all([0, 1].map(row => secondsIn(row, 'Bound')));
    assert.ok(Math.abs(fp16 / int8 - 2) < 0.02, `${fp16} ${int8}`);
  });
  await page.page.getByLabel('Add a format', { exact: true }).selectOption('mxfp4');
  await page.settled();
  await check('a format more is a row more', async () => assert.deepEqual(await page.rows(page.view).count(), 4));
  await page.rows(page.view).nth(1).getByRole('button', { name: 'make baseline' }).click();
  await page.settled();
  await check('speed-ups refer to the baseline', async () => {
    const [fp16, int8] = await Promise.all([0, 1].map(row => secondsIn(row, 'Estimate')));
    assert.ok(Math.abs(parseFloat(await column(0, 'Speed-up')) - int8 / fp16) < 0.01, `${fp16} ${int8}`);
    assert.equal(await column(1, 'Speed-up'), '1x');
  });
  await page.rows(page.view).nth(2).getByRole('button', { name: 'make baseline' }).click();
  await page.settled();
  await by('button', 'Remove INT8').click();
  await page.settled();
  await check('which stays when a format before it is removed', async () => {
    assert.deepEqual(await page.texts(page.view.getByRole('rowheader')), [
      'FP16',
      'INT4 weights, FP16 activations',
      'MXFP4',
    ]);
    assert.equal(await column(1, 'Speed-up'), '1x');
    assert.match(await page.rows(page.view).nth(1).innerText(), /baseline/);
  });
  await page.page.getByLabel('Add a format', { exact: true }).selectOption('int8');
  await page.settled();
  await by('button', 'Remove MXFP4').click();
  await page.settled();
  await check('and one can be taken out', async () => assert.deepEqual(await page.rows(page.view).count(), 3));

  // Typical time.
  const machine = page.page.getByRole('combobox', {
    name: 'Machine',
    exact: true,
  });
  await machine.click();
  await machine.fill('rtx 3080');
  await page.page.keyboard.press('Enter');
  await page.page.getByLabel('Operator preset').selectOption('GEMM 4096 cubed');
  await page.page.getByText(/^Estimate \(/).click();
  await page.page.getByLabel('Network in').selectOption('fp16');
  await page.settled();
  const typical = await column(2, 'Speed-up');
  await check('conversions give typical speed-ups a range', async () =>
    assert.ok(/ to /.test(typical), inspect(typical)),
  );
  await page.page.getByText('How the time is estimated').click();
  const launch = await page.text(page.page.getByLabel('Terms of the estimate'));
  await slide('Peak reached', 64);
  await check('a typed fraction is the one that is reached', async () =>
    assert.match(await page.text(page.page.getByLabel('Terms of the estimate')), / at peak \/ 64% reached/),
  );
  await slide('Launch', 50);
  await check('a term of the overhead model can be turned and is shown', async () =>
    assert.ok(
      launch !== (await page.text(page.page.getByLabel('Terms of the estimate'))) &&
        (await page.text(page.page.getByLabel('Terms of the estimate'))).includes('50 µs'),
      inspect(await page.text(page.page.getByLabel('Terms of the estimate'))),
    ),
  );

  // A sweep.
  await page.page.getByLabel('Operator preset').selectOption('LLM decode GEMV 4096');
  await machine.click();
  await machine.fill('a100 80gb sxm');
  await page.page.keyboard.press('Enter');
  await page.show('Scaling: Sweep');
  await page.view.getByRole('img').waitFor();
  await page.settled();
  await check('the crossing into compute-bound is told to the whole number', async () =>
    assert.ok(
      (await page.text(page.view)).includes('FP16: compute-bound from m = 166 up'),
      inspect(await page.text(page.view)),
    ),
  );
  const painted = () => page.view.getByRole('img').getAttribute('data-painted').then(Number);
  const first = await painted();
  await slide('HBM', 500);
  await page.settled();
  await check('it follows the machine', async () =>
    assert.ok(
      (await painted()) > first && !(await page.text(page.view)).includes('m = 166 up'),
      inspect(await page.text(page.view)),
    ),
  );
  await by('button', 'Reset HBM').click();
  await page.page.getByLabel('and parameter').selectOption('k');
  await page.settled();
  await check('two parameters make a heat map', async () =>
    assert.ok((await page.text(page.view)).includes('shapes in 3 formats'), inspect(await page.text(page.view))),
  );
  await check('whose headline says which format is fastest where', async () =>
    assert.match(
      await page.headline(),
      /^[\w ]+ (wins?|tie for the fastest) at \d+% of the points; [\w ]+ (wins?|tie) at /,
    ),
  );
  const box = await page.view.getByRole('img').boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await check('pointing at a cell reads it', async () =>
    assert.ok(/m = [\d,]+, k = [\d,]+/.test(await page.text(page.tooltip)), inspect(await page.tooltip.count())),
  );
  const shape = await page.page.getByLabel('k, number').inputValue();
  await page.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.settled();
  await check('and clicking takes its shape', async () =>
    assert.ok(shape !== (await page.page.getByLabel('k, number').inputValue()), inspect(shape)),
  );
  for (const metric of ['Time', 'Rate', 'Bound by']) {
    const last = await painted();
    await page.view.getByRole('button', { name: metric }).click();
    await page.settled();
    await check(`${metric.toLowerCase()} can be shown instead`, async () => assert.ok((await painted()) > last));
  }

  // Everything is in the link.
  const link = await page.link();
  const other = await page.context.newPage();
  await other.goto(link);
  await other.waitForSelector('canvas.plot');
  await check('a link restores the operator and the sweep', async () =>
    assert.deepEqual(
      [
        await other.getByLabel('k, number').inputValue(),
        await other.getByLabel('and parameter').inputValue(),
        await other.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(),
      ],
      [await page.page.getByLabel('k, number').inputValue(), 'k', await machine.inputValue()],
    ),
  );
  await other.close();

  // Machines side by side.
  await page.show('Machines: Speed');
  await check('every machine', async () => assert.ok((await page.rows(page.view).count()) > 60));
  await page.page.getByRole('button', { name: 'Selected', exact: true }).click();
  await page.settled();
  const machines = page.view.getByRole('rowheader');
  await check('or a few usual ones', async () => assert.equal(await machines.count(), 6));
  await page.button('Remove NVIDIA L4').click();
  await page.settled();
  await check('one less', async () => assert.equal(await machines.count(), 5));
  await page.show('Machines: Roofs');
  await check('and their roofs', async () =>
    assert.ok(await page.view.getByRole('img', { name: 'Roofs of the machines' }).isVisible()),
  );

  // A wrong shape says what is wrong, and what is open stays.
  await page.show('Summary');
  await page.page.getByLabel('Operator preset').selectOption('ResNet 3x3');
  await page.settled();
  const good = await page.text(page.figures);
  await page.page.getByLabel('input_shape').fill('1, 64');
  await page.settled();
  await check('a bad shape is told with what was expected', async () =>
    assert.match(await page.inputs.getByRole('alert').innerText(), /^\[1, 64\] has 2 dimensions: expected at least 3/),
  );
  await check('and what was open stays', async () => assert.equal(await page.text(page.figures), good));
  await page.page.getByLabel('input_shape').fill('8, 64, 56, 56');
  await page.settled();
  await check('a corrected one recomputes', async () =>
    assert.ok(
      (await page.text(page.figures)) !== good && (await page.notices.getByText('dimensions').count()) === 0,
      inspect(await page.text(page.figures)),
    ),
  );

  // Other operators, and back to the file.
  const choice = page.page.getByRole('combobox', {
    name: 'Operator',
    exact: true,
  });
  for (const name of [
    'Softmax',
    'Pooling',
    'Addition',
    'Concatenation',
    'Embedding',
    'Attention',
    'Transposed convolution',
    'Einstein sum',
    'Convolution, backward',
    'Matrix product, backward',
    'Attention, backward',
  ]) {
    await choice.click();
    await choice.fill(name);
    await page.page.keyboard.press('Enter');
    await page.settled();
    await check(`${name} opens with a shape of its own`, async () =>
      assert.ok(
        Number(await page.count()) > 0 && !(await page.page.getByRole('alert').count()),
        inspect(await page.texts(page.notices)),
      ),
    );
  }
  const whole = await page.text(page.figures);
  await page.page.getByLabel('Add a parameter').selectOption('sparsity');
  await page.settled();
  await check('a mask halves the pairs', async () =>
    assert.ok(
      whole !== (await page.text(page.figures)) &&
        (await page.page.getByLabel('sparsity, number').inputValue()) === '0.5',
      inspect([whole, await page.text(page.figures)]),
    ),
  );
  await page.openFrom('Back to ResNet-50, INT8, batch 8');
  await check('back to the file', async () =>
    assert.equal(await page.text(page.sourceName), 'ResNet-50, INT8, batch 8'),
  );
  page.assertQuiet();
  await page.close();
});

test('the table has the estimates that the headline compares', async () => {
  const request = {
    type: 'gemm',
    parameters: { m: 1, n: 4096, k: 4096 },
    formats: ['fp16', 'int8', 'int4:fp16'],
  };
  const state = {
    source: { built: 'operator', request },
    settings: { machine: 'a100-80gb-sxm' },
  };
  const page = await openPage(`#${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
  const times = async column => (await page.column(page.operations, column)).map(text => Number.parseFloat(text));
  const gains = () =>
    page.sentence().then(text => /: about ([\d.]+)x FP16, .* By the bounds alone: ([\d.]+)x\./.exec(text).slice(1));
  const agree = async () => {
    const [gain, bound] = (await gains()).map(Number);
    for (const [column, expected] of [
      ['Estimate', gain],
      ['Bound', bound],
    ]) {
      const [fp16, , int4] = await times(column);
      assert.ok(Math.abs(fp16 / int4 / expected - 1) < 0.01, `${column}: ${fp16} / ${int4} is not ${expected}`);
    }
  };
  await check('as many times faster', agree);
  await page.page.getByLabel('HBM, GB/s', { exact: true }).fill('1000');
  await page.settled();
  await check('at other rates, too', agree);
  const op = { type: 'gemm', name: 'b', m: 512, n: 4096, k: 4096 };
  await page.drop({ 'untimed.json': JSON.stringify([op]) });
  await check('so has a file of operations without times', async () => {
    const [estimate] = await page.column(page.operations, 'Estimate');
    assert.match(estimate, /^[\d.]+ [µm]s$/);
    const panel = (await page.text(page.diagnosis)).replace(/\s+/g, ' ');
    assert.ok(panel.includes(`Estimate ${estimate}`), panel);
    const [bound] = await times('Bound');
    assert.ok(Number.parseFloat(estimate) > bound);
  });
  page.assertQuiet();
  await page.close();
});

test('older links name the baseline by its place', async () => {
  const request = {
    type: 'gemm',
    parameters: { m: 1, n: 4096, k: 4096 },
    formats: ['fp16', 'int8', 'int4:fp16'],
  };
  const link = {
    source: { built: 'operator', request },
    view: { tab: 'formats', baseline: 2 },
  };
  const page = await openPage(`#${Buffer.from(JSON.stringify(link)).toString('base64url')}`);
  await check('the third', async () => assert.match(await page.rows(page.view).nth(2).innerText(), /baseline/));
  const menu = await page.behind('compare');
  await check('and an operator is compared with a changed copy', async () =>
    assert.match(await menu.innerText(), /Compare with a changed copy\s+then change its sizes/),
  );
  await page.close();
});
