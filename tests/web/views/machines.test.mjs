// Machines of one's own: edit, use, save, export, import, share.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';
import { four } from '../inputs.mjs';

const clpeak = `<clpeak clpeak_version="2"><run device="Some GPU"><category name="x">
  <test name="half_precision_compute" unit="gflops"><metric name="half">5000</metric></test>
  <test name="global_memory_bandwidth" unit="gbps"><metric name="float">200</metric></test></category></run></clpeak>`;
const sum = "  21.84 GFLOPs\n\n 2830.16 Weight\n\n  349.39 L1\n   34.88 DRAM\n\nMETA_DATA\nHOSTNAME  ('box', [], [])\n";
const ert = JSON.stringify({
  empirical: {
    gbytes: {
      data: [
        ['L1', 1723.23],
        ['DRAM', 83],
      ],
    },
    gflops: { data: [['GFLOPs', 355.79]] },
  },
});

test('machines', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': four });
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  const edit = async () => (await page.behind('machine')).getByRole('button', { name: 'Edit machine…' }).click();
  const field = name => page.page.getByRole('dialog').getByLabel(name, { exact: true });
  const press = name => page.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const closed = () => page.page.waitForFunction(() => !document.querySelector('dialog[open]'));

  const before = await page.summary('Bound');
  await edit();
  await check('one rate for every format is one row', async () =>
    assert.deepEqual(await field('Format of peak 1').inputValue(), 'every'),
  );
  const rate = field('GB/s of memory 1');
  await rate.fill('-3');
  await check('a figure out of range is refused at its field, in words, with the range', async () => {
    assert.equal(await rate.getAttribute('aria-invalid'), 'true');
    const note = page.page.locator(`[id="${await rate.getAttribute('aria-describedby')}"]`);
    assert.equal(await note.innerText(), 'Enter a number from 0.000001 to 1,000,000,000 GB/s, or leave it empty');
  });
  await rate.blur();
  assert.equal(await rate.inputValue(), '-3', 'it stays until it is corrected');
  await press('Use without saving');
  await check('the machine is not used with it: the field has the focus again', async () => {
    assert.ok(await rate.evaluate(input => input === document.activeElement));
    assert.equal(await rate.getAttribute('aria-invalid'), 'true');
  });
  await check('saving is the primary action', async () =>
    assert.equal(await page.text('dialog .actions .primary'), 'Save and use'),
  );
  await check('the buttons are in view', async () => {
    const { y, height } = await page.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Use without saving' })
      .boundingBox();
    assert.ok(y + height <= page.page.viewportSize().height);
  });
  await rate.fill('');
  await rate.pressSequentially('abc');
  await check('letters are not taken', async () => assert.equal(await rate.inputValue(), ''));
  await press('Use without saving'); // nothing of them is in the way
  await check('the message names what is missing as the form does', async () =>
    assert.equal(
      await page.alert(),
      'Memory 1, the device memory, has no bandwidth: enter GB/s, or both read and write.',
    ),
  );
  await check('and nothing has changed', async () => assert.deepEqual(await page.summary('Bound'), before));

  await field('Name').fill('My board');
  await field('GB/s of memory 1').fill('100');
  await press('Add a memory');
  await field('Name of memory 2').fill('SRAM');
  await field('GB/s of memory 2').fill('1000');
  await press('Add a format');
  await field('Format of peak 3').selectOption('int4');
  await page.page.getByRole('dialog').getByRole('button', { name: 'Remove peak 3' }).click();
  await field('Achievable bandwidth, %').fill('80');
  await field('Launch time, µs').fill('5');
  await field('Power (TDP), W').fill('15');
  await field('Name').fill('');
  await press('Use without saving');
  await check('so is a name', async () => assert.equal(await page.alert(), 'Give the machine a name.'));
  await field('Name').fill('My board');
  await field('Price, US dollars').fill('249');
  await field('Number of matrix units (SMs, CUs, cores)').fill('8');
  await press('Save and use');
  await closed();
  await page.settled();
  await check('the machine is used', async () => assert.deepEqual(await machine.inputValue(), 'My board'));
  await check('and the bound follows', async () =>
    assert.ok((await page.summary('Bound')) !== before, inspect(await page.summary('Bound'))),
  );
  const bound = await page.summary('Bound');

  const figures = async () => {
    await (await page.behind('machine')).getByRole('button', { name: 'Sources of the figures' }).click();
    const rows = await page.texts('dialog .figures tbody tr');
    await page.page.keyboard.press('Escape');
    return rows.map(text => text.replace(/\s+/g, ' '));
  };
  const listed = await figures();
  await check('power, price and units are among its figures', async () =>
    assert.ok(
      [/^Power 15 W typed/, /^Price \$249 typed/, /^Matrix units 8 typed/, /^Achievable bandwidth 80/].every(wanted =>
        listed.some(row => wanted.test(row)),
      ),
      inspect(listed),
    ),
  );
  const guest = await openPage(await page.link());
  await guest.drop({ 'commands.json': four });
  await check('the link carries it to another browser', async () =>
    assert.deepEqual(await guest.page.getByRole('combobox', { name: 'Machine', exact: true }).inputValue(), 'My board'),
  );
  await guest.close();

  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('another machine', async () => assert.deepEqual(await page.summary('Bound'), before));
  await page.page.reload();
  await page.painted();
  await page.drop({ 'commands.json': four });
  await machine.click();
  await machine.fill('my board');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check('it is kept, and chosen by search', async () =>
    assert.deepEqual([await machine.inputValue(), await page.summary('Bound')], ['My board', bound]),
  );

  // Another machine in force, one's own in the what-if: saved machines are offered there too, and the link carries them whole.
  await machine.click();
  await machine.fill('npu 32');
  await page.page.keyboard.press('Enter');
  await page.settled();
  const whatif = page.page.getByRole('combobox', { name: 'What-if machine', exact: true });
  await whatif.click();
  await whatif.fill('my board');
  await page.page.keyboard.press('Enter');
  await page.settled();
  await check("a machine of one's own is a what-if", async () =>
    assert.deepEqual(await whatif.inputValue(), 'My board'),
  );
  const gain = await page.summary('What-if');
  await check('and it counts', async () => assert.ok(/[\d]x/.test(gain), inspect(gain)));
  const other = await openPage(await page.link());
  await other.drop({ 'commands.json': four });
  await check('in the link, too', async () =>
    assert.deepEqual(
      [
        await other.page.getByRole('combobox', { name: 'What-if machine', exact: true }).inputValue(),
        await other.summary('What-if'),
      ],
      ['My board', gain],
    ),
  );
  await other.close();
  await page.page.getByRole('button', { name: 'Clear', exact: true }).click();
  await machine.click();
  await machine.fill('my board');
  await page.page.keyboard.press('Enter');
  await page.settled();

  await edit();
  await check('price and power are kept', async () =>
    assert.deepEqual(
      [await field('Price, US dollars').inputValue(), await field('Power (TDP), W').inputValue()],
      ['249', '15'],
    ),
  );
  await check('and edited again', async () =>
    assert.deepEqual(
      [await field('Name of memory 2').inputValue(), await field('Launch time, µs').inputValue()],
      ['SRAM', '5'],
    ),
  );
  const [download] = await Promise.all([page.page.waitForEvent('download'), press('Export')]);
  const file = readFileSync(await download.path(), 'utf8');
  await check('exported', async () =>
    assert.deepEqual(
      [
        download.suggestedFilename(),
        JSON.parse(file).memories[0].bandwidth.value,
        JSON.parse(file).memories[0].bandwidth.basis,
      ],
      ['my-board.json', 100e9, 'typed'],
    ),
  );
  await field('Import a machine').setInputFiles({ name: 'gpu.xml', mimeType: 'text/xml', buffer: Buffer.from(clpeak) });
  await page.page.waitForFunction(() => document.querySelector('dialog input')?.value.startsWith('Some GPU'));
  await check('imported from clpeak', async () =>
    assert.deepEqual(await field('GB/s of memory 1').inputValue(), '200'),
  );
  await field('Import a machine').setInputFiles({
    name: 'x.json',
    mimeType: 'text/json',
    buffer: Buffer.from('{"a": 1'),
  });
  await page.page.getByRole('alert').waitFor();
  await check('a wrong file is refused by name', async () =>
    assert.ok((await page.alert()).includes('x.json'), inspect(await page.alert())),
  );
  await page.page.keyboard.press('Escape');
  await edit();
  await press('Delete from my machines');
  await closed();
  await machine.click();
  await machine.fill('mine');
  await check('deleted', async () =>
    assert.ok(
      !(await page.texts(page.page.getByRole('option'))).some(text => text.includes('My board')),
      inspect(await page.texts(page.page.getByRole('option'))),
    ),
  );
  await page.page.keyboard.press('Escape');

  const dropRanOn = async files => {
    await page.drop(files);
    const ranOnIt = page.button('It ran on this machine'); // absent where the run contradicts the machine in force
    if (await ranOnIt.count()) await ranOnIt.click();
    await page.settled();
  };
  await dropRanOn({ sum });
  await check('an ERT sum dropped on the page is its machine', async () =>
    assert.deepEqual(await machine.inputValue(), 'box, measured by ERT'),
  );
  await dropRanOn({ 'roofline.json': ert });
  await check('an ERT file dropped on the page is its machine', async () =>
    assert.deepEqual(await machine.inputValue(), 'Machine, measured by ERT'),
  );
  await dropRanOn({ 'my.json': file });
  await check('and so is an exported one', async () => assert.deepEqual(await machine.inputValue(), 'My board'));
  await page.drop({ 'bad.json': file.replace('"memories"', '"memory"') });
  await check('a wrong machine is refused, the old one stays', async () =>
    assert.ok(
      (await page.text(page.notices)).includes('memory: unknown key') && (await machine.inputValue()) === 'My board',
      inspect(await page.text(page.notices)),
    ),
  );
  page.assertQuiet();
  await page.close();
});

