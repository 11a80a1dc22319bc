// Two runs: dropped together, the second on "compare", or from the menu; the comparison comes to the front, and another file ends it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { four, matmul } from '../inputs.mjs';

const faster = JSON.stringify(JSON.parse(four).map(op => ({ ...op, time_ns: op.time_ns / 2 })));

test('compare', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const view = () => page.tab();

  await page.drop({ 'before.json': four, 'after.json': faster });
  await check('two runs dropped together are compared', async () =>
    assert.deepEqual([await view(), await page.text(page.sourceName)], ['Compare', 'after.json']),
  );
  await check('with what changed, said once', async () => {
    assert.match(await page.sentence(), /saved \(50%\)/);
    assert.match(await page.text(page.view), /Before:\s+before\.json/);
    assert.doesNotMatch(await page.text(page.view), /saved \(50%/);
  });

  await page.button('Swap before and after').click();
  await check('swapped', async () => {
    assert.match(await page.sentence(), /lost \(100%\)/);
    assert.match(await page.text(page.view), /Before:\s+after\.json/);
    assert.equal(await page.text(page.sourceName), 'before.json');
  });
  await page.button('Swap before and after').click();
  await check('and back', async () => assert.match(await page.sentence(), /saved \(50%\)/));
  // Each run keeps its machine: the one before was put on another.
  const machineBefore = tab.getByRole('combobox', { name: 'Machine of the run before' });
  const machineAfter = tab.getByRole('combobox', { name: 'Machine', exact: true });
  const machines = async () => [await machineBefore.inputValue(), await machineAfter.inputValue()];
  await machineBefore.click();
  await machineBefore.fill('A100 80GB SXM');
  await machineBefore.press('Enter');
  await page.settled();
  const [first, second] = await machines();
  assert.notEqual(first, second);
  await page.button('Swap before and after').click();
  await check('its machine goes with a run', async () => assert.deepEqual(await machines(), [second, first]));
  await page.button('Swap before and after').click();
  await check('there and back', async () => assert.deepEqual(await machines(), [first, second]));

  await page.drop({ 'third.json': four });
  await check('another file ends it', async () => assert.notEqual(await view(), 'Compare'));

  const data = await tab.evaluateHandle(text => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'fourth.json'));
    return transfer;
  }, faster);
  await tab.dispatchEvent('body', 'dragover', { dataTransfer: data });
  const zone = tab.getByText('Drop to compare with third.json');
  await zone.dispatchEvent('dragover', { dataTransfer: data });
  await zone.dispatchEvent('drop', { dataTransfer: data });
  await check('a second run dropped on "compare"', async () =>
    assert.deepEqual([await view(), await page.text(page.sourceName)], ['Compare', 'fourth.json']),
  );
  await check('the zones are gone', async () => assert.equal(await tab.getByText(/^Drop to/).count(), 0));

  const timesOf = (prefix, us) =>
    JSON.stringify(us.map((time, i) => ({ type: 'layer', name: `${prefix}.sm90.${i}`, time_ns: 1000 * time })));
  await page.drop({ 'a100_fp16.json': timesOf('fp16', [100, 200]), 'a100_int8.json': timesOf('int8', [120, 210]) });
  await check('with too little in common, the totals come first, then what would match more', async () =>
    assert.match(
      await page.sentence(),
      /^10% more time: 300 µs before, 330 µs after\. Too few operations .* Open each run with its model's graph or shapes/,
    ),
  );
  page.assertQuiet();
  await page.close();

  const guess = await openPage();
  const table = 'name,M,N,K,dtype,time_us\nsm90_xmma_gemm,8192,8192,8192,fp16,1500\nsm90_gemv,1,8192,8192,fp16,45\n';
  await guess.drop({ 'one.csv': table });
  const guessed = guess.page.getByText('guessed', { exact: true });
  await guessed.waitFor();
  await guess.page
    .locator('#compare-input')
    .setInputFiles({ name: 'two.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await guess.settled();
  await check('a second run leaves the doubt about the machine', async () =>
    assert.deepEqual([await guess.tab(), await guessed.count()], ['Compare', 1]),
  );
  await guess.close();
});

