// Kernel tables: filters by the input's own columns, the views over them, and two runs compared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';

const kernels = `name,arithmeticIntensity,tflops,batch,dtype,model
A,2.5,100,32,f32,modelX
B,1.8,80,64,f16,modelY
C,3.2,120,32,f32,modelX
D,2.1,90,64,f16,modelY
E,2.8,110,32,f32,modelZ
F,1.5,70,64,f16,modelX
G,3.5,130,32,f32,modelY
H,2.3,95,64,f16,modelZ
`;

const table = (rows, times) =>
  `name,M,N,K,dtype,time_us\n${rows.map((name, i) => `${name},512,512,${sizeOf(name)},f16,${times[i]}`).join('\n')}\n`;
const sizeOf = name => (name === 'new' ? 256 : 512); // else what vanished and what appeared would be the same, renamed

test('kernels', async () => {
  const page = await openPage();
  await page.drop({ 'kernels.csv': kernels });
  const names = async () =>
    (await page.texts('tbody tr[data-op] td:first-child'))
      .map(name => name.trim())
      .sort()
      .join('');
  const only = async (column, word) => {
    await (await page.behind('filter'))
      .getByRole('list', { name: column })
      .getByRole('button', { name: new RegExp(`^${word}`) })
      .click({ modifiers: ['Shift'] });
    await page.settled();
  };
  await check('a CSV opens', async () => assert.deepEqual(await names(), 'ABCDEFGH'));
  await check('rows above their roof are told', async () =>
    assert.ok(/exceed its roof by over 25%/.test(await page.headline()), inspect(await page.headline())),
  );
  await only('batch', '32');
  await check('batch 32', async () => assert.deepEqual(await names(), 'ACEG'));
  await only('model', 'modelX');
  await check('batch 32 and model X', async () => assert.deepEqual(await names(), 'AC'));
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await only('batch', '32');
  await only('dtype', 'f16');
  await check('nothing left', async () => assert.deepEqual(await names(), ''));
  await check('and that is said', async () =>
    assert.ok(
      /No operations match/.test(await page.text(page.page.getByRole('region', { name: 'Table', exact: true }))),
    ),
  );
  await page.show('Heat map');
  await check('the heat map says so too', async () =>
    assert.ok(/No operations match/.test(await page.text(page.view)), inspect(await page.text(page.view))),
  );
  await page.show('Distribution');
  await check('and the distribution', async () =>
    assert.ok(/No operations match/.test(await page.text(page.view)), inspect(await page.text(page.view))),
  );
  await page.show('Heat map');
  const again = await openPage(new URL(await page.link()).hash);
  await check('a link to it asks for the file', async () =>
    assert.match(await again.page.locator('body').innerText(), /kernels\.csv/),
  );
  again.assertQuiet();
  await again.close();
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();

  const canvas = page.view.getByRole('img');
  await canvas.waitFor();
  await check('a row per kernel', async () => assert.deepEqual(await canvas.getAttribute('data-rows'), '8'));
  const box = await canvas.boundingBox();
  await page.page.mouse.move(box.x + box.width - 260, box.y + 24 + 30);
  await check('exact values on hover', async () =>
    assert.ok(/FLOP|%/.test(await page.text(page.tooltip)), inspect(await page.text(page.tooltip))),
  );
  await page.page.mouse.move(box.x + 250, box.y + 24 + 30);
  await check('every digit of them', async () =>
    assert.ok(/Intensity: \d\.\d FLOP\/B/.test(await page.text(page.tooltip)), inspect(await page.text(page.tooltip))),
  );
  await page.page.mouse.click(box.x + 100, box.y + 24 + 50);
  await page.settled();
  await check('a click selects the kernel everywhere', async () =>
    assert.ok((await page.operations.getByRole('row', { selected: true }).count()) === 1),
  );
  await page.page.getByRole('combobox', { name: 'Rows', exact: true }).selectOption('dtype');
  await page.page.getByRole('combobox', { name: 'Columns', exact: true }).selectOption('model');
  await page.settled();
  await check('two columns against each other', async () =>
    assert.deepEqual(await canvas.getAttribute('data-rows'), '2'),
  );
  const grid = await canvas.boundingBox();
  await page.page.mouse.move(grid.x + 260, grid.y + 24 + 10);
  await check('a cell is the mean rate of its kernels', async () =>
    assert.ok(/110 TFLOP\/s/.test(await page.text(page.tooltip)), inspect(await page.text(page.tooltip))),
  );

  await page.show('Small multiples');
  await check('bars per kernel', async () => assert.deepEqual(await canvas.getAttribute('data-rows'), '8'));
  await page.show('Distribution');
  await page.page.getByRole('group', { name: 'Metric' }).getByRole('button', { name: 'Intensity' }).click();
  await check('a distribution with its median', async () =>
    assert.ok(
      /median 2\.3 .*Logarithmic scale\./.test(await page.text(page.view)),
      inspect(await page.text(page.view)),
    ),
  );

  const many = `name,M,N,K,dtype,time_us\n${Array.from({ length: 10_000 }, (_, i) => `a_kernel_with_a_long_name_that_differs_at_its_end_${i},512,512,${64 + (i % 97)},f16,${10 + (i % 31)}`).join('\n')}\n`;
  await page.drop({ 'many.csv': many });
  await page.show('Heat map');
  await check('10,000 kernels in the heat map', async () =>
    assert.deepEqual(await canvas.getAttribute('data-rows'), '10000'),
  );
  await page.view
    .getByRole('region', { name: 'Heat map' })
    .evaluate(element => (element.scrollTop = element.scrollHeight));
  await check('only what is visible is drawn', async () =>
    assert.ok((await canvas.evaluate(element => element.height)) < 2000),
  );

  await page.drop({ 'before.csv': table(['one', 'two', 'gone'], [20, 60, 4]) });
  await page.show('Summary');
  await page.settled();
  await check('no comparison yet', async () =>
    assert.deepEqual(await page.tabs.filter({ hasText: 'Compare' }).count(), 0),
  );
  await page.page.getByLabel('Compare with another run').setInputFiles({
    name: 'after.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(table(['two', 'one', 'new'], [20, 25, 2])),
  });
  await page.rows(page.view).first().waitFor(); // it comes to the front
  await page.show('Summary');
  await page.settled();
  await check('an arrow per operation in both runs', async () =>
    assert.deepEqual(await page.chart.getAttribute('data-arrows'), '2'),
  );
  await page.show('Compare');
  await page.rows(page.view).first().waitFor();
  await check('sorted by the size of the change', async () =>
    assert.deepEqual(await page.column(page.page.getByRole('grid', { name: 'Changes' }), 'Operation'), [
      'two',
      'one',
      'gone',
      'new',
    ]),
  );
  await check('the total is said', async () =>
    assert.match(await page.sentence(), /37 µs saved \(44%\)\. two alone saved 40 µs; 1 faster, 1 slower/),
  );
  await page.rows(page.view).first().click();
  await page.settled();
  await check('a row selects', async () => assert.deepEqual(await page.selectedName(), 'two'));
  await filteredComparison(page);
  await page.page.getByRole('button', { name: 'End comparison' }).click();
  await page.settled();
  await check('ended', async () => assert.deepEqual(await page.tabs.filter({ hasText: 'Compare' }).count(), 0));

  await page.drop({ 'lacks.csv': 'name,batch\na,1\n' });
  await check('a table that cannot be placed says what it lacks', async () =>
    assert.ok(/no column gives FLOPs/.test(await page.alert()), inspect(await page.texts(page.notices))),
  );
  await check('and what was open stays', async () => assert.deepEqual(await page.count(), '2'));
  page.assertQuiet();
  await page.close();
});