test('the usual machine is found first, and its peak has a format', async () => {
  const page = await openPage();
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.fill('h100');
  const first = page.page.getByRole('option').first();
  await check('of its family that with the highest peak', async () =>
    assert.match(await first.innerText(), /^NVIDIA H100 SXM\s+FP16 989 TFLOP\/s/),
  );
  await machine.press('Enter');
  await check('Enter takes it', async () => assert.equal(await machine.inputValue(), 'NVIDIA H100 SXM'));

  await page.page.locator('.machine-menu > button').click();
  await page.button('Edit machine…').click();
  const dialog = page.page.getByRole('dialog', { name: 'Edit machine' });
  const shown = () =>
    dialog
      .getByLabel(/^TFLOP\/s of peak/)
      .filter({ visible: true })
      .count();
  await check('the common peaks', async () => assert.equal(await shown(), 5));
  await dialog.getByText('7 more peaks').click();
  await check('and the rest on request', async () => assert.equal(await shown(), 12));
  await page.close();
});

test('an unchanged copy of a machine gives the same figures', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.drop({ 'products.csv': 'name,M,N,K,dtype\nhalf,4096,4096,4096,fp16\nbrain,4096,4096,4096,bf16\n' });
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.fill('mi300x');
  await machine.press('Enter');
  await page.settled();
  const estimates = async () => {
    const { ops } = JSON.parse(await readFile((await page.download('JSON')).path, 'utf8'));
    return ops.map(({ typical_time_s }) => typical_time_s);
  };
  const before = await estimates();
  assert.ok(before[0] !== before[1], 'its kernels reach other fractions of its peaks by format');
  await machine.fill('Our box');
  await page.page.getByRole('option', { name: '+ my machine' }).click();
  await page.page.getByRole('button', { name: 'Use without saving', exact: true }).click();
  await page.settled();
  await check('the copy is used', async () => assert.equal(await machine.inputValue(), 'Our box'));
  await check('its kernels take as long', async () => assert.deepEqual(await estimates(), before));
  await page.close();
});

