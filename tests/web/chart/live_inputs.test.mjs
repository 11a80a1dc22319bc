// Every input recomputes: sliders, units, thresholds, machine, what-if.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';
import { four } from '../inputs.mjs';

test('live_inputs', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': four });
  const number = label => page.page.getByLabel(label);

  await page.slide('DRAM', 800);
  await check('dragging the bandwidth gives a what-if', async () =>
    assert.match(await page.summary('What-if'), /^[\d.]+x to [\d.]+x$/),
  );
  await page.page.getByRole('button', { name: 'Reset DRAM' }).click();
  await page.settled();
  await check('reset takes it back', async () => assert.doesNotMatch(await page.totals.innerText(), /What-if/));

  await number('Peak, TFLOP/s').fill('64');
  await page.settled();
  const settings = await page.behind('machine');
  await settings.getByRole('button', { name: 'MAC', exact: true }).click();
  await page.settled();
  await check('MAC changes the units', async () =>
    assert.ok(
      (await page.text(page.figures)).includes('MAC/B') && (await page.page.getByLabel('Peak, TMAC/s').count()) === 1,
    ),
  );
  await settings.getByRole('button', { name: 'FLOP', exact: true }).click();
  await page.settled();

  const column = async () =>
    page.texts(page.rows(page.operations).getByText(/^(near the roof|well below the roof|in between|latency)/));
  const atRoof = all => all.filter(text => text.startsWith('near the roof')).length;
  const statuses = await column();
  await page.slide('Near-roof threshold', 5);
  const lower = await column();
  await check('a lower threshold puts more operations at their roof', async () =>
    assert.ok(atRoof(lower) > atRoof(statuses), inspect(lower)),
  );
  await page.slide('Near-roof threshold', 70);

  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  await machine.fill('h100 sxm');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('another machine by search', async () =>
    assert.ok((await machine.inputValue()).toLowerCase().includes('h100'), inspect(await machine.inputValue())),
  );
  await check('its formats in play have sliders', async () =>
    assert.ok(
      (await page.page.getByRole('slider', { name: /^(INT8|FP16)/ }).count()) > 0,
      inspect(await page.text(page.inputs)),
    ),
  );
  const rates = await page.inputs.getByRole('slider').count();
  await page.page.getByRole('button', { name: /more rates?$/ }).click();
  await check('the others on demand', async () => assert.ok((await page.inputs.getByRole('slider').count()) > rates));
  await (await page.behind('machine')).getByRole('button', { name: 'Sources of the figures' }).click();
  await check('each figure has its source', async () =>
    assert.ok((await page.page.getByRole('dialog').getByRole('row').count()) > 3),
  );
  await page.page.keyboard.press('Escape');

  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await page.page.getByLabel('Weights').selectOption('int4');
  await page.page.getByLabel('Activations').selectOption('int4');
  await page.settled();
  await check('a what-if gives a range for all', async () =>
    assert.match(await page.text(page.inputs), /All operations\s+\d[\d.]*x/),
  );
  await check('and in the summary', async () => assert.ok(/[\d]x/.test(await page.summary('What-if'))));
  await page.slide('Batch', 900);
  await check('totals of a batch say so', async () => {
    assert.match(await page.totals.innerText(), /What-if, batch x\d/);
    assert.match(await page.text(page.inputs), /All operations, batch x\d/);
    const [gain] = /[\d.]+x (?:to [\d.]+x )?(?=faster per item)/.exec(await page.headline()) ?? [];
    assert.ok(gain, await page.headline());
    assert.match(await page.totals.innerText(), new RegExp(`${gain.trim()}\\s+per item`));
    assert.match(await page.text(page.inputs), new RegExp(`${gain.trim()}\\s+per item`));
  });
  await page.page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.settled();
  await check('back to today', async () => assert.deepEqual(await page.totals.getByText('What-if').count(), 0));

  await page.tableRow('swap').click(); // the others are too far below their roof for advice on formats
  await page.diagnosis.getByRole('list').getByRole('button').first().click();
  await page.settled();
  await check('a suggestion becomes the what-if', async () =>
    assert.match(await page.text(page.inputs), /All operations\s+\d[\d.]*x/),
  );

  await page.drop({ 'stated.json': JSON.stringify({ machine: 't4', ops: JSON.parse(four) }) });
  await check('the machine that a file states', async () =>
    assert.ok((await machine.inputValue()).includes('T4'), inspect(await machine.inputValue())),
  );
  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('the standard machine can be chosen over it', async () =>
    assert.ok((await machine.inputValue()).includes('NPU'), inspect(await machine.inputValue())),
  );
  await (await page.behind('machine')).getByRole('button', { name: 'Reset the machine' }).click();
  await page.settled();
  await check('and given up again', async () =>
    assert.ok((await machine.inputValue()).includes('T4'), inspect(await machine.inputValue())),
  );

  // While a slider moves, the chart goes ahead; at rest everything shows the same frame.
  const ahead = await page.page.evaluate(async () => {
    const slider = document.querySelectorAll('input[type="range"]')[1];
    const canvas = document.querySelector('.chart canvas'),
      main = document.querySelector('main');
    let most = 0;
    for (let i = 0; i < 25; ++i) {
      const painted = new Promise(resolve =>
        new MutationObserver((_, observer) => (observer.disconnect(), resolve())).observe(canvas, {
          attributeFilter: ['data-painted'],
        }),
      );
      slider.value = String(300 + 8 * i);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await painted;
      most = Math.max(most, Number(canvas.dataset.painted) - Number(main.dataset.revision));
    }
    return most;
  });
  await check('the chart does not wait for the table', async () => assert.ok(ahead > 0, inspect(ahead)));
  await page.settled();
  const [row, numbers] = [
    await page.page.locator('tr[aria-selected="true"] td').allInnerTexts(),
    await page.text(page.figures),
  ];
  await check('and then the table and the diagnosis follow', async () =>
    assert.ok(numbers.includes(`Above bound\n${row[1]}\n`), inspect([row, numbers])),
  );
  page.assertQuiet();
  await page.close();
});

/** In the page: whether the headline was ever shown as out of date, and what the worker was asked for. */
function watchHeadline() {
  globalThis.busy = false;
  globalThis.calls = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.path) globalThis.calls.push(message.path.join('.'));
    return postMessage.call(this, message, ...rest);
  };
  setInterval(() => (globalThis.busy ||= document.querySelector('h1.headline')?.ariaBusy === 'true'), 10);
}

test('only its own figures make the headline grey', async () => {
  const state = { source: { sample: 'resnet-50' }, settings: { whatif: { weight: 'int4' } } };
  const link = `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
  const page = await openPage(link, { init: watchHeadline });
  const outcome = page.page.getByRole('region', { name: 'Outcome' });
  await check('the accuracy of a what-if is known', async () =>
    assert.match(await outcome.innerText(), /Accuracy: [\d.]+ dB per tensor, assumed Gaussian/),
  );
  await check('without work that the view has to wait for', async () =>
    assert.ok(!(await page.page.evaluate(() => globalThis.calls)).includes('show')),
  );
  await page.page.evaluate(() => {
    globalThis.busy = false;
    globalThis.waits.held = 1000; // a slow answer
  });
  await page.inputs.getByText('Estimate (overheads)').click();
  await page.settled();
  await check('the headline stays black while the panel waits for the terms of the estimate', async () =>
    assert.equal(await page.page.evaluate(() => globalThis.busy), false),
  );
  page.assertQuiet();
  await page.close();
});
