// A sweep marks where the estimates cross; the bounds are beside them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { coreOf } from '../walk/core.mjs';

const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const request = { type: 'gemm', parameters: { m: 1, n: 4096, k: 4096 }, formats: ['fp16', 'int8', 'int4:fp16'] };

test('a sweep names the crossings of the estimates, not those of the bounds', async () => {
  const page = await openPage(
    hash({ source: { built: 'operator', request }, settings: { machine: 'a100-80gb-sxm' }, view: { tab: 'sweep' } }),
  );
  const axes = [{ keys: ['m'], from: 1, to: 4096, log: true, points: 256 }];
  const answer = (await coreOf(await page.link())).ask('sweep', { operator: request, axes });
  const changes = leads => leads.slice(1).map(({ from }) => String(from));
  const [estimates, bounds] = [changes(answer.typical_leads), changes(answer.leads)];
  assert.notDeepEqual(estimates, bounds, 'else the test shows nothing');
  const { path } = await page.picture('SVG');
  const texts = [...readFileSync(path, 'utf8').matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  for (const at of estimates) assert.ok(texts.includes(at), `${at} is among ${texts}`);
  for (const at of bounds) assert.ok(!texts.includes(at), `${at} is not among ${texts}`);
  const headline = await page.headline();
  const said = [...headline.matchAll(/(?:from|cross at m =) ([\d,]+)/g)].map(([, at]) => at);
  assert.deepEqual(said, [...estimates, ...bounds], headline);
  assert.ok(texts.includes('bound'), 'the dashed lines are named');
  assert.ok(texts.includes('fastest by the bound (thin) and by the estimate'), 'so are the strips');

  const box = await page.view.getByRole('img').boundingBox();
  await page.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await check('the estimate is read first, then its bound', async () =>
    assert.match(await page.text(page.tooltip), /FP16\s*[\d.]+ µs · [\d.]+ TFLOP\/s · bound [\d.]+ µs, by HBM/),
  );
  page.assertQuiet();
  await page.close();
});

test('a format that the machine computes in another one is named', async () => {
  for (const [machine, text] of [
    ['a100-80gb-sxm', 'On NVIDIA A100 80GB SXM, FP8 E4M3 is computed in FP16.'],
    ['h100-sxm', null],
  ]) {
    const eight = { ...request, formats: ['fp16', 'fp8_e4m3', 'int4:fp16'] };
    const page = await openPage(
      hash({ source: { built: 'operator', request: eight }, settings: { machine }, view: { tab: 'sweep' } }),
    );
    await page.view.getByRole('img').waitFor();
    const said = page.view.getByText(/is computed in/);
    await check(machine, async () => assert.deepEqual(await page.texts(said), text ? [text] : []));
    page.assertQuiet();
    await page.close();
  }
});

test('two axes sweep different parameters, and the headline says which format wins how much of the map', async () => {
  const page = await openPage(hash({ source: { built: 'operator', request }, view: { tab: 'sweep' } }));
  const [first, second] = ['Along parameter', 'and parameter'].map(name => page.view.getByLabel(name, { exact: true }));
  const offered = async () => (await second.locator('option').allInnerTexts()).slice(1);
  await check('the parameter of the first is not offered for the second', async () =>
    assert.deepEqual(await offered(), ['n', 'k']),
  );
  await second.selectOption('n');
  await page.settled();
  const MAP = /^.+ wins? at \d+% of the points; .+ at [\d.]+%/;
  const before = await page.sentence();
  await check('the headline is about the map', async () => assert.match(before, MAP));
  await page.change();
  await page.page.getByLabel('k, number', { exact: true }).fill('1024');
  await page.settled();
  await check('and follows what is not swept', async () => {
    assert.match(await page.sentence(), MAP);
    assert.notEqual(await page.sentence(), before);
  });
  await first.selectOption('n');
  await page.settled();
  await check('the second axis is removed if the first takes its parameter', async () => {
    assert.equal(await second.inputValue(), '');
    assert.deepEqual(await offered(), ['m', 'k']);
    assert.doesNotMatch(await page.sentence(), /of the points/);
  });
  page.assertQuiet();
  await page.close();
});

test('a headline of one line has no blank line below it', async () => {
  const formats = ['fp16', 'fp8_e4m3', 'int4:fp16'];
  const page = await openPage(
    hash({
      source: { built: 'operator', request: { ...request, formats } },
      settings: { machine: 'a100-80gb-sxm' },
      view: { tab: 'sweep' },
    }),
    { viewport: { width: 1440, height: 900 } },
  );
  const height = async () => (await page.finding.boundingBox()).height;
  assert.ok((await height()) > 60, 'three formats take two lines');
  for (const format of [/^Remove FP8/, /^Remove INT4/]) {
    await page.inputs.getByRole('button', { name: format }).click();
    await page.settled();
  }
  await check('nor after an answer of two', async () => assert.ok((await height()) < 50, `${await height()} px`));
  await page.close();
});