test('a new machine replaces none of the same name', async () => {
  const page = await openPage();
  const dialog = page.page.getByRole('dialog');
  await page.show('Machines');
  for (const power of ['10', '20']) {
    await page.button('+ my machine').click();
    await check('one that is not saved yet cannot be deleted', async () =>
      assert.equal(await dialog.getByRole('button', { name: 'Delete from my machines' }).count(), 0),
    );
    await dialog.getByLabel('Power (TDP), W', { exact: true }).fill(power);
    await dialog.getByRole('button', { name: 'Save and use' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.settled();
  }
  await page.page.getByRole('combobox', { name: 'Machine', exact: true }).fill('My machine');
  await check('both are kept', async () =>
    assert.equal(await page.page.getByRole('option', { name: 'My machine (mine)' }).count(), 2),
  );
  page.assertQuiet();
  await page.close();
});

test('the list of machines', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.openFrom('Size an operator'); // has no times, which exceed the roof of some
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  await machine.click();
  const options = page.page.getByRole('option');
  const rates = (await options.allInnerTexts()).map(text => {
    const [, value, prefix] = /([\d.]+) ([GTP])(?:FL)?OP\/s/.exec(text) ?? [];
    return Number(value) * { G: 1e9, T: 1e12, P: 1e15 }[prefix];
  });
  await check('begins with the fastest', async () =>
    assert.equal(rates[0], Math.max(...rates.filter(Number.isFinite))),
  );
  const groups = await page.page.locator('.combobox li.group').allInnerTexts();
  await check('has every vendor once, those without one last', async () => {
    assert.equal(new Set(groups).size, groups.length);
    assert.equal(groups.at(-1), 'Others');
  });
  const active = () => page.page.locator('[role=option][aria-selected=true]').allInnerTexts();
  const coloured = () =>
    options.evaluateAll(
      all => all.filter(option => getComputedStyle(option).backgroundColor !== 'rgba(0, 0, 0, 0)').length,
    );
  const third = (await options.nth(2).innerText()).trim();
  await options.nth(2).hover();
  await check('the mouse moves the one active row', async () => {
    assert.deepEqual([(await active()).map(text => text.trim()), await coloured()], [[third], 1]);
  });
  await machine.press('ArrowDown');
  await check('from where the arrow keys go on', async () => {
    assert.equal(await options.nth(3).getAttribute('aria-selected'), 'true');
    assert.equal(await coloured(), 1);
  });
  await check('shows more than half a screen of rows', async () =>
    assert.ok((await page.page.getByRole('listbox').boundingBox()).height > 450),
  );
  await page.page.setViewportSize({ width: 390, height: 844 });
  await page.page.keyboard.press('Escape');
  await machine.click();
  await check('a narrow window has all of it', async () => {
    const { x, width } = await page.page.getByRole('listbox').boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${x} + ${width}`);
  });
  page.assertQuiet();
  await page.close();
});

test('the columns that the headline speaks of are in view', async () => {
  const model = { built: 'model', request: { model: 'llama-3-8b', phase: 'decode', batch: 8 } };
  const link = `#${Buffer.from(JSON.stringify({ source: model })).toString('base64url')}`;
  for (const [address, column] of [
    ['', 'Per million runs'],
    [link, 'Per million tokens'],
  ])
    for (const width of [1440, 768]) {
      const page = await openPage(address, { viewport: { width, height: 900 } });
      await page.show('Machines: Speed');
      const table = page.page.getByRole('region', { name: 'Machines side by side' });
      const [head, box] = [table.getByRole('columnheader', { name: column }), await table.boundingBox()];
      await check('inside', async () => {
        const { x, width: wide } = await head.boundingBox();
        assert.ok(x + wide <= box.x + box.width, `${column} at ${width}`);
      });
      await check('how long a price is spread is said', async () =>
        assert.match(await page.page.locator('.machines-view').innerText(), /Prices are spread over 4 years of use\./),
      );
      await page.close();
    }
});

test('machines are listed by what their estimates rest on, or sorted by a column', async () => {
  const model = { built: 'model', request: { model: 'llama-3-8b', phase: 'decode', batch: 8 } };
  const page = await openPage(`#${Buffer.from(JSON.stringify({ source: model })).toString('base64url')}`);
  await page.show('Machines: Speed');
  const table = page.page.getByRole('region', { name: 'Machines side by side' });
  const groups = table.getByRole('columnheader', { name: /known|barely|not supported/i });
  await check('each group has a head', async () =>
    assert.deepEqual(
      (await groups.allInnerTexts()).map(text => text.split(':')[0]),
      [
        'Published benchmarks known',
        'No published benchmark known',
        'Memory size not known',
        'Does not fit, or its formats are not supported',
      ],
    ),
  );
  const rows = async () =>
    (await page.texts(table.getByRole('row'))).map(text => text.split('\t').map(cell => cell.trim()));
  const first = await rows();
  await check('the headline names the first of those with a benchmark', async () => {
    const [name] = first[first.findIndex(([cell]) => cell === 'Published benchmarks known') + 1];
    assert.ok((await page.headline()).startsWith(`${name} is the fastest that fits`), name);
  });
  await check('what does not fit says on how many', async () => {
    const rest = first.slice(first.findIndex(([cell]) => cell.startsWith('Does not fit')) + 1);
    const names = rest.map(([name]) => name);
    for (const name of names)
      assert.match(name, /\n(does not fit( on \d+ machines)?|formats unsupported|context too long)$/);
    for (const text of ['does not fit', 'formats unsupported'])
      assert.ok(
        names.some(name => name.endsWith(text)),
        text,
      );
    assert.ok(rest.every(row => row[2] === '–'));
  });

  const head = table.getByRole('columnheader', { name: /^Tokens\/s per machine/ });
  const rates = async () => (await rows()).slice(1).map(row => Number(row[1].replace(/[^\d.]/g, '') || Number.NaN));
  await head.getByRole('button').click();
  await check('a click on a head ranks all of them, those without a figure last', async () => {
    assert.equal(await head.getAttribute('aria-sort'), 'descending');
    assert.equal(await groups.count(), 0);
    const shown = await rates();
    const known = shown.filter(rate => !Number.isNaN(rate));
    assert.ok(known.length > 50 && known.length < shown.length);
    assert.deepEqual(
      shown.slice(0, known.length),
      known.toSorted((a, b) => b - a),
    );
  });
  await check('what the marks mean is still said', async () =>
    assert.ok(await page.view.getByText('No published benchmark known').isVisible()),
  );
  await head.getByRole('button').click();
  await check('another turns them round', async () => {
    assert.equal(await head.getAttribute('aria-sort'), 'ascending');
    const known = (await rates()).filter(rate => !Number.isNaN(rate));
    assert.deepEqual(
      known,
      known.toSorted((a, b) => a - b),
    );
  });
  const other = await openPage(await page.link());
  await check('the link keeps the order', async () =>
    assert.equal(
      await other.page.getByRole('columnheader', { name: /^Tokens\/s per machine/ }).getAttribute('aria-sort'),
      'ascending',
    ),
  );
  await other.close();
  await head.getByRole('button').click();
  await check('a third shows the groups again', async () => assert.deepEqual(await rows(), first));

  await table.evaluate(box => box.scrollTo(0, 600));
  await check('heads stay in view', async () => {
    const [box, { y }] = [await table.boundingBox(), await head.boundingBox()];
    assert.ok(Math.abs(y - box.y) < 8, `${y} ${box.y}`);
  });
  const large = {
    source: { built: 'model', request: { model: 'llama-3.1-70b', phase: 'decode', weights: 'fp16', prompt: 1 } },
    settings: { machine: 'a100-80gb-sxm' },
  };
  const many = await openPage(`#${Buffer.from(JSON.stringify(large)).toString('base64url')}`);
  assert.ok(await many.totals.isVisible());
  await many.show('Machines: Speed');
  await check('the totals of one machine, which does not hold it, are not over rows of several', async () =>
    assert.equal(await many.totals.count(), 0),
  );
  await check('one token is not "tokens"', async () =>
    assert.ok(await many.view.getByText('One prompt of 1 token alone.').isVisible()),
  );
  await check('of several that can work together, that not even these hold it', async () =>
    assert.ok((await many.view.getByRole('rowheader', { name: /does not fit on \d+ machines$/ }).count()) > 0),
  );
  await many.close();
  const run = await openPage();
  await run.show('Machines: Speed');
  await check('a run has a group without launch overhead, too', async () =>
    assert.ok(await run.view.getByRole('columnheader', { name: /^≥: launch overhead is not known/ }).isVisible()),
  );
  await run.close();
  page.assertQuiet();
  await page.close();
});

test('a phone shows the columns Fits on and Speed and the head of the table', async () => {
  const model = { built: 'model', request: { model: 'llama-3.1-70b', batch: 16, context: 8192 } };
  const link = `#${Buffer.from(JSON.stringify({ source: model })).toString('base64url')}`;
  const page = await openPage(link, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.show('Machines: Speed');
  const table = page.page.getByRole('region', { name: 'Machines side by side' });
  const fits = table.getByRole('columnheader', { name: 'Fits on' });
  const bar = table.getByRole('columnheader', { name: 'Speed', exact: true });
  await check('Fits on and Speed need no scrolling', async () => {
    for (const { x, width } of [await fits.boundingBox(), await bar.boundingBox()])
      assert.ok(x + width <= 390, `${x} + ${width}`);
  });
  await check('and Fits on is as narrow as its numbers', async () => {
    const { width } = await fits.boundingBox();
    assert.ok(width < 60, `${width}`);
  });
  await check('so that the bound is beside them', async () => {
    const { x, width } = await table.getByRole('columnheader', { name: 'Bound per machine' }).boundingBox();
    assert.ok(x + width <= 390, `${x} + ${width}`);
  });
  await check('the key of the bars is above them', async () => {
    const [key, box] = [await page.view.getByText(/^Bar: estimate/).boundingBox(), await table.boundingBox()];
    assert.ok(key.y + key.height <= box.y, `${key.y} + ${key.height} above ${box.y}`);
  });
  const last = table.getByRole('row').last();
  await last.scrollIntoViewIfNeeded();
  await check('the head is above the last row', async () => {
    const [head, row] = [await fits.boundingBox(), await last.boundingBox()];
    const visible = await fits.evaluate(cell => {
      const { x, y, width, height } = cell.getBoundingClientRect();
      return cell.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    assert.ok(visible && head.y < row.y, `${head.y} above ${row.y}`);
  });
  await check('with the name of its first column', async () =>
    assert.ok(
      await table.getByRole('columnheader', { name: 'Machine', exact: true }).evaluate(cell => {
        const { x, y, width, height } = cell.getBoundingClientRect();
        return cell.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }),
    ),
  );
  page.assertQuiet();
  await page.close();
});

test('machines on which the model barely fits are a group of their own', async () => {
  const request = { model: 'llama-3.1-70b', phase: 'decode', batch: 16, context: 8192 };
  const source = { built: 'model', request };
  const page = await openPage(`#${Buffer.from(JSON.stringify({ source })).toString('base64url')}`);
  await page.show('Machines: Speed');
  const table = page.page.getByRole('region', { name: 'Machines side by side' });
  await table.getByRole('columnheader', { name: /^Barely fits/ }).waitFor();
  const rows = (await page.texts(table.getByRole('row'))).map(text => text.split('\t').map(cell => cell.trim()));
  const heads = rows.flatMap(([cell], i) => (/^(Barely fits|Memory size)/.test(cell) ? [i] : []));
  await check('all of them', async () => {
    const names = rows.slice(heads[0] + 1, heads[1]).map(([name]) => name);
    assert.ok(names.length > 0);
    for (const name of names) assert.match(name, /\nunder 10% free$/);
  });
  page.assertQuiet();
  await page.close();
});

test('the table of machines is exported, with units and plain numbers', async () => {
  const request = { model: 'llama-3.1-70b', phase: 'decode', batch: 16, context: 8192 };
  const state = { source: { built: 'model', request }, settings: { machine: 'h100-sxm' }, view: { tab: 'machines' } };
  const page = await openPage(`#${Buffer.from(JSON.stringify(state)).toString('base64url')}`);
  const table = page.page.getByRole('region', { name: 'Machines side by side' });
  const { name, path } = await page.download('Machines (CSV)');
  assert.equal(name, 'llama-3.1-70b.machines.csv');
  const [head, first, ...rest] = readFileSync(path, 'utf8').trim().split('\r\n');
  assert.match(
    head,
    /^Group,Machine,Tokens\/s per machine,Fits on,Bound per machine \(tokens\/s\),.*Time per token \(s\)/,
  );
  await check('a line for each row', async () =>
    assert.equal(1 + rest.length, await table.locator('tbody tr:not(.group)').count()),
  );
  const [, machine, rate, fits, ...others] = first.split(',');
  const [shown] = await page.column(table, 'Tokens/s per machine');
  assert.deepEqual([machine, Math.round(Number(rate)), fits], ['NVIDIA H100 SXM', Number(shown), '4']);
  for (const figure of others) assert.ok(Number.isFinite(Number(figure)), figure);
  assert.ok(rest.some(line => /does not fit on 8/.test(line)));
  await page.button('Export').click();
  await check('the operations are a separate item', async () =>
    assert.ok(await page.button(/^Operations \(CSV\)/).isVisible()),
  );
  await page.page.keyboard.press('Escape');
  await page.show('Summary: Roofline');
  await page.button('Export').click();
  await check('and a view without a table offers only these', async () => {
    assert.ok(await page.button(/^Operations \(CSV\)/).isVisible());
    assert.equal(await page.button(/^Summary \(CSV\)/).count(), 0);
  });
  page.assertQuiet();
  await page.close();
});
