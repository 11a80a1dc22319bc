// Ten tasks that people come with, each by the page's own words in at most three decisions. Each answer is the headline, and its figures are
// those of the core. `open` opens the page at an address, as somebody who is there for the first time where that is said.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { check } from '../harness.mjs';
import { coreOf, coreWith, ggufAccuracies, stateOf, textOf } from './core.mjs';
import { Visitor } from './visitor.mjs';

const resnet = readFileSync(new URL('../../../presets/samples/resnet-50-synthetic.json', import.meta.url), 'utf8');
const network = settings => coreWith({ files: { 'resnet-50.json': resnet }, settings });
const FIRST = { firstVisit: true };

const times = value => `${Number(value.toPrecision(3))}x`;
const visit = async (open, options) => new Visitor(await open('', options));

/** 1. What limits this network, and what would INT4 buy? */
export async function whatLimits(open) {
  const visitor = await visit(open, FIRST);
  const { page, tab } = visitor;
  await visitor.press('Look at the sample');
  const { finding, limits } = (await network()).frame();
  await visitor.reads(finding);
  await check('the tile names the same limit', async () =>
    assert.equal(await page.summary('Limited by'), limits.limited_by),
  );

  await visitor.change();
  await visitor.decides('Weights: INT4', () =>
    tab.getByRole('combobox', { name: 'Weights', exact: true }).selectOption({ label: 'INT4' }),
  );
  const changed = (await network({ whatif: { weight: 'int4' } })).frame();
  const { speedup_pessimistic: low, speedup_optimistic: high } = changed.shown.whatif;
  await visitor.reads(changed.finding);
  assert.match(textOf(changed.finding), /With INT4 weights: [\d.]+x/);
  await check('tile and panel say the same', async () => {
    assert.equal(await page.summary('What-if'), `${times(low)} to ${times(high)}`);
    assert.match(await page.inputs.innerText(), new RegExp(`All operations\\s+${times(low)} to ${times(high)}`));
  });
  await visitor.leaves();
}

// 8,192 cubed in 1.5 ms is 733 TFLOP/s; the second reads 3 TB/s. Its kernels name an architecture.
const TABLE = 'name,M,N,K,dtype,time_us\nsm90_xmma_gemm,8192,8192,8192,fp16,1500\nsm90_gemv,1,8192,8192,fp16,45\n';

/** 2. Whose machine ran this table, and what next? */
export async function whoseMachine(open) {
  const visitor = await visit(open);
  const { page, tab } = visitor;
  const asks = await coreWith({ files: { 'kernels.csv': TABLE } });
  await page.drop({ 'kernels.csv': TABLE });
  const { asked, machines } = asks.ask('which_machine', { most: 3 });
  const answered = await coreWith({ files: { 'kernels.csv': TABLE }, settings: { machine: machines[0].id } });
  await visitor.reads(answered.frame().finding);
  await check('its machine is guessed', async () =>
    assert.equal(await tab.getByText('guessed', { exact: true }).count(), 1),
  );
  const question = tab.getByRole('group', { name: 'Which machine' });
  await check('it asks which machine it was', async () => assert.ok((await question.innerText()).includes(asked)));
  await visitor.decides('the likeliest machine', () => question.getByRole('button').first().click());
  await check('it is the one that the core finds likeliest', async () =>
    assert.ok(
      (await tab.getByRole('combobox', { name: 'Machine', exact: true }).inputValue()).endsWith(machines[0].name),
    ),
  );
  await check('and nothing is guessed any more', async () => {
    assert.equal(await question.count(), 0);
    assert.equal(await tab.getByText('guessed', { exact: true }).count(), 0);
  });
  await visitor.leaves();
}

