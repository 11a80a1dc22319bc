// A number out of range is refused at its field: the last good value stays in force, and so do the figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { four } from '../inputs.mjs';
import { stateOf } from '../walk/core.mjs';

const encode = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;

/** Types what is out of range; then what is good; then leaves the field. */
async function refuses(page, field, wrong, good, figure) {
  const before = await figure();
  const value = await field.inputValue();
  for (const text of wrong) {
    await field.fill(text);
    await page.settled();
    assert.equal(await field.getAttribute('aria-invalid'), 'true', text);
    const note = await page.page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`).innerText();
    assert.match(note, /^Enter a (whole )?number from [\d.,-]+ to [\d.,]+/, text);
    assert.equal(await figure(), before, text);
  }
  await field.fill(good);
  await page.settled();
  await check('a good value is taken', async () => {
    assert.equal(await field.getAttribute('aria-invalid'), 'false');
    assert.notEqual(await figure(), before);
  });
  await field.fill(wrong[0]);
  await field.blur();
  await page.settled();
  await check('left, the field shows the value in force', async () => {
    assert.equal(await field.inputValue(), good);
    assert.equal(await field.getAttribute('aria-invalid'), 'false');
    assert.match(await page.page.getByRole('alert').innerText(), /^Restored .*\. Enter a (whole )?number from /);
  });
  await field.fill(value);
  await field.blur();
  await page.settled();
  await field.press('ControlOrMeta+A');
  await field.pressSequentially('1e300'); // whose beginnings are good
  await field.blur();
  await page.settled();
  await check('what was only begun is not taken', async () => assert.equal(await field.inputValue(), value));
  await field.press('ControlOrMeta+A');
  await field.pressSequentially('8x');
  await page.settled();
  await check('nor is the number before a letter', async () => {
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(await figure(), before);
  });
  await field.blur();
  await check('which the field shows', async () => assert.equal(await field.inputValue(), value));
}

test('numbers out of range are refused', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  const whatif = () => page.totals.innerText();
  const dram = page.page.getByLabel('DRAM, GB/s', { exact: true });
  await refuses(page, dram, ['0', '-5', '1e300'], '100', whatif);
  const roofs = await page.words();
  assert.doesNotMatch(roofs, /e\+\d/);
  await page.inputs.getByRole('region', { name: 'Batch, relative to the file' }).waitFor();
  await refuses(page, page.page.getByLabel('Batch, ×', { exact: true }), ['0', '-1', '1e300'], '4', whatif);
  page.assertQuiet();
  await page.close();
});

test('a number that is too small is refused at Enter, not while it is typed', async () => {
  const request = { model: 'llama-3-8b', phase: 'decode', context: 12000, prompt: 3000, generate: 9000 };
  const page = await openPage(encode({ source: { built: 'model', request } }), { wait: false });
  const context = page.page.getByLabel('Context, number', { exact: true });
  await context.press('ControlOrMeta+A');
  await context.pressSequentially('2000');
  await page.settled();
  await check('no message yet', async () => assert.equal(await page.page.getByRole('alert').count(), 0));
  await context.press('Enter');
  await check('the range', async () =>
    assert.match(await page.page.getByRole('alert').innerText(), /^Enter a whole number from [\d,]+ to /),
  );
  page.assertQuiet();
  await page.close();
});

test('sizes that cannot be counted are refused at their field, which has its number again when it is left', async () => {
  const page = await openPage();
  await page.openFrom('Size an operator');
  const size = name => page.page.getByLabel(`${name}, number`, { exact: true });
  await size('m').fill('1000000000');
  await page.settled();
  await size('n').press('ControlOrMeta+A');
  await size('n').pressSequentially('1000000000');
  await page.settled();
  await check('the field says why', async () => {
    assert.equal(await size('n').getAttribute('aria-invalid'), 'true');
    assert.match(await page.inputs.getByRole('alert').innerText(), /^the shapes multiply to [\d.e+]+ FLOPs: /);
  });
  await size('n').blur();
  await page.settled();
  await check('it has its number again', async () => assert.equal(await size('n').inputValue(), '4096'));
  await check('and no error is left', async () => assert.equal(await page.page.getByRole('alert').count(), 0));
  page.assertQuiet();
  await page.close();
});

test('sizes that were refused are not kept', async () => {
  const page = await openPage();
  await page.openFrom('Size an operator');
  const size = name => page.page.getByLabel(`${name}, number`, { exact: true });
  await size('m').fill('1000000000');
  await page.settled();
  await size('k').fill('1000000000');
  await page.settled();
  await check('the field that was changed says why, and nothing above the page', async () => {
    assert.equal(await size('k').getAttribute('aria-invalid'), 'true');
    assert.match(await page.inputs.getByRole('alert').innerText(), /the shapes multiply to [\d.e+]+ FLOPs: /);
    assert.equal((await page.page.locator('.notices').textContent()).trim(), '');
  });
  await page.openFrom('Plan a language model');
  await page.openFrom('Size an operator');
  await check('the operator opens with its last accepted sizes', async () => {
    assert.equal(await size('m').inputValue(), '1000000000');
    assert.equal(await size('k').inputValue(), '4096');
  });
  page.assertQuiet();
  await page.close();
});

test('a refused number leaves a default as it was', async () => {
  const source = { built: 'model', request: { model: 'llama-3-8b' } };
  const page = await openPage(encode({ source, settings: { machine: 'a100-80gb-sxm' } }), { wait: false });
  const peak = page.page.getByLabel('FP16, TFLOP/s', { exact: true });
  const reset = page.inputs.getByRole('button', { name: 'Reset FP16' });
  await peak.press('ControlOrMeta+A');
  await peak.pressSequentially('9'); // the beginning of 9e300
  await reset.waitFor();
  await peak.pressSequentially('e300');
  await peak.blur();
  await page.settled();
  await check('it is not marked as changed', async () => assert.equal(await reset.count(), 0));
  await check('nor in the link', async () => assert.equal(stateOf(await page.link()).settings.peaks, undefined));
  page.assertQuiet();
  await page.close();
});

test("an operator's sizes and shapes", async () => {
  const page = await openPage();
  await page.openFrom('Size an operator');
  const work = () => page.column(page.operations, 'Work').then(cells => cells.join());
  const m = page.page.getByLabel('m, number', { exact: true });
  await refuses(page, m, ['0', '-5', '1e300'], '7', work);
  await m.fill('1000000000');
  await page.settled();
  await check('the largest size has room in its field', async () => {
    assert.equal(await m.inputValue(), '1000000000');
    assert.ok(await m.evaluate(field => field.scrollWidth <= field.clientWidth));
  });
  await page.page.getByLabel('Operator preset').selectOption('ResNet 3x3');
  await page.settled();
  const padding = page.page.getByLabel('padding, number', { exact: true });
  await padding.fill('0');
  await page.settled();
  assert.equal(await padding.getAttribute('aria-invalid'), 'false', 'padding may be 0');
  const shape = page.page.getByRole('textbox', {
    name: 'input_shape',
    exact: true,
  });
  const before = await work();
  await shape.fill('1, 64, -5, 56');
  await check('a shape that the core refuses is marked', async () => {
    assert.equal(await shape.getAttribute('aria-invalid'), 'true');
    const note = await page.page.locator(`[id="${await shape.getAttribute('aria-describedby')}"]`).innerText();
    assert.match(note, /positive whole number/);
  });
  assert.equal(await work(), before);
  await shape.fill('1, 64, 28, 28');
  await check('and a good one is not', async () => {
    assert.equal(await shape.getAttribute('aria-invalid'), 'false');
    assert.notEqual(await work(), before);
  });
  page.assertQuiet();
  await page.close();
});

test("a model's batch, chunk and sizes", async () => {
  const page = await openPage();
  await page.openFrom('Plan a language model');
  const ops = () => page.headline();
  await refuses(page, page.page.getByLabel('Batch, number', { exact: true }), ['0', '-5', '1e300'], '64', ops);
  await page.page.getByText('More options').click();
  const chunk = page.page.getByLabel('Prefill chunk', { exact: true });
  await chunk.fill('-5');
  assert.equal(await chunk.getAttribute('aria-invalid'), 'true');
  await chunk.fill('');
  assert.equal(await chunk.getAttribute('aria-invalid'), 'false', 'it may be empty');
  await page.page.getByText('Edit architecture').click();
  const layers = page.page.getByLabel('Layers', { exact: true });
  const seen = await layers.inputValue();
  await layers.fill('0');
  assert.equal(await layers.getAttribute('aria-invalid'), 'true');
  await layers.blur();
  assert.equal(await layers.inputValue(), seen);
  page.assertQuiet();
  await page.close();
});

test('the message for a refused number disappears', async () => {
  const page = await openPage();
  await page.openFrom('Plan a language model');
  await page.page.getByText('More options').click();
  const reserve = page.inputs.getByLabel('Reserve, %', { exact: true });
  const message = page.inputs.getByRole('alert');
  const ended = () => message.waitFor({ state: 'detached' });
  const refused = async () => {
    await reserve.fill('150');
    await reserve.blur();
    await check('it says what is wrong', async () =>
      assert.equal(await message.innerText(), 'Not accepted. Enter a number from 0 to 99%, or leave it empty'),
    );
  };
  await refused();
  await page.page.keyboard.press('Shift');
  await check('with the next key', ended);
  await reserve.fill('150');
  await page.show('Machines');
  await check('with the tab', ended);
  await refused();
  await reserve.fill('');
  await reserve.blur();
  await check('an empty field is fine', async () => assert.equal(await message.count(), 0));
  page.assertQuiet();
  await page.close();
});

test('a context that is typed changes nothing else on the way', async () => {
  const page = await openPage();
  await page.openFrom('Plan a language model');
  const field = name => page.inputs.getByRole('spinbutton', { name, exact: true });
  const context = field('Context, number');
  await context.fill('');
  await context.pressSequentially('8192');
  await page.settled();
  await check('the answer keeps its length', async () =>
    assert.equal(await field('Generate, number').inputValue(), '256'),
  );
  await check('the prompt fills the rest', async () =>
    assert.equal(await field('Prompt, number').inputValue(), '7936'),
  );
  await context.fill('');
  await context.pressSequentially('8x');
  await check('letters: digits only', async () =>
    assert.match(await page.inputs.getByRole('alert').innerText(), /^Digits only\. Enter a whole number from 257 to /),
  );
  await context.fill('');
  await context.pressSequentially('4k');
  await page.settled();
  await check('k is 1024', async () => assert.equal(await context.inputValue(), '4096'));
  await check('and is taken', async () => assert.equal(await field('Prompt, number').inputValue(), '3840'));
  await page.close();
});

test('no label of the estimate is cut beside its reset', async () => {
  const overhead = { launch_us: 5, compute: 60, bandwidth: 80, overlap: 50 };
  const page = await openPage(encode({ source: { sample: 'encoder' }, settings: { overhead } }));
  const labels = page.inputs.locator('.overhead .slider:has(button) label');
  await check('all are changed', async () => assert.equal(await labels.count(), 4));
  const cut = () =>
    labels.evaluateAll(all => all.filter(label => label.scrollWidth > label.clientWidth).map(label => label.innerText));
  assert.deepEqual(await cut(), []);
  await page.close();
});

test("an operator's preset keeps the formats that are compared", async () => {
  const page = await openPage();
  await page.openFrom('Size an operator');
  await page.page.getByLabel('Add a format', { exact: true }).selectOption('mxfp4');
  await page.settled();
  const formats = () => page.page.getByRole('button', { name: /^Remove / }).allInnerTexts();
  await check('a fourth format', async () => assert.ok((await formats()).some(text => /MXFP4/.test(text))));
  const chosen = await formats();
  await page.page.getByLabel('Operator preset').selectOption('GEMM 4096 cubed');
  await page.settled();
  await check('the shape is the preset, the formats are the same', async () => {
    assert.equal(await page.page.getByLabel('m, number').inputValue(), '4096');
    assert.deepEqual(await formats(), chosen);
    assert.equal(await page.page.getByLabel('Operator preset').inputValue(), 'GEMM 4096 cubed');
  });
  page.assertQuiet();
  await page.close();
});

test('no field cuts its number', async () => {
  const model = {
    built: 'model',
    request: {
      model: 'llama-3.1-405b',
      phase: 'decode',
      batch: 256,
      prompt: 130000,
      context: 131072,
      generate: 1072,
    },
  };
  const operator = (type, parameters) => ({
    built: 'operator',
    request: { type, parameters, formats: ['fp16'] },
  });
  const serving = {
    ttftMax: 0.1235,
    tpotMax: 0.012345,
    prompt: 131072,
    generate: 32768,
    users: 100000,
  };
  const views = [
    [model, { tab: 'serving', serving }],
    [
      model,
      {
        tab: 'model-sweep',
        modelSweep: { key: 'context', from: 128, to: 1048576 },
      },
    ],
    [
      operator('conv', {
        input_shape: [128, 2048, 1024, 1024],
        output_channels: 16384,
        kernel_size: 3,
      }),
      {},
    ],
    [operator('gemm', { m: 1000000000, n: 1024, k: 131072 }), { tab: 'sweep' }],
  ];
  for (const [source, view] of views)
    for (const width of [1440, 390]) {
      const page = await openPage(encode({ source, settings: { machine: 'b200-sxm' }, view }), {
        viewport: { width, height: 844 },
      });
      await page.change();
      const cut = () =>
        page.page.evaluate(() =>
          [...document.querySelectorAll('input:is([type=number], .parameter [type=text])')]
            .filter(field => field.clientWidth > 0 && field.scrollWidth > field.clientWidth)
            .map(field => `${field.ariaLabel ?? field.id}: ${field.value}`),
        );
      const fields = page.page.locator('input[type=number]:visible');
      await check('there are fields', async () => assert.ok((await fields.count()) > 1));
      await check(`${width} px`, async () => assert.deepEqual(await cut(), []));
      await page.close();
    }
});
