// A network's formats: Accuracy and Plan say the same, and Plan says why it has nothing to choose.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quantisedOnnx, weightsOnnx } from '../../onnx.mjs';
import { check, openPage, root } from '../harness.mjs';

async function opened(name, bytes) {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ [name]: bytes });
  await page.page.getByText(name).first().waitFor();
  return page;
}

test('a format gains as much in Accuracy as in Plan', async () => {
  const page = await opened('network.onnx', readFileSync(join(root, 'tests/data/network.onnx')));
  const gain = async () => / layers take INT8 in all operands: (.*?x(?: to .*?x)?)\b/.exec(await page.headline())?.[1];
  await page.show('Formats: Accuracy');
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  await page.page.getByRole('region', { name: 'A format for each layer' }).waitFor();
  await page.settled();
  const inAccuracy = await gain();
  assert.match(inAccuracy ?? '', /^[\d.]+x/, await page.headline());
  await page.show('Formats: Plan');
  await page.page.getByRole('region', { name: 'Formats by layer' }).waitFor();
  await page.settled();
  await check('the same range', async () => assert.equal(await gain(), inAccuracy, await page.headline()));
  page.assertQuiet();
  await page.close();
});

test("Accuracy begins with the file's own weights, and Plan says what its figures rest on", async () => {
  const page = await opened('weights.onnx', weightsOnnx());
  const advice = page.diagnosis.locator('.suggestions li');
  await check('before they are measured, the panel says that its numbers are assumed', async () => {
    const decibels = (await advice.allInnerTexts()).filter(text => / dB/.test(text));
    assert.ok(decibels.length > 1 && decibels.every(text => / dB per tensor, assumed Gaussian/.test(text)));
  });
  await page.show('Formats: Accuracy');
  const numbers = page.page.getByLabel('Numbers', { exact: true });
  await numbers.waitFor();
  await page.settled();
  await check('the weights are the numbers', async () => assert.equal(await numbers.inputValue(), 'weights'));
  await check('it says so', async () =>
    assert.match(
      await page.text(page.view),
      /dB: measured on the file's weights, \d+ layers?\. The file has no activations: they are assumed to be normally distributed\./,
    ),
  );
  const mark = page.page.getByText(/^assumed numbers/);
  await check('only activations are assumed', async () =>
    assert.equal(await mark.innerText(), 'assumed numbers: Gaussian activations'),
  );
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  const layers = page.page.getByRole('region', {
    name: 'A format for each layer',
  });
  await layers.waitFor();
  await page.settled();
  await check('each layer has its own accuracy', async () => {
    const decibels = await page.column(layers.getByRole('table'), 'dB');
    assert.ok(decibels.length > 1 && new Set(decibels).size > 1, decibels.join());
    assert.ok(
      decibels.every(text => /^[\d.]+( measured)?$|^exact measured$|^–/.test(text)), // not measured: activations limit it
      decibels.join(),
    );
  });
  for (const layer of ['first', 'second']) {
    await layers.getByRole('button', { name: layer, exact: true }).click();
    await page.settled();
    const at = (await page.column(layers.getByRole('table'), 'Layer')).indexOf(layer);
    await check(`the panel states the accuracy of ${layer} as the table does`, async () => {
      const [format, text] = await Promise.all(
        ['Format', 'dB'].map(async name => (await page.column(layers.getByRole('table'), name))[at]),
      );
      const [, db, own] = /^([\d.]+)( measured)?$/.exec(text);
      const said = await advice.filter({ hasText: format }).innerText();
      const [, shown, measured] = /\n([\d.]+) dB (measured|per tensor, assumed Gaussian);/.exec(said);
      assert.ok(Math.abs(Number(db) - Number(shown)) < 0.6, said);
      assert.equal(measured === 'measured', own !== undefined, said);
    });
  }
  const keep = async decibels => {
    const least = page.page.getByLabel('Least accuracy, dB');
    await least.fill(decibels);
    await least.press('Enter');
    await page.settled();
  };
  await keep('110');
  await check('a layer for which no format is accurate enough shows the accuracy of a faster one', async () => {
    const formats = await page.column(layers.getByRole('table'), 'Format');
    assert.equal(formats.length, 2);
    for (const text of formats) assert.match(text, /^unchanged: \S.* has only [\d.]+ dB( measured)?$/);
    assert.match(await page.headline(), /^At 110 dB, no format/);
  });
  await keep('30');
  await numbers.selectOption('gaussian');
  await page.settled();
  await check('other numbers can be chosen', async () =>
    assert.equal(await mark.innerText(), 'assumed numbers: Gaussian'),
  );
  await page.show('Formats: Plan');
  const plan = page.page.getByRole('region', { name: 'Formats by layer' });
  await plan.waitFor();
  await page.settled();
  await check('Plan says that the weights are measured', async () => {
    assert.match(await page.headline(), /SQNR [\d.]+ dB, measured on the file's weights/);
    assert.match(await page.text(plan), /The error of activations is not included: the file has none\./);
    assert.match((await page.column(plan.getByRole('table'), 'dB')).join(), /[\d.]+ measured/);
  });
  page.assertQuiet();
  await page.close();
});

test('a quantised network has nothing to plan, and Plan says so', async () => {
  const page = await opened('quantised.onnx', quantisedOnnx());
  await page.show('Formats: Accuracy');
  await page.page.getByRole('button', { name: 'Per layer' }).click();
  await page.page.getByRole('region', { name: 'A format for each layer' }).waitFor();
  await page.settled();
  await check('no link leads to Plan', async () =>
    assert.equal(await page.view.getByRole('button', { name: /in Plan$/ }).count(), 0),
  );
  await page.show('Formats: Plan');
  await page.settled();
  await check('what is stored, and what to open instead', async () =>
    assert.match(
      await page.headline(),
      /^The weights are stored in INT8 already: there are no formats to choose\. Open the network as it was before it was quantised/,
    ),
  );
  assert.equal(await page.page.getByLabel('Budget', { exact: true }).count(), 0);
  await page.view.getByRole('button', { name: /in Accuracy$/ }).click();
  await page.page.getByLabel('Format of').waitFor();
  page.assertQuiet();
  await page.close();
});

test("a plan's table has the room it needs, and no line of its script wraps", async () => {
  const page = await opened('network.onnx', readFileSync(join(root, 'tests/data/network.onnx')));
  await page.show('Formats: Plan');
  const table = page.page.getByRole('region', { name: 'Formats by layer' });
  await table.waitFor();
  await page.diagnosis.waitFor();
  await page.settled();
  await check('all columns are in view beside both panels', async () => {
    const [box, head] = [
      await table.boundingBox(),
      await table.getByRole('columnheader', { name: 'dB' }).boundingBox(),
    ];
    assert.ok(head.x + head.width <= box.x + box.width + 1);
  });
  await check('no line of the script wraps', async () => {
    const [height, lines, line] = await page.view
      .locator('pre')
      .evaluate(pre => [
        pre.scrollHeight,
        pre.innerText.trimEnd().split('\n').length,
        Number.parseFloat(getComputedStyle(pre).lineHeight),
      ]);
    assert.ok(height <= (lines + 1) * line + 16, `${height} px for ${lines} lines of ${line}`);
  });
  page.assertQuiet();
  await page.close();
});