/** 3. Which of three formats wins where, for a matrix product? */
export async function whichFormat(open) {
  const visitor = await visit(open, FIRST);
  const { page } = visitor;
  await visitor.press('Size an operator');
  await visitor.shows('Scaling');
  const link = await page.link();
  const { request } = stateOf(link).source;
  assert.equal(request.formats.length, 3);
  const most = Math.max(4096, 2 * request.parameters.m);
  const axes = [{ keys: ['m'], from: 1, to: most, log: true, points: 256 }];
  const { finding } = (await coreOf(link)).ask('sweep', { operator: request, axes });
  await visitor.reads(finding);
  assert.match(textOf(finding), /wins?\b.* (up to|from|everywhere|along)/);
  await visitor.leaves();
}

/** 4. Which machine for Llama 3.1 70B at batch 16 and 8,192 tokens, does it fit, and on my own? */
export async function whichPlan(open) {
  const visitor = await visit(open, FIRST);
  const { page, tab } = visitor;
  await visitor.press('Plan a language model');
  const model = tab.getByRole('combobox', { name: 'Model', exact: true });
  await model.click();
  await model.fill('Llama 3.1 70B');
  await tab.keyboard.press('Enter');
  await page.settled();
  await visitor.types('Batch, number', 16);
  await visitor.types('Context, number', 8192);
  await visitor.shows('Machines');

  const table = tab.getByRole('region', { name: 'Machines side by side' });
  const askedFor = async () => {
    const link = await page.link();
    const { request } = stateOf(link).source;
    assert.deepEqual([request.model, request.batch, request.context], ['llama-3.1-70b', 16, 8192]);
    return (await coreOf(link)).ask('machines', { request });
  };
  const { finding, rows } = await askedFor();
  await visitor.reads(finding);
  assert.match(textOf(finding), /^.* is the fastest that fits: .* tokens\/s per machine/);
  const row = name =>
    table
      .getByRole('row')
      .filter({ has: tab.getByText(name, { exact: true }) })
      .first();
  for (const { name, machines, estimate } of rows.filter(({ id }) => ['b300-sxm', 'a100-80gb-sxm'].includes(id)))
    await check(`on how many of ${name} it fits, and how fast`, async () =>
      assert.match(
        (await row(name).innerText()).replace(/\s+/g, ' '),
        new RegExp(`^${name} ${Math.round(estimate / machines)} ${machines} [\\d.,]+ ${Math.round(estimate)} `),
      ),
    );

  await visitor.press('+ my machine');
  const editor = tab.getByRole('dialog', { name: 'My machine' });
  await editor.getByLabel('Name', { exact: true }).fill('Our box');
  await editor.getByLabel('Capacity of memory 1, GB', { exact: true }).fill('400');
  await editor.getByRole('button', { name: 'Save and use', exact: true }).click();
  await page.settled();
  const mine = await askedFor();
  assert.deepEqual([mine.rows[0].name, mine.rows[0].machines], ['Our box', 1]);
  await visitor.reads(mine.finding);
  await check('my machine is among them', async () =>
    assert.match(
      (await row('Our box').innerText()).replace(/\s+/g, ' '),
      new RegExp(`^Our box (about|≤) ${Math.round(mine.rows[0].estimate)} 1 [\\d.,]+ `),
    ),
  );
  await visitor.leaves();
}

/** 5. Which layers may go to INT4 at 30 dB? */
export async function whichLayers(open) {
  const visitor = await visit(open);
  const { tab } = visitor;
  await visitor.shows('Formats');
  await visitor.press('Per layer');
  const { finding, layers, total } = (await network()).ask('precision_layers', {
    threshold_db: 30,
    sample: 'gaussian',
    sqnr_db: await ggufAccuracies('gaussian'),
  });
  await visitor.reads(finding);
  assert.match(textOf(finding), /^At 30 dB, .*INT4/);
  const table = tab.getByRole('region', { name: 'A format for each layer' });
  await table.getByText(/^\d+ unchanged layers?$/).click(); // folded: the question is which change
  await check('each layer has its format', async () => {
    assert.ok((await table.getByRole('row').count()) > layers.length);
    assert.match(await table.innerText(), new RegExp(`${layers[1].name}\\s`));
  });
  assert.ok(total >= layers.length);
  await visitor.leaves();
}

