// The sentence above each view answers that view's own question; its figures lead to the operations they were made from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const resnet = view => hash({ source: { sample: 'resnet-50' }, view });

test('findings', async () => {
  const sentence = page => page.page.getByRole('main').getByRole('heading', { level: 1 });
  const says = async (page, what) =>
    check(
      `it says ${what}`,
      async () => assert.match((await sentence(page).innerText()).replace(/\s*\?\s*/g, ' '), what),
      20_000, // the first question about precision rounds a sample to every format
    );
  const open = async view => openPage(resnet(view), { wait: false });

  const categories = await open({ tab: 'categories' });
  await says(categories, /^Convolution takes 59% of the time, 72% of it limited by DRAM; element-wise takes 37%/);
  const formula = categories.page.getByText(/^59% = /);
  await check('how a figure comes about is folded away', async () => assert.equal(await formula.count(), 0));
  await sentence(categories).getByRole('button', { name: '59%', exact: true }).click();
  await check('and shown on request', async () =>
    assert.match(await formula.innerText(), /= [\d.]+ ms of [\d.]+ ms\b/),
  );
  await sentence(categories).getByRole('button', { name: '72%', exact: true }).click();
  await categories.page.getByRole('button', { name: 'Show its rows' }).click();
  await check('a figure leads to its rows', async () =>
    assert.deepEqual(
      await categories.page
        .getByRole('row')
        .filter({ hasText: 'ID_' })
        .evaluateAll(rows => [...new Set(rows.map(row => /ID_[A-Z]+/.exec(row.textContent)[0]))]),
      ['ID_CONV'],
    ),
  );
  await categories.close();

  const summary = await open({});
  await says(summary, /^DRAM limits 83%/);
  await sentence(summary).getByRole('button', { name: '83%', exact: true }).click();
  await summary.page.getByRole('button', { name: 'Show its rows' }).click();
  await says(summary, /^75 of 88 ops: DRAM limits 100% of the 11\.1 ms/); // without the two that neither limits
  await summary.close();

  const parity = await open({ tab: 'parity' });
  await says(
    parity,
    /^The bound explains 69% of the measured time; conv1 has the most time above the bound: it takes 7.5x its bound/,
  );
  await parity.close();

  const precision = await open({ tab: 'precision', roles: 'weights' });
  await says(precision, /^At 30 dB or more, no format is faster than today\./); // INT8 already; INT4 keeps 19 dB
  await precision.page.getByRole('button', { name: 'Per layer' }).click();
  // The layers are INT8 already, and what keeps 30 dB in fewer bits is for language models.
  await says(
    precision,
    /^At 30 dB, no format makes any of the 54 layers with weights faster\. No layer can use INT4 at 30 dB \(best layer: 18\.9 dB, in groups 20\.9 dB\)/,
  );
  await precision.page.getByLabel('Format of').selectOption({ label: 'All operands that take it' });
  await precision.page.getByLabel('Least accuracy, dB').fill('15');
  await says(
    precision,
    /^At 15 dB, \d+ layers take INT4 in all operands.* 34 operations without weights to quantise \(\d+% ?\?? ?of the time\) keep their formats\./,
  );
  await precision.close();

  const matrix = await open({ tab: 'machine-formats' });
  await says(matrix, /^By the bounds, .* is the fastest that keeps 30 dB/);
  const region = matrix.page.getByRole('region', { name: 'Machines by formats' });
  await check('a row per machine', async () => assert.ok((await region.getByRole('row').count()) > 60));
  await region
    .getByRole('row', { name: /^NVIDIA H100 SXM / })
    .getByRole('button', { name: /s$/ })
    .last()
    .click();
  await check('a cell takes its machine', async () =>
    assert.match(await matrix.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(), /H100 SXM/),
  );
  matrix.assertQuiet();
  await matrix.close();

  const gemm = { type: 'gemm', parameters: { m: 16, n: 4096, k: 4096 }, formats: ['fp16', 'int8', 'int4:fp16'] };
  const product = await openPage(
    hash({
      source: { built: 'operator', request: gemm },
      settings: { machine: 'a100-80gb-sxm' },
      view: { tab: 'machine-formats' },
    }),
  );
  // 2 x (16 x 4096 + 4096 x 4096 + 16 x 4096) bytes at 2,039 GB/s: of the first format, not of all three together.
  await check('of an operator, one format', async () =>
    assert.match(
      await product.text(product.page.getByRole('region', { name: 'Machines by formats' })),
      /today 16\.6 µs/,
    ),
  );
  await product.close();
});

test('headline, tile and panel name the same limit', async () => {
  const page = await openPage();
  const product = (name, us) => ({
    type: 'linear',
    name,
    m: 512,
    n: 512,
    k: 512,
    data_type: 'INT8',
    time_ns: us * 1000,
  });
  await page.drop({ 'slow.json': JSON.stringify([product('slow', 4000), product('slower', 9000)]) });
  await check('neither, where all is far below its roof', async () => {
    assert.match(await page.headline(), /^\d+% of the .* is limited by neither compute nor memory/);
    assert.match(await page.summary('Limited by'), /^neither/);
    assert.match(await page.text(page.figures), /Limited by\s+neither\s+overhead, waiting/);
  });
  await page.drop({ 'fast.json': JSON.stringify([product('fast', 20), product('faster', 18)]) });
  await check('else the resource: 0.79 MB at 50 GB/s are 15.7 µs', async () => {
    assert.match(await page.headline(), /^(DRAM limits|Everything is near the roof)/);
    assert.equal(await page.summary('Limited by'), 'DRAM');
    assert.match(await page.text(page.figures), /Limited by\s+DRAM/);
  });
  page.assertQuiet();
  await page.close();
  const state = { source: { sample: 'resnet-50' }, settings: { whatif: { bandwidth_scale: 20 } } };
  const changed = await openPage(`#${btoa(JSON.stringify(state))}`);
  await check('and what limits it then, with the bandwidth x20', async () => {
    assert.match(await changed.headline(), /^DRAM limits .* in total, then mostly limited by compute\.$/);
    assert.match(await changed.text(changed.totals), /Limited by\s+DRAM\s+what-if: compute/);
  });
  changed.assertQuiet();
  await changed.close();
});
