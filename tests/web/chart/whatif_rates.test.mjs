// The rates in the panel of changes are a what-if of a file: the run stays as it was on its machine, and the changed machine is beside it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { copy, four } from '../inputs.mjs';
import { coreWith, stateOf, textOf } from '../walk/core.mjs';

const resnet = readFileSync(new URL('../../../presets/samples/resnet-50-synthetic.json', import.meta.url), 'utf8');
const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const times = value => `${Number(value.toPrecision(3))}x`;

test('a changed rate of a file is a what-if', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const measured = ['Time', 'Bound', 'Above bound', 'Efficiency', 'Limited by'];
  const figures = () => Promise.all(measured.map(name => page.summary(name)));
  const field = name => tab.getByLabel(name, { exact: true });
  const whatif = tab.getByRole('combobox', { name: 'What-if machine', exact: true });
  const before = await figures();
  await field('DRAM, GB/s').fill('100');
  await page.settled();
  assert.deepEqual(await figures(), before, 'the run is as it was on its machine');
  await check('the field says what it was', async () => assert.match(await page.inputs.innerText(), /DRAM\s*was 50\b/));

  const { settings } = stateOf(await page.link());
  assert.deepEqual(Object.keys(settings), ['whatif']);
  assert.equal(settings.whatif.machine.memories[0].bandwidth, 100e9);
  const core = await coreWith({ files: { 'resnet-50.json': resnet }, settings });
  const { finding, shown } = core.frame();
  await check('headline and tile are the what-if of the core', async () => {
    assert.equal(await page.sentence(), textOf(finding));
    const { speedup_pessimistic: low, speedup_optimistic: high } = shown.whatif;
    assert.ok(low > 1.1 && high > low);
    assert.equal(await page.summary('What-if'), `${times(low)} to ${times(high)}`);
  });
  const scaled = (
    await coreWith({ files: { 'resnet-50.json': resnet }, settings: { whatif: { bandwidth_scale: 2 } } })
  ).frame();
  assert.deepEqual(shown.whatif, scaled.shown.whatif, 'as with twice the bandwidth');

  await field('Peak, TOP/s').fill('64');
  await page.settled();
  const both = stateOf(await page.link()).settings.whatif.machine;
  assert.deepEqual([both.memories[0].bandwidth, both.peaks], [100e9, { matrix: 64e12, vector: 64e12 }]);
  await check('the name of the what-if machine says that it is changed, and no rate that it had', async () =>
    assert.equal(await whatif.inputValue(), 'NPU (changed)'),
  );
  await check('and reads as a name in the headline', async () =>
    assert.match(await page.sentence(), /\. On NPU \(changed\): [\d.]+x/),
  );
  const reloaded = await openPage(await page.link());
  await check('a link has it', async () =>
    assert.equal(await reloaded.page.getByLabel('Peak, TOP/s', { exact: true }).inputValue(), '64'),
  );
  await reloaded.close();

  await tab.getByRole('button', { name: 'Reset Peak' }).click();
  await tab.getByRole('button', { name: 'Reset DRAM' }).click();
  await page.settled();
  await check('back at the machine’s own rates there is no what-if', async () => {
    assert.equal(stateOf(await page.link()).settings, undefined);
    assert.equal(await whatif.inputValue(), 'the same machine');
  });
  page.assertQuiet();
  await page.close();
});

test('the rates of another what-if machine, and of a file without times', async () => {
  const page = await openPage(hash({ source: { sample: 'resnet-50' }, settings: { whatif: { machine: 'mi300x' } } }));
  const { page: tab } = page;
  const hbm = tab.getByLabel('HBM, GB/s', { exact: true });
  await check('they are that machine’s', async () => assert.equal(await hbm.inputValue(), '5300'));
  await hbm.fill('2650');
  await page.settled();
  const { machine } = stateOf(await page.link()).settings.whatif;
  assert.deepEqual([machine.name, machine.memories[0].bandwidth], ['AMD Instinct MI300X (changed)', 2650e9]);
  assert.equal(machine.peaks.matrix.fp16, 1307.4e12);

  const chip = tab.getByRole('combobox', { name: 'Machine', exact: true });
  await chip.click();
  await chip.fill('h100 sxm');
  await tab.keyboard.press('Enter');
  await page.settled();
  await check('it goes when another machine is chosen', async () =>
    assert.equal(stateOf(await page.link()).settings.whatif, undefined),
  );

  await page.drop({ 'times.json': four.replaceAll(/"time_ns": \d+/g, '"count": 1') });
  const bound = await page.summary('Bound');
  await page.slide('DRAM', 950);
  assert.equal(await page.summary('Bound'), bound);
  assert.match(await page.summary('What-if'), /x$/);
  page.assertQuiet();
  await page.close();
});

test('an operator’s machine takes the rate itself', async () => {
  const request = { type: 'gemm', parameters: { m: 1, n: 4096, k: 4096 }, formats: ['int8'] };
  const page = await openPage(hash({ source: { built: 'operator', request } }));
  const bound = await page.summary('Bound');
  await page.page.getByLabel('DRAM, GB/s', { exact: true }).fill('100');
  await page.settled();
  await check('the bound is another, and nothing is a what-if', async () => {
    assert.notEqual(await page.summary('Bound'), bound);
    assert.doesNotMatch(await page.totals.innerText(), /What-if/);
  });
  await page.close();
});