const run = time =>
  JSON.stringify(
    ['wide', 'deep', 'same'].map((name, i) => ({
      type: 'ID_MM',
      name,
      data_type: 'FP16',
      input_mat1: [64, 1024 << i],
      input_mat2: [1024 << i, 512],
      time_ns: name === 'same' ? 1e6 : time * (i + 1),
    })),
  );

/** 6. What changed between two runs? */
export async function whatChanged(open) {
  const visitor = await visit(open);
  const { page, tab } = visitor;
  const files = { 'before.json': run(4e6), 'after.json': run(2e6) };
  await page.drop(files);
  const { finding } = (await coreWith({ files })).ask('compare', { rows: 10, arrows: 0, unchanged: false });
  await visitor.reads(finding);
  assert.match(textOf(finding), /saved \(\d+%\).*[.;] 2 faster, 0 slower, 1 unchanged/);
  const rows = page.rows(tab.getByRole('grid', { name: 'Changes' }));
  await check('what has not changed is folded', async () => assert.equal(await rows.count(), 2));
  await page.committed(); // then a note says what was opened, and on a narrow page the table has moved up
  await visitor.press('show');
  await check('and shown on request', async () => assert.equal(await rows.count(), 3));
  await visitor.leaves();
}

/** In the page: the colours of a canvas, as a number. A file of the picture would not do: Firefox writes into it where it comes from. */
function pixelsOf(canvas) {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, colour) => (Math.imul(sum, 31) + colour) | 0, 0);
}

/** 7. Ten changes, undone and redone, reloaded, and shared by a link. */
export async function undoneAndShared(open) {
  const visitor = await visit(open);
  const { page, tab } = visitor;
  await page.committed();
  const seen = async () => {
    await page.settled();
    return [
      await tab.getByLabel('DRAM, GB/s').inputValue(),
      await tab.getByRole('searchbox').inputValue(),
      await page.tab(),
      await page.sentence(),
    ].join(' | ');
  };
  const search = text => () => tab.getByRole('searchbox').fill(text);
  const changes = [
    () => page.slide('DRAM', 700),
    search('conv'),
    () => page.show('Formats'),
    () => page.slide('DRAM', 300),
    () => page.show('Summary'),
    search('layer'),
    () => page.slide('DRAM', 500),
    () => page.show('Machines'),
    search('down'),
    () => page.show('Summary'),
  ];
  const states = [await seen()];
  for (const change of changes) {
    await change();
    await tab.evaluate(() => document.activeElement?.blur());
    await page.committed();
    states.push(await seen());
  }
  assert.equal(new Set(states).size, states.length, 'each change is another state');
  for (let i = changes.length - 1; i >= 0; --i) {
    await tab.keyboard.press('Control+z');
    await check(`undo to step ${i}`, async () => assert.equal(await seen(), states[i]));
    await page.committed();
  }
  for (let i = 1; i <= changes.length; ++i) {
    await tab.keyboard.press('Control+Shift+z');
    await check(`redo to step ${i}`, async () => assert.equal(await seen(), states[i]));
    await page.committed();
  }

  const headline = await page.headline();
  await tab.reload();
  await page.painted();
  await check('a reload shows the same', async () => {
    assert.equal(await seen(), states.at(-1));
    assert.equal(await page.headline(), headline);
  });

  await visitor.press('Share');
  const link = await tab.getByLabel('Link', { exact: true }).inputValue();
  await tab.keyboard.press('Escape');
  const pixels = each => each.chart.evaluate(pixelsOf);
  const fresh = await open(link);
  await check('the link shows the very same picture and figures', async () => {
    await Promise.all([page.settled(), fresh.settled()]);
    assert.ok((await pixels(page)) === (await pixels(fresh)), 'the charts differ');
    assert.equal(await fresh.headline(), await page.headline());
    assert.equal(await fresh.totals.innerText(), await page.totals.innerText());
  });
  fresh.assertQuiet();
  await fresh.close();
  await visitor.leaves();
}

