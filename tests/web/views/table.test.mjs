// The table of operations: names that tell rows apart, no columns without a figure, and the same words in its CSV.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';

const shapes = [1, 2, 4, 16].flatMap(batch => [1024, 16384].map(length => [batch, length]));
const named = shapes.map(([batch, length], i) => ({
  type: i % 2 ? 'gemm' : 'attention',
  name: `attention_of_the_encoder_${batch}x${length}x128x128x${length}xf16`,
  flops: 1e9,
  bytes: 1e6,
  time_ns: 1e5 + i,
}));

test('table', async () => {
  const page = await openPage('', { viewport: { width: 1280, height: 800 } });
  const heads = async () =>
    (await page.head(page.operations).allInnerTexts()).map(text => text.replace(/[▴▾]/, '').trim());

  await page.drop({ 'named.json': JSON.stringify(named) });
  const ends = await page.operations.locator('.long-name > span:last-child').allInnerTexts();
  assert.ok(ends.length > 0);
  await check('a name that is cut keeps whole numbers', async () => {
    for (const end of ends) assert.match(end, /^(128x|1024x|16384x)/);
  });
  const starts = await page.operations.locator('.long-name > .ellipsis').allInnerTexts();
  await check('and its beginning ends with a part', async () => {
    for (const start of starts) assert.match(start.trim(), /^[a-z_]+$|(_|\dx)…$/);
  });
  const [status] = await page.column(page.operations, 'Status');
  const { path } = await page.download('Operations (CSV)');
  await check('the CSV of the table has its words', async () =>
    assert.ok(readFileSync(path, 'utf8').includes(`,${status},`), readFileSync(path, 'utf8')),
  );

  const times = named.map(({ name }, i) => ({ type: 'layer', name: `${name}, layer`, time_ns: (1 + (i % 5)) * 1e4 }));
  await page.drop({ 'times.json': JSON.stringify(times) });
  await check('with times only, it is sorted by time', async () => {
    const column = await page.column(page.operations, 'Time');
    assert.equal(column[0], '50 µs');
    assert.equal(await page.head(page.operations).filter({ hasText: 'Time' }).getAttribute('aria-sort'), 'descending');
  });
  await check('without time above a bound, efficiency, or one type in every row', async () => {
    const shown = await heads();
    for (const head of ['Above bound', 'Efficiency', 'Type']) assert.ok(!shown.includes(head), shown.join());
  });
  await check('with the share of the time of each', async () =>
    assert.match((await page.column(page.operations, 'Share'))[0], /^\d+(\.\d+)?%$/),
  );
  await check('and no change that would have no effect', async () => {
    assert.match(
      await page.inputs.innerText(),
      /Only times are known: without the work behind them, no change can be predicted\./,
    );
    assert.equal(await page.inputs.getByRole('combobox').count(), 0);
  });
  await page.tableRow('layer').click();
  await page.settled();
  await check('and no format is shown for unknown work', async () =>
    assert.doesNotMatch(await page.figures.innerText(), /as [A-Z]+\d/),
  );
  page.assertQuiet();
  await page.close();
});

test('an operator stays whole where its sizes are cut, and the CSV has the names as shown', async () => {
  const sized = [
    '_flash_attention_forward [[4,12,197,64],[4,12,197,64],[]]',
    'native_layer_norm [[4,197,768],[],[768],[768],[]]',
  ];
  const operators = ['_flash_attention_forward', 'native_layer_norm'].map(name => `aten::${name}`);
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  const rows = sized.map((name, i) => ({ ...named[i], type: operators[i], name: `aten::${name}` }));
  await page.drop({ 'trace.json': JSON.stringify(rows) });
  await page.tableRow('native_layer_norm').click();
  await page.settled();
  const cells = page.rows(page.operations).locator('td:first-child');
  await check('the operators are read whole, beside both panels', async () => {
    const shown = await cells.evaluateAll(all =>
      all.map(cell => {
        const { right } = cell.getBoundingClientRect();
        const range = document.createRange();
        const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
        range.selectNodeContents(text);
        return { text: text.data, inside: range.getBoundingClientRect().right <= right };
      }),
    );
    assert.deepEqual(
      operators.map(name => shown.some(({ text, inside }) => inside && text.startsWith(name))),
      [true, true],
      JSON.stringify(shown),
    );
  });
  const csv = readFileSync((await page.download('Operations (CSV)')).path, 'utf8');
  await check('the CSV has sizes in place of the shapes of all operands', async () => {
    assert.match(csv, /aten::native_layer_norm 4x197x768, 768/);
    assert.doesNotMatch(csv, /\[\[/);
  });
  page.assertQuiet();
  await page.close();
});

test("the table's CSV counts integer work in OP", async () => {
  const page = await openPage(); // an INT8 network
  const csv = readFileSync((await page.download('Operations (CSV)')).path, 'utf8');
  assert.match(csv.split('\r\n')[0], /Intensity \(OP\/B\)/);
  assert.doesNotMatch(csv.split('\r\n')[0], /FLOP/);
  page.assertQuiet();
  await page.close();
});

test('the columns of a sample fit at 1440 px, and an impossible efficiency is whole', async () => {
  const page = await openPage(`#${Buffer.from('{"source":{"sample":"encoder"}}').toString('base64url')}`, {
    viewport: { width: 1440, height: 900 },
  });
  const box = page.page.getByRole('region', { name: 'Operations', exact: true });
  await check('nothing to scroll', async () =>
    assert.equal(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0),
  );
  await check('the diagnosis states the threshold of the status', async () =>
    assert.match(await page.diagnosis.innerText(), /well below the roof\s+under 40%/),
  );
  await page.drop({ 'two.csv': 'name,M,N,K,dtype,time_us\ntiny,64,64,64,fp16,3\nfast,4096,4096,4096,fp16,0.001\n' });
  await check('a factor has its digits, a negative time a minus sign', async () => {
    const cut = await page.operations
      .getByRole('gridcell', { name: '4,294,967x' })
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    assert.equal(cut, false);
    assert.deepEqual(await page.column(page.operations, 'Above bound'), ['2.51 µs', '−4.29 ms']);
  });
  await page.close();
});