test('another file starts without the what-if of the last one', async () => {
  const page = await openPage();
  const weights = page.page.getByRole('combobox', { name: 'Weights', exact: true });
  await weights.selectOption('int4');
  await page.settled();
  assert.match(await page.totals.innerText(), /What-if/);
  await page.committed();
  await page.drop({ 'mine.json': four });
  await check('none of a new file', async () => {
    assert.doesNotMatch(await page.totals.innerText(), /What-if/);
    assert.equal(await weights.inputValue(), '');
  });
  await page.committed();
  await page.page.keyboard.press('Control+z');
  await check('the file before has its own again', async () => {
    assert.match(await page.totals.innerText(), /What-if/);
    assert.equal(await weights.inputValue(), 'int4');
  });
  await page.drop({
    'next.json': four,
    'roofline_config.json': JSON.stringify({ whatif: { weight: 'int8' } }),
  });
  await check('settings that are opened with a file are kept', async () =>
    assert.equal(await weights.inputValue(), 'int8'),
  );
  await page.close();
});

const attention = {
  type: 'attention',
  name: 'decode',
  data_type: 'FP16',
  batch: 8,
  heads: 32,
  head_dim: 128,
  query_length: 1,
  context: 4096,
  time_ns: 900000,
};

test('one format for all operands, in one step', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': JSON.stringify([...JSON.parse(four), attention]) });
  await page.committed();
  const field = name => page.inputs.getByRole('combobox', { name, exact: true });
  const OPERANDS = ['Weights', 'Activations', 'Output', 'KV cache'];
  const each = () => Promise.all(OPERANDS.map(name => field(name).inputValue()));
  await field('All operands').selectOption('int4');
  await page.settled();
  await check('each has it', async () => assert.deepEqual(await each(), ['int4', 'int4', 'int4', 'int4']));
  const ends = page.inputs.getByText(/^Low: overhead stays constant\. High: efficiency stays constant\.$/);
  await check('its range is explained once', async () => assert.equal(await ends.count(), 1));
  await check('the headline says so', async () => assert.match(await page.headline(), /With INT4 in all operands: /));
  await page.committed();
  await field('Output').selectOption('');
  await page.settled();
  await check('others are left to the operands', async () =>
    assert.equal(await field('All operands').inputValue(), 'mixed'),
  );
  await page.committed();
  await page.page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.settled();
  await check('undone: all again', async () => assert.equal(await field('All operands').inputValue(), 'int4'));
  await page.page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.settled();
  await check('and in one more step none', async () => assert.deepEqual(await each(), ['', '', '', '']));
  await check('a format for weights alone is not offered', async () =>
    assert.equal(await field('All operands').locator('option[value="int4_g128"]').count(), 0),
  );
  page.assertQuiet();
  await page.close();
});

test('without a KV cache, resetting every operand clears the what-if', async () => {
  const page = await openPage();
  await page.drop({ 'mine.json': four });
  const field = name => page.inputs.getByRole('combobox', { name, exact: true });
  await field('All operands').selectOption('int4');
  await page.settled();
  for (const operand of ['Weights', 'Activations', 'Output']) {
    await field(operand).selectOption('');
    await page.settled();
    await check(`${operand}: the field of the cache stays hidden`, async () =>
      assert.equal(await field('KV cache').count(), 0),
    );
  }
  await check('all operands are unchanged', async () => assert.equal(await field('All operands').inputValue(), ''));
  await check('there is no what-if', async () => assert.doesNotMatch(await page.headline(), /With /));
  await field('All operands').selectOption('int4');
  await page.settled();
  await page.page.keyboard.press('Control+k');
  await page.page.keyboard.type('What if FP16 activations');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('the palette leaves none behind either', async () => {
    assert.equal(await field('Activations').inputValue(), 'fp16');
    assert.equal(await field('KV cache').count(), 0);
  });
  page.assertQuiet();
  await page.close();

  const linked = await openPage(hash({ source: { sample: 'resnet-50' }, settings: { whatif: { kv: 'int4' } } }));
  await linked.settled();
  await check('a linked format of a cache can be cleared, and costs no accuracy', async () => {
    assert.equal(await linked.inputs.getByRole('combobox', { name: 'KV cache', exact: true }).inputValue(), 'int4');
    assert.equal(await linked.page.getByText('Accuracy:').count(), 0);
  });
  linked.assertQuiet();
  await linked.close();
});

test('a KV cache is offered where an operation has one, a range explained where there is one', async () => {
  const page = await openPage();
  await page.drop({ 'copy.json': JSON.stringify([copy]) });
  const field = name => page.inputs.getByRole('combobox', { name, exact: true });
  await check('a copy has none', async () => assert.equal(await field('KV cache').count(), 0));
  await field('Activations').selectOption('fp16'); // as it is
  await page.settled();
  await page.inputs.getByText('1x', { exact: true }).first().waitFor();
  await check('no range', async () => assert.equal(await page.inputs.getByText(/Lower end/).count(), 0));
  page.assertQuiet();
  await page.close();
});
