// Exports are valid and say the same as the page; settings survive the round trip.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage } from '../harness.mjs';
import { four } from '../inputs.mjs';

test('exports', async () => {
  const page = await openPage();
  const made = JSON.parse(await readFile((await page.download('JSON')).path, 'utf8'));
  await check('JSON of a made-up sample says so', async () => assert.equal(made.source, 'resnet-50-synthetic.json'));
  const drawn = await readFile((await page.picture('SVG')).path, 'utf8');
  await check('so does its picture', async () => assert.match(drawn, /ResNet-50, INT8, batch 8 \(synthetic\)/));
  await page.drop({ 'commands.json': four });

  const json = await page.download('JSON');
  const document = JSON.parse(await readFile(json.path, 'utf8'));
  await check('JSON: schema', async () => assert.deepEqual(document.schema, 'roofline-analysis/1'));
  await check('JSON: every op in source order', async () =>
    assert.deepEqual(
      document.ops.map(({ name }) => name),
      ['conv1', 'scale', 'proj', 'swap'],
    ),
  );
  await check('JSON: file name', async () => assert.deepEqual(json.name, 'commands.roofline.json'));
  const csv = await readFile((await page.download('CSV')).path, 'utf8');
  await check('CSV: a header and a row per op', async () => assert.deepEqual(csv.trim().split('\n').length, 5));
  const png = await readFile((await page.picture('PNG')).path);
  await check('PNG: its magic', async () => assert.deepEqual(png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a'));
  await check('PNG: twice the size', async () => assert.deepEqual(png.readUInt32BE(16), 2000));
  const svg = async () => {
    const text = await readFile((await page.picture('SVG')).path, 'utf8');
    return page.page.evaluate(source => {
      const root = new DOMParser().parseFromString(source, 'image/svg+xml').documentElement;
      const texts = name => [...root.querySelectorAll(name)].map(element => element.textContent);
      return { root: root.nodeName, size: root.getAttribute('viewBox'), texts: texts('text'), titles: texts('title') };
    }, text);
  };
  const roofline = await svg();
  assert.equal(roofline.root, 'svg');
  assert.equal(roofline.size, '0 0 1000 700');
  assert.ok(
    roofline.texts.some(text => text.startsWith('Intensity')) && roofline.texts.some(text => /^Peak /.test(text)),
    inspect(roofline.texts),
  );
  assert.deepEqual(
    [...new Set(roofline.titles.map(title => title.split(':')[0]))].sort(),
    ['conv1', 'proj', 'scale', 'swap'],
    'points carry their names',
  );
  await page.show('Heat map');
  await check('the heat map is drawn', async () =>
    assert.equal(await page.page.getByRole('img', { name: /^Heat map/ }).getAttribute('data-rows'), '4'),
  );
  const rows = await svg();
  assert.ok(
    ['commands.json · Heat map', 'conv1', 'Efficiency'].every(text => rows.texts.includes(text)),
    `the view that is shown is exported: ${inspect(rows.texts)}`,
  );
  await page.show('Summary');

  await page.slide('DRAM', 650);
  await page.behind('machine');
  await page.slide('Near-roof threshold', 80);
  const whatif = await page.summary('What-if');
  const bandwidth = await page.page.getByLabel('DRAM, GB/s').inputValue();
  const config = await readFile((await page.download('roofline_config.json')).path, 'utf8');
  await check("settings: the original tool's keys and ours", async () =>
    assert.deepEqual(
      ['mem_thresh', 'comp_thresh', 'bound_thresh', 'ops_per_mac'].filter(key => !(key in JSON.parse(config))),
      [],
    ),
  );
  const other = await openPage();
  await other.drop({ 'commands.json': four });
  await check('a fresh page differs', async () => assert.doesNotMatch(await other.totals.innerText(), /What-if/));
  await other.drop({ 'roofline_config.json': config });
  await check('the settings file restores', async () =>
    assert.deepEqual(
      [
        await other.summary('What-if'),
        await other.page.getByLabel('DRAM, GB/s').inputValue(),
        await (await other.behind('machine')).getByLabel('Near-roof threshold, %').inputValue(),
      ],
      [whatif, bandwidth, '80'],
    ),
  );
  await check('no complaints of the browser', async () =>
    assert.deepEqual([...page.complaints, ...other.complaints], []),
  );
  await other.close();
  await page.close();
});

test('the legend of a picture is that of the screen', async () => {
  const page = await openPage('', { viewport: { width: 1440, height: 900 } });
  await page.inputs.getByRole('combobox', { name: 'All operands' }).selectOption({ label: 'INT4' });
  await page.settled();
  const legend = page.legend.getByRole('list', { name: 'Colours' }).getByRole('listitem');
  const shown = (await legend.allInnerTexts()).map(text => text.trim());
  assert.ok(shown.includes('with the changes'));
  const picture = await readFile((await page.picture('SVG')).path, 'utf8');
  for (const text of shown) assert.ok(picture.includes(`>${text}<`), text);
  await page.close();
});

test('names on the chart', async () => {
  const page = await openPage();
  for (const sample of [/Training profile/, /Orin Nano/, /Transformer encoder/]) {
    await page.openFrom(sample);
    const text = await readFile((await page.picture('SVG')).path, 'utf8');
    const names = await page.page.evaluate(source => {
      const holder = document.createElement('div');
      holder.innerHTML = source;
      document.body.append(holder);
      const upright = [...holder.querySelectorAll('text')].filter(text => !text.getAttribute('transform'));
      const places = upright.map(text => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return { text: text.textContent, left, right, top, bottom };
      });
      holder.remove();
      return places;
    }, text);
    const over = names.flatMap((a, i) =>
      names
        .slice(i + 1)
        .filter(b => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
        .map(b => `${a.text} and ${b.text}`),
    );
    assert.ok(names.length > 10);
    assert.deepEqual(over, [], 'none lies on another');
    const ridges = names.filter(({ text }) => text.startsWith('ridge')).map(({ text }) => text);
    assert.equal(new Set(ridges).size, ridges.length, 'a point where roofs meet has one name');
    const dashed = /stroke-dasharray="5[ ,]4"/.test(text);
    assert.equal(text.includes('>typical '), dashed, `${sample}: dashed roofs have a name`);
  }
  page.assertQuiet();
  await page.close();
});
