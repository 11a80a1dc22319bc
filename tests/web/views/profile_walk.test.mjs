// A profile from end to end: program level, operations, filters, the table as a file, and a second run, in the link as far as it can be.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';
import { many } from '../inputs.mjs';

const link = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;

/** A GPU's export: hardware counters, an average, two steps, an operation bound by each memory and one by compute. */
function gpu() {
  const columns = [
    'step:Step',
    'category:Category',
    'operation:Operation',
    'total_time:Total Time (us)',
    'total_self_time:Total self time (us)',
    'measured_flop_rate:Normalized FLOP Rate (GFLOP/s)',
    'hbm_bw:HBM BW (GiB/s)',
    'vmem_write_bw:SHM/L1 BW (GiB/s)',
    'hlo_module_id:Program ID',
  ].map(text => text.split(':'));
  const rows = [
    ['Total', 'Program', 'Program', 100, 0, 30000, 500, 900, '0'],
    ['Total (HW)', 'Program', 'Program', 100, 0, 28000, 510, 900, '0'],
    ['Average', 'Program', 'Program', 50, 0, 29000, 505, 900, '0'],
    ['0', 'Program', 'Program', 60, 0, 25000, 450, 900, '0'],
    ['1', 'Program', 'Program', 40, 0, 35000, 560, 900, '0'],
    ['Total', 'gemm', 'fusion.1', 60, 60, 80000, 100, 1000, '7'],
    ['Total', 'gemm', 'fusion.1', 10, 10, 40000, 1900, 1000, '8'],
    ['Total', 'softmax', 'softmax.2', 30, 30, 1000, 100, 4000, '7'],
  ];
  return JSON.stringify([
    {
      cols: columns.map(([id, label]) => ({ id, label })),
      rows: rows.map(row => ({ c: row.map(v => ({ v })) })),
      p: {
        device_type: 'NVIDIA GPU',
        peak_flop_rate: '100000',
        peak_hbm_bw: '2000',
        peak_vmem_write_bw: '5000',
      },
    },
    { cols: [], rows: [] },
  ]);
}

