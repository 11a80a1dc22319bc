// A network's formats: Accuracy and Plan say the same, and Plan says why it has nothing to choose.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quantisedOnnx } from '../../onnx.mjs';
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
  await page.page.getByRole('button', { name: 'Measure each layer on its own weights, in Plan' }).click();
  await page.page.getByRole('region', { name: 'Formats by layer' }).waitFor();
  await page.settled();
  await check('the same range', async () => assert.equal(await gain(), inAccuracy, await page.headline()));
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