const withoutSpaces = text => text.replace(/\s+/g, '');

/** 8. Export, and find the same figures in it. */
export async function sameFigures(open) {
  const visitor = await visit(open);
  const { page } = visitor;
  const { shown } = (await network()).frame();
  const headline = await page.sentence();
  const tiles = await page.totals.innerText();
  await visitor.decides('Export: Picture', async () => {
    const svg = await readFile((await page.picture('SVG')).path, 'utf8');
    const text = withoutSpaces([...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, part]) => part).join(' '));
    assert.ok(text.includes(withoutSpaces(headline)), `${headline} is not in ${text.slice(0, 300)}`);
  });
  await visitor.decides('Export: JSON', async () => {
    const { summary } = JSON.parse(await readFile((await page.download('JSON')).path, 'utf8'));
    assert.deepEqual(
      [summary.time_s, summary.predicted_time_s, summary.lost_time_s, summary.efficiency],
      [shown.time_s, shown.predicted_time_s, shown.lost_time_s, shown.efficiency],
    );
  });
  await visitor.decides('Export: Report (HTML)', async () => {
    const saved = await page.download('Report (HTML)');
    const file = `${saved.path}.html`;
    copyFileSync(saved.path, file);
    const report = await open(pathToFileURL(file).href);
    await check('the report opens with the same headline and tiles', async () =>
      assert.deepEqual([await report.sentence(), await report.totals.innerText()], [headline, tiles]),
    );
    report.assertQuiet();
    await report.close();
  });
  await visitor.leaves();
}

/** 10. Break it: wrong files, and numbers that are none. */
export async function broken(open) {
  const visitor = await visit(open);
  const { page, tab } = visitor;
  const state = async () => `${await page.sentence()} ${await page.totals.innerText()}`;
  const before = await state();
  for (const [name, content, says] of [
    ['picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /Images are not supported|image/i],
    ['cut.json', resnet.slice(0, 100), /cut\.json.*line \d+/s],
    ['prose.txt', 'hello, this is no table', /prose\.txt/],
  ]) {
    await page.drop({ [name]: content });
    await check(`${name} is refused by name, and told why`, async () => {
      const notices = await page.notices.innerText();
      assert.match(notices, says);
      assert.ok(notices.includes(name), notices);
    });
    assert.equal(await state(), before, 'what was open stays');
    await tab.keyboard.press('Escape');
  }
  await visitor.change();
  for (const label of ['DRAM, GB/s', 'Batch, ×'])
    for (const wrong of ['0', '-5', '1e300']) {
      const field = tab.getByLabel(label, { exact: true });
      const good = await field.inputValue();
      await field.fill(wrong);
      await check(`${label} refuses ${wrong} with its range`, async () => {
        assert.equal(await field.getAttribute('aria-invalid'), 'true');
        assert.match(await tab.getByRole('alert').last().innerText(), /^Enter a number from [\d.,-]+ to [\d.,]+/);
      });
      assert.equal(await state(), before, 'no figure follows it');
      await tab.evaluate(() => document.activeElement?.blur());
      await page.settled();
      assert.equal(await field.inputValue(), good, 'left, the field has the number in force');
    }
  await visitor.leaves();
}

/** All of them; the ninth is that each is walked on a desk, a tablet and a phone. */
export const TASKS = {
  'what limits this network, and what INT4 would buy': whatLimits,
  'whose machine ran this table': whoseMachine,
  'which format wins where': whichFormat,
  'which machine for a model, and mine': whichPlan,
  'which layers may go to INT4': whichLayers,
  'what changed between two runs': whatChanged,
  'ten changes undone, redone and shared': undoneAndShared,
  'the same figures in what is exported': sameFigures,
  'wrong files and numbers': broken,
};