test('the largest change is selected first, and the diagnosis says how each operation changed', async () => {
  const run = times => JSON.stringify(times.map(([name, us]) => ({ ...matmul, name, time_ns: 1000 * us })));
  const page = await openPage();
  await page.drop({
    'before.json': run([
      ['slow', 900],
      ['better', 400],
      ['same', 300],
    ]),
    'after.json': run([
      ['slow', 900],
      ['better', 100],
      ['same', 300],
      ['new', 30],
    ]),
  });
  assert.equal(await page.tab(), 'Compare');
  const change = page.diagnosis.locator('.change-of');
  await check('the largest', async () =>
    assert.deepEqual(
      [await page.selectedName(), await page.text(change)],
      ['better', 'Before 400 µs, after 100 µs: 4x faster'],
    ),
  );
  await page.view.getByRole('row').filter({ hasText: 'new' }).click();
  await page.settled();
  await check('one that is new', async () => assert.equal(await page.text(change), 'Not in the run before'));
  await page.view.getByRole('group', { name: 'List by' }).getByRole('button', { name: 'Type' }).click();
  await page.settled();
  await check('of a type nothing is said', async () => assert.equal(await change.count(), 0));
  page.assertQuiet();
  await page.close();
});

test('a roof of another format is not taken for a change of format', async () => {
  const page = await openPage();
  const run = (data_type, time_ns) => JSON.stringify({ machine: 'h100-sxm', ops: [{ ...matmul, data_type, time_ns }] });
  await page.drop({ 'fp16.json': run('FP16', 2e5), 'int8.json': run('INT8', 1e5) });
  const head = page.page.getByRole('columnheader', { name: 'Format' });
  await check('the column says what it is', async () =>
    assert.match(await head.getAttribute('title'), /^The format whose peak each time is compared with/),
  );
  page.assertQuiet();
  await page.close();
});

test('a long name in the headline stays inside its line', async () => {
  const name = 'aten::_flash_attention_forward 197x197x64';
  const attention = { type: 'attention', name, flops: 1e9, bytes: 1e6 };
  const run = time_ns =>
    JSON.stringify([
      { ...attention, time_ns },
      { ...attention, name: 'other', time_ns: 1e4 },
    ]);
  const page = await openPage();
  await page.drop({ 'before.json': run(1e5), 'after.json': run(3e5) });
  const button = page.finding.getByRole('button', { name, exact: true });
  for (const width of [1440, 1200, 1000, 768, 390]) {
    await page.page.setViewportSize({ width, height: 900 });
    await check(`${width} px`, async () => {
      const [text, line] = [await button.boundingBox(), await page.finding.boundingBox()];
      assert.ok(text.x + text.width <= line.x + line.width);
    });
  }
  page.assertQuiet();
  await page.close();
});

const timed = rows =>
  `name,type,M,N,K,dtype,time_us\n${rows.map(([name, type, time]) => `${name},${type},512,512,64,f16,${time}\n`).join('')}`;