test('walk', async () => {
  const page = await openPage(link({ source: { sample: 'training-profile' } }));
  const { page: tab } = page;
  const rows = () => page.count();
  const canvas = (of, name) => of.chart.evaluate((element, key) => element.dataset[key], name);
  const header = async () => (await page.texts(page.head(page.operations))).map(text => text.replace(/ [▾▴]$/, ''));
  const column = title => page.column(page.operations, title);
  const sortBy = async title => {
    await page.operations.getByRole('button', { name: title }).first().click();
    await page.settled();
  };
  const csv = async item =>
    readFileSync((await page.download(item)).path, 'utf8')
      .trim()
      .split('\r\n');

  // Program level
  await (await page.behind('filter')).getByRole('button', { name: 'Program and steps' }).click();
  await page.settled();
  await check('the device is told', async () =>
    assert.ok(
      (await page.told('machine')).includes('Peak HBM bandwidth per TensorCore'),
      inspect(await page.told('machine')),
    ),
  );
  await check('each kind of row has its own marker', async () =>
    assert.deepEqual(await canvas(page, 'symbols'), 'circle diamond star'),
  );
  await check('and is in the legend', async () =>
    assert.deepEqual(
      (await page.texts(page.page.getByRole('list', { name: 'Series' }).getByRole('button'))).map(text => text.trim()),
      ['Total', 'Average', 'Steps (3)'],
    ),
  );
  await check("the statistics have the profiler's columns", async () =>
    assert.deepEqual((await header()).slice(0, 4), ['Step', 'Time per core', 'Achieved', 'Limited by']),
  );
  await check('a row per step', async () =>
    assert.deepEqual((await column('Step')).sort(), ['0', '1', '2', 'Average', 'Total']),
  );
  await tab.getByRole('list', { name: 'Series' }).getByRole('button', { name: 'Average' }).click();
  await page.settled();
  await check('a series can be hidden', async () =>
    assert.deepEqual([await rows(), await canvas(page, 'symbols')], ['4 of 5', 'circle star']),
  );
  await tab
    .getByRole('list', { name: 'Series' })
    .getByRole('button', { name: 'Steps' })
    .click({ modifiers: ['Shift'] });
  await page.settled();
  await check('or shown alone', async () =>
    assert.deepEqual([await rows(), await canvas(page, 'symbols')], ['3 of 5', 'circle']),
  );
  const statistics = await csv('Operations (CSV)');
  await check('the table as a file: its columns with units', async () =>
    assert.ok(statistics[0].startsWith('Step,Time per core (s),Achieved (FLOP/s),Limited by'), inspect(statistics[0])),
  );
  await check('and the rows it shows', async () => assert.deepEqual(statistics.length, 4));

  // Operations
  await tab.getByRole('button', { name: 'Show all' }).click();
  await (await page.behind('filter')).getByRole('button', { name: 'Operations', exact: true }).click();
  await sortBy('Self time');
  const cumulative = (await column('Cumulative (%)')).map(text => Number.parseFloat(text));
  await check('ranked by self time', async () =>
    assert.deepEqual((await column('Rank')).slice(0, 5), ['1', '2', '3', '4', '5']),
  );
  await check('with shares that add up', async () =>
    assert.ok(
      cumulative.every((value, i) => i === 0 || value >= cumulative[i - 1]),
      inspect(cumulative),
    ),
  );
  for (const title of ['Category', 'Program', 'Source', 'Limited by']) {
    await sortBy(title);
    const words = (await column(title)).filter(word => word !== '–');
    const blocks = words.filter((word, i) => word !== words[i - 1]);
    await check(`sorted by ${title.toLowerCase()}`, async () => assert.deepEqual(blocks.length, new Set(words).size));
  }
  await tab.getByRole('searchbox').fill('fusion.10');
  await page.settled();
  const same = (await column('Operation'))
    .map((name, i) => [name.replace(/ ×.*/, ''), i])
    .filter(([name]) => name === 'fusion.10');
  const programs = await column('Program');
  await check('two programs keep operations of one name apart', async () =>
    assert.deepEqual(new Set(same.map(([, i]) => programs[i])).size, 2),
  );
  await tab.getByRole('searchbox').fill('');
  await page.settled();

  // Every view follows every filter.
  await (await page.behind('filter'))
    .getByRole('list', { name: 'Statuses' })
    .getByRole('button')
    .first()
    .click({ modifiers: ['Shift'] });
  await page.settled();
  const [some] = (await rows()).split(' of ');
  await page.show('Timeline: By category');
  await page.rows(page.view).first().waitFor();
  await page.settled();
  const counted = (await page.column(page.view.getByRole('table').first(), 'Ops')).reduce(
    (sum, text) => sum + Number(text.replace(',', '')),
    0,
  );
  await check('time by category follows the status', async () =>
    assert.ok(Number(some) < 84 && counted === Number(some), inspect(`${counted} for ${some}`)),
  );
  await page.show('Summary');
  await tab.getByRole('button', { name: 'Show all' }).click();
  await page.settled();

  // Compare: the run itself on another machine, in the link.
  const changes = tab.getByRole('grid', { name: 'Changes' });
  const compareWith = async item => {
    const menu = await page.behind('compare');
    if (item.startsWith('Compare with ResNet')) await menu.getByText('Compare with a sample').click();
    await menu.getByRole('button', { name: item }).click();
    await page.tabs.filter({ hasText: 'Compare' }).waitFor();
    await page.settled();
  };
  await compareWith('Compare on two machines');
  await page.show('Compare');
  await page.view.getByRole('button', { name: 'show' }).click();
  await page.rows(page.view).first().waitFor();
  await check('all operations are matched', async () =>
    assert.match(await page.text(changes.getByRole('rowheader').last()), /^All operations$/),
  );
  const machine = tab.getByRole('combobox', {
    name: 'Machine of the run before',
  });
  await machine.click();
  await machine.fill('tpu7x');
  await machine.press('Enter');
  await check('the run before is judged by its own machine', async () => {
    const efficiencies = (await page.column(changes, 'Efficiency')).map(text => text.split(' → '));
    assert.ok(
      efficiencies.some(([a, b]) => b && a !== b),
      inspect(efficiencies.slice(0, 4)),
    );
  });
  await changes.getByRole('button', { name: /^Operation/ }).click();
  await page.settled();
  const names = await page.column(changes, 'Operation');
  await check('changes sort by name', async () => assert.deepEqual(names, [...names].sort()));
  const file = await csv('Changes (CSV)');
  await check('and are a file', async () =>
    assert.ok(file[0].startsWith('name,type,change,a,b,time_a_s') && file.length > 80, inspect(file.length)),
  );
  const other = await openPage(await page.link(), { wait: false });
  await other.rows(other.view).first().waitFor();
  await other.settled();
  await check('the link holds the comparison', async () =>
    assert.match(await other.text(other.view), /Before:\s+training-profile/),
  );
  await check('its machine', async () =>
    assert.deepEqual(
      await other.page.getByRole('combobox', { name: 'Machine of the run before' }).inputValue(),
      await machine.inputValue(),
    ),
  );
  await check('and its order', async () =>
    assert.deepEqual(
      (await other.column(other.page.getByRole('grid', { name: 'Changes' }), 'Operation')).slice(0, 5),
      names.slice(0, 5),
    ),
  );
  other.assertQuiet();
  await other.close();
  await page.show('Summary');
  await tab.waitForFunction(() => Number(document.querySelector('.chart canvas')?.dataset.arrows) > 0).catch(() => {});
  await check('arrows on the chart', async () =>
    assert.ok(Number(await canvas(page, 'arrows')) > 50, inspect(await canvas(page, 'arrows'))),
  );

  // A sample after a private file: the link cannot hold the file, and says so.
  await page.openFrom('End');
  await page.drop({ 'private.json': JSON.stringify(many(300)) });
  await check('the legend chooses how many are points', async () =>
    assert.ok(Number(await canvas(page, 'markers')) > 30, inspect(await canvas(page, 'markers'))),
  );
  await tab.getByRole('combobox', { name: 'Points on the chart' }).selectOption('10');
  await page.settled();
  await check('ten points, the rest as density', async () =>
    assert.ok(
      Number(await canvas(page, 'markers')) <= 10 &&
        (await page.region('Legend')).includes('of 300; the rest as density'),
      inspect(await page.region('Legend')),
    ),
  );
  await tab.getByRole('combobox', { name: 'Unit of rates' }).selectOption('G');
  await page.button('Columns').click();
  await tab.getByLabel('Achieved', { exact: true }).click();
  await tab.keyboard.press('Escape');
  await page.settled();
  await check('rates in one unit', async () =>
    assert.ok(
      (await column('Achieved')).every(text => / G(FL)?OP\/s$/.test(text)),
      inspect((await column('Achieved')).slice(0, 3)),
    ),
  );
  await compareWith('Compare with ResNet-50');
  const reloaded = await openPage(await page.link());
  await check('a comparison with a file asks for it elsewhere', async () =>
    assert.match(await reloaded.page.getByRole('main').innerText(), /not in the link\s+private\.json/),
  );
  await reloaded.close();
  await page.openFrom('End');

  // A GPU
  await page.drop({ 'gpu.json': gpu() });
  await page.behind('filter');
  await check('bound by its shared memory too', async () =>
    assert.deepEqual(await page.texts('ul[aria-label="Bound by"] button .ellipsis'), ['compute', 'HBM', 'Shm/L1']),
  );
  await (await page.behind('filter')).getByRole('button', { name: 'Program and steps' }).click();
  await page.settled();
  await check('hardware counters are a series of their own', async () =>
    assert.deepEqual(
      (await page.texts(page.page.getByRole('list', { name: 'Series' }).getByRole('button'))).map(text => text.trim()),
      ['Total', 'Total (hardware counters)', 'Average', 'Steps (2)'],
    ),
  );
  await check('and so is its device', async () =>
    assert.ok(/Peak Shm\/L1 bandwidth per GPU/.test(await page.told('machine')), inspect(await page.told('machine'))),
  );
  await check('with its marker', async () => assert.deepEqual(await canvas(page, 'symbols'), 'circle diamond star x'));
  page.assertQuiet();
  await page.close();
});