/** Filters apply to both runs; what vanished is listed, totals are given of what matches and of all, and the file has what the table has. */
async function filteredComparison(page) {
  const typed = rows =>
    `name,type,M,N,K,dtype,time_us\n${rows.map(([name, type, time]) => `${name},${type},512,512,${sizeOf(name)},f16,${time}`).join('\n')}\n`;
  const after = text =>
    page.page
      .getByLabel('Compare with another run')
      .setInputFiles({ name: 'later.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.page.getByRole('button', { name: 'End comparison' }).click();
  await page.drop({
    'earlier.csv': typed([
      ['both', 'gemm', 10],
      ['old', 'batch_matmul', 5],
      ['gone', 'gemm', 3],
    ]),
  });
  await page.settled();
  const type = page.operations.getByRole('gridcell', { name: 'batch_matmul' });
  const viewport = page.page.viewportSize();
  await page.page.setViewportSize({ ...viewport, width: 1440 });
  await check('a long type is whole where there is room', async () =>
    assert.ok(
      await page.page
        .waitForFunction(cell => cell.scrollWidth <= cell.clientWidth, await type.elementHandle())
        .then(
          () => true,
          () => false,
        ),
      inspect(await type.evaluate(cell => [cell.scrollWidth, cell.clientWidth])),
    ),
  );
  await page.page.setViewportSize(viewport);
  await after(
    typed([
      ['both', 'gemm', 6],
      ['new', 'gemm', 1],
    ]),
  );
  await page.sourceName.filter({ hasText: 'later.csv' }).waitFor();
  await page.settled();
  await page.show('Compare');
  const changes = page.page.getByRole('grid', { name: 'Changes' });
  const names = () => page.column(changes, 'Operation');
  const until = wanted => check(`${wanted} are there`, async () => assert.deepEqual(await names(), wanted));
  const totals = changes.getByRole('rowgroup').last().getByRole('row');
  const foot = async () => (await page.texts(totals)).map(text => text.split(/\s*\t\s*/));
  await until(['old', 'both', 'gone', 'new']);
  await check('types are whole', async () =>
    assert.deepEqual(
      await (await page.cells(changes, 'Type')).evaluateAll(cells =>
        cells.map(cell => [cell.innerText, cell.scrollWidth <= cell.clientWidth]),
      ),
      ['batch_matmul', 'gemm', 'gemm', 'gemm'].map(type => [type, true]),
    ),
  );
  await check('without filters: one line of totals', async () =>
    assert.deepEqual(
      (await foot()).map(([name]) => name),
      ['All operations, 1 appeared, 2 vanished'],
    ),
  );
  const types = (await page.behind('filter')).getByRole('list', { name: 'Types' });
  await check('the types of both runs can be chosen', async () =>
    assert.deepEqual(
      (await types.getByRole('button').allInnerTexts()).map(text => text.replace(/\s+/g, ' ').trim()),
      ['gemm 2', 'batch_matmul 0'],
    ),
  );
  await types.getByRole('button', { name: /^gemm/ }).click({ modifiers: ['Shift'] });
  await until(['both', 'gone', 'new']);
  await check('what vanished matches by its own type', async () =>
    assert.deepEqual(await names(), ['both', 'gone', 'new']),
  );
  const header = await page.text(page.view);
  await check('the finding is of what matches', async () =>
    assert.match(
      await page.sentence(),
      /6 µs saved \(46%\); operations in both runs saved 4 µs\. both alone saved 4 µs; 1 faster/,
    ),
  );
  await check('and of all beside it', async () =>
    assert.ok(
      /Only operations that match the filters, 3 of 4\. All operations: 11 µs saved \(61%\)/.test(header),
      inspect(header.slice(0, 400)),
    ),
  );
  await check('totals of both', async () =>
    assert.deepEqual(
      (await foot()).map(([name]) => name),
      ['Matching the filters, 1 appeared, 1 vanished', 'All operations, 1 appeared, 2 vanished'],
    ),
  );
  const byName = page.view.getByRole('grid').getByRole('button', { name: /^Operation/ });
  await byName.click();
  await until(['both', 'gone', 'new']);
  await byName.click();
  await until(['new', 'gone', 'both']);
  await check('sorted the other way', async () => assert.deepEqual(await names(), ['new', 'gone', 'both']));
  const [download] = await Promise.all([
    page.page.waitForEvent('download'),
    page.view.getByRole('button', { name: 'CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
    .map(line => line.split(','));
  await check('the file has what is listed, in that order', async () =>
    assert.deepEqual(
      lines.map(([name, , change]) => `${name} ${change}`),
      ['name change', 'new appeared', 'gone vanished', 'both matched'],
    ),
  );
  await page.behind('filter');
  await types.getByRole('button', { name: /^batch_matmul/ }).click({ modifiers: ['Shift'] });
  await until(['old']);
  await check('a type that only the earlier run has', async () => assert.deepEqual(await names(), ['old']));
  await page.page.getByRole('searchbox').fill('nothing has this');
  await page.page
    .getByText('No operation of either run')
    .waitFor()
    .catch(() => {});
  await check('nothing left is said', async () =>
    assert.ok(
      /No operation of either run matches/.test(await page.text(page.view)),
      inspect(await page.text(page.view)),
    ),
  );
  const [all, matching] = await totals.evaluateAll(rows => rows.map(row => row.getBoundingClientRect().top).reverse());
  await check('the two lines of totals do not cover each other', async () =>
    assert.ok(all - matching > 10, inspect([matching, all])),
  );
  await page.page.getByRole('button', { name: 'Show all' }).click();
  await page.settled();
}