test('sums by type', async () => {
  const page = await openPage();
  const { page: tab } = page;
  const before = [
    ['a', 'gemm', 10],
    ['b', 'gemm', 20],
    ['c', 'batch_matmul', 5],
  ];
  const after = [
    ['a', 'gemm', 4],
    ['b', 'gemm', 12],
    ['d', 'linear', 36.9],
  ];
  await page.drop({ 'before.csv': timed(before), 'after.csv': timed(after) });
  const operations = tab.getByRole('grid', { name: 'Changes', exact: true });
  const types = tab.getByRole('grid', { name: 'Changes by type' });
  await check('a change says in which direction', async () =>
    assert.deepEqual(
      [await page.column(operations, 'Operation'), await page.column(operations, 'Time change')],
      [
        ['d', 'b', 'a', 'c'],
        ['+36.9 µs', '−8 µs', '−6 µs', '−5 µs'],
      ],
    ),
  );
  await operations.getByRole('button', { name: 'Time change' }).click();
  await check('sorted by what it shows, the most time saved first', async () => {
    assert.deepEqual(await page.column(operations, 'Operation'), ['b', 'a', 'c', 'd']);
    const head = operations.getByRole('columnheader', { name: /^Time change/ });
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  });

  await page.view.getByRole('group', { name: 'List by' }).getByRole('button', { name: 'Type' }).click();
  await page.settled();
  const sums = [
    ['gemm', 'batch_matmul', 'linear'],
    ['−14 µs', '−5 µs', '+36.9 µs'],
    ['2', '1 → 0', '0 → 1'],
  ];
  await check('each type in a row, in the same order', async () =>
    assert.deepEqual(
      [
        await page.column(types, 'Type'),
        await page.column(types, 'Time change'),
        await page.column(types, 'Operations'),
      ],
      sums,
    ),
  );
  const [file] = await Promise.all([
    tab.waitForEvent('download'),
    page.view.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  await check('the file has the same rows', async () =>
    assert.match(
      await readFile(await file.path(), 'utf8'),
      /^type,ops_a,ops_b,time_a_s,time_b_s,time_ratio,time_saved_s\r\ngemm,2,2,/,
    ),
  );
  await types.getByRole('button', { name: 'gemm' }).click();
  await page.settled();
  await check('a type leads to its operations', async () =>
    assert.deepEqual(await page.column(operations, 'Operation'), ['b', 'a']),
  );
  await page.view.getByRole('group', { name: 'List by' }).getByRole('button', { name: 'Type' }).click();
  await page.settled();
  await check('filters apply to the sums', async () => assert.deepEqual(await page.column(types, 'Type'), ['gemm']));
  page.assertQuiet();
  await page.close();
});

test('the menu compares with a sample, and ends it', async () => {
  const page = await openPage();
  await (await page.behind('compare')).getByText('Compare with a sample').click();
  await (await page.behind('compare')).getByRole('button', { name: 'Compare with Transformer encoder' }).click();
  await page.settled();
  await check('it comes to the front', async () => assert.equal(await page.tab(), 'Compare'));
  await page.view.getByRole('group', { name: 'List by' }).getByRole('button', { name: 'Family' }).click();
  const other = await openPage(await page.link());
  await check('the link has the sums', async () =>
    assert.equal(await other.page.getByRole('grid', { name: 'Changes by type' }).count(), 1),
  );
  await other.close();
  await (await page.behind('compare')).getByRole('button', { name: 'End comparison' }).click();
  await page.settled();
  await check('ended', async () => assert.equal(await page.tabs.filter({ hasText: 'Compare' }).count(), 0));
  page.assertQuiet();
  await page.close();
});

test('undoing the end of a comparison selects the operation that was selected', async () => {
  const page = await openPage();
  await page.drop({
    'before.json': products([{}, {}, {}]),
    'after.json': products([{}, {}, { time_ns: 600000 }]),
  });
  const title = page.diagnosis.getByRole('heading', { level: 3 });
  await check('first the one that changed most', async () => assert.match(await title.innerText(), /layer2\.fc/));
  await (await page.behind('compare')).getByRole('button', { name: 'End comparison' }).click();
  await page.settled();
  await page.tableRow('layer1.fc').click();
  await page.committed();
  await page.button('Undo').click();
  await check('the comparison is back', async () => assert.equal(await page.tab(), 'Compare'));
  await check('with its selection', async () => assert.match(await title.innerText(), /layer2\.fc/));
  page.assertQuiet();
  await page.close();
});

test('the Speed column says faster or slower', async () => {
  const page = await openPage();
  const run = (one, two) =>
    JSON.stringify([
      { ...matmul, name: 'one', time_ns: one },
      { ...matmul, name: 'two', time_ns: two },
    ]);
  await page.drop({ 'before.json': run(1e5, 2e5), 'after.json': run(3e5, 1e5) });
  const operations = page.page.getByRole('grid', { name: 'Changes', exact: true });
  await check('faster or slower', async () =>
    assert.deepEqual((await page.column(operations, 'Speed')).sort(), ['2x faster', '3x slower']),
  );
  page.assertQuiet();
  await page.close();
});

const products = changes =>
  JSON.stringify(changes.map((change, i) => ({ ...matmul, name: `layer${i}.fc`, time_ns: 320000, ...change })));

test('an operation in another format is listed, even if it is as fast as before', async () => {
  const page = await openPage();
  await page.drop({
    'before.json': products([{}, {}, {}]),
    'after.json': products([{ data_type: 'INT8' }, {}, { time_ns: 600000 }]),
  });
  const table = page.page.getByRole('grid', { name: 'Changes', exact: true });
  await check('after the changes of time', async () => {
    assert.deepEqual(await page.column(table, 'Operation'), ['layer2.fc', 'layer0.fc']);
    assert.deepEqual(await page.column(table, 'Format'), ['FP16', 'FP16 → INT8']);
    assert.match(await page.text(page.view), /1 unchanged \(320 µs in all\)/);
    assert.match(await page.sentence(), /; 0 faster, 1 slower, 1 unchanged, 1 as fast in another format\.$/);
  });
  await page.view.getByRole('button', { name: 'show', exact: true }).click();
  await page.settled();
  await check('and once among all', async () =>
    assert.deepEqual((await page.column(table, 'Operation')).sort(), ['layer0.fc', 'layer1.fc', 'layer2.fc']),
  );
  page.assertQuiet();
  await page.close();
});

test('no limit is named on a machine that cannot have run it', async () => {
  const page = await openPage();
  await page.drop({
    'before.json': products([{ time_ns: 3000 }, { time_ns: 3000 }]),
    'after.json': products([{ time_ns: 3000 }, { time_ns: 6000 }]),
  });
  const table = page.page.getByRole('grid', { name: 'Changes', exact: true });
  await check('there is no such column', async () => {
    assert.equal(await page.rows(table).count(), 1);
    const heads = await page.head(table).allInnerTexts();
    assert.ok(!heads.includes('Limited by'), heads.join());
    assert.equal(await page.rows(table).first().getByRole('gridcell').count(), heads.length);
  });
  page.assertQuiet();
  await page.close();
});

test('a run is compared on two machines, without the what-if', async () => {
  const page = await openPage();
  await page.drop({ 'four.json': four });
  await page.page.getByRole('combobox', { name: 'Weights', exact: true }).selectOption('int4');
  await (await page.behind('compare')).getByRole('button', { name: 'Compare on two machines' }).click();
  await check('and the view says so', async () =>
    assert.match(await page.text(page.view), /The runs are compared without the what-if\./),
  );
  const end = page.view.getByRole('button', { name: 'End comparison' });
  await end.press('Enter');
  await check('the headline has the focus at its end', async () =>
    assert.ok(await page.finding.evaluate(heading => heading === document.activeElement)),
  );
  page.assertQuiet();
  await page.close();
});

test('at 1440 no text of the changes is cut', async () => {
  const file = new URL('../../../presets/samples/resnet-50-synthetic.json', import.meta.url);
  const run = JSON.parse(await readFile(file, 'utf8'));
  const slower = { ...run, ops: run.ops.map((op, i) => ({ ...op, time_ns: op.time_ns * [1, 1.05, 3][i % 3] })) };
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'before.json': JSON.stringify(run), 'after.json': JSON.stringify(slower) });
  const table = page.page.getByRole('grid', { name: 'Changes', exact: true });
  await check('both panels are open', async () =>
    assert.ok((await page.diagnosis.isVisible()) && (await page.inputs.isVisible())),
  );
  await check('a limit has changed', async () =>
    assert.ok((await page.column(table, 'Limited by')).includes('compute → neither')),
  );
  assert.deepEqual(
    await table
      .locator('tr > *')
      .evaluateAll(cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.innerText)),
    [],
  );
  await check('nor any column', async () =>
    assert.ok(
      await page.page
        .getByRole('region', { name: 'Changes', exact: true })
        .evaluate(box => box.scrollWidth <= box.clientWidth),
    ),
  );
  page.assertQuiet();
  await page.close();
});
