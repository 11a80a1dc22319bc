// Exports are valid and say the same as the page; settings survive the round trip.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { check, openPage, root } from '../harness.mjs';
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
    assert.equal(text.includes('>achievable '), dashed, `${sample}: dashed roofs have a name`);
  }
  page.assertQuiet();
  await page.close();
});

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

/** What Export copies. */
async function copied(page) {
  await page.button('Export').click();
  await page.page.getByRole('button', { name: /^Copy as command/ }).click();
  await page.page.getByText(/^Copied: /).waitFor();
  return page.page.evaluate(() => navigator.clipboard.readText());
}

test('the command has the source, the settings and the filters, and prints the same headline', async () => {
  const page = await openPage('', clipboard);
  const sampleFile = (await copied(page)).match(/^roofline analyze (\S+\.json)$/)?.[1];
  await check("a sample's command names the file that Export saves", async () => {
    const hint = await page.notices.getByText(/^Copied: /).innerText();
    assert.ok(hint.endsWith(`Save ${sampleFile} first, under Export.`), hint);
    await page.button('Export').click();
    const saved = page.page.waitForEvent('download');
    await page.page.getByRole('button', { name: /^Sample/ }).click();
    assert.equal((await saved).suggestedFilename(), sampleFile);
    assert.ok(JSON.parse(await readFile(await (await saved).path(), 'utf8')));
  });
  await page.drop({ 'my ops.json': four });
  assert.equal(await copied(page), "roofline analyze 'my ops.json'");
  const notice = page.notices.getByText(/^Copied: /);
  await check('it needs no other file', async () => assert.doesNotMatch(await notice.innerText(), /Save/));
  await page.page.getByLabel('DRAM, GB/s', { exact: true }).fill('100');
  await page.settled();
  await check('a machine is in a file, which is to be saved first', async () => {
    assert.equal(await copied(page), "roofline analyze 'my ops.json' --config roofline_config.json");
    assert.match(await notice.innerText(), /Save roofline_config\.json first, under Export\.$/);
  });

  const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
  const settings = { machine: 'h100-sxm', whatif: { weight: 'int4', batch_scale: 4 }, overhead: { launch_us: 5 } };
  const source = { file: 'commands.json', text: four };
  await page.page.goto(page.page.url().split('#')[0] + hash({ source, settings, view: { search: 'conv1' } }));
  await page.settled();
  const command = await copied(page);
  assert.equal(
    command,
    'roofline analyze commands.json --machine h100-sxm --set whatif.weight=int4 --set whatif.batch_scale=4 ' +
      '--set overhead.launch_us=5 --name conv1',
  );

  await page.page.keyboard.press('Control+k');
  await page.page.keyboard.type('command');
  await page.page.getByRole('option', { name: /Copy as command/ }).waitFor();
  await page.page.keyboard.press('Escape');
  const headline = await page.headline();
  await page.close();

  const native = process.env.ROOFLINE ?? join(root, 'build/native/roofline');
  if (!existsSync(native)) return;
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  writeFileSync(join(folder, 'commands.json'), four);
  const printed = execFileSync('sh', ['-c', `"$0"${command.slice('roofline'.length)}`, native], {
    cwd: folder,
    encoding: 'utf8',
  });
  const figures = headline.match(/\d[\d.,]*(?:x|%| [µmn]?s)/g);
  assert.ok(figures.length > 1, headline);
  for (const figure of figures) assert.ok(printed.includes(figure), `${figure} of "${headline}" in\n${printed}`);
});

test('a command has the registries, and says which file to save', async () => {
  const source = { file: 'commands.json', text: four };
  const page = await openPage(`#${Buffer.from(JSON.stringify({ source })).toString('base64url')}`, clipboard);
  assert.equal(await copied(page), 'roofline analyze commands.json');
  await check('that of a link', async () =>
    assert.match(await page.text(page.notices), /Save commands\.json first, under Export\./),
  );
  const input = await page.download('Input');
  assert.deepEqual([input.name, await readFile(input.path, 'utf8')], ['commands.json', four]);
  const own = [{ type: 'ID_MINE', name: 'own', data_type: 'FP16', input_mat1: [64, 64], time_ns: 1000 }];
  const registry = await readFile(join(root, 'tests/data/op_registry.json'));
  await page.drop({ 'ops.json': JSON.stringify(own), 'op_registry.json': registry });
  assert.equal(await copied(page), 'roofline analyze ops.json --registry op_registry.json');
  page.assertQuiet();
  await page.close();
});

test('a command names the filters that it has not', async () => {
  const source = { file: 'commands.json', text: four };
  const view = { statuses: ['memory-bound'], grouped: true };
  const page = await openPage(`#${Buffer.from(JSON.stringify({ source, view })).toString('base64url')}`, clipboard);
  assert.equal(await copied(page), 'roofline analyze commands.json');
  await check('statuses and groups', async () =>
    assert.match(
      await page.text(page.notices),
      /The command cannot filter by status: it includes every operation\. It does not group identical operations\./,
    ),
  );
  await page.close();
});

test('a page without a clipboard, as over http, says so and shows the command', async () => {
  const init = () => Object.defineProperty(navigator, 'clipboard', { value: undefined });
  const page = await openPage('', { init });
  await page.button('Share').click();
  await page.button('Copy').click();
  await page.button('The browser blocked copying').waitFor();
  await page.page.keyboard.press('Escape');
  await page.button('Export').click();
  await page.page.getByRole('button', { name: /^Copy as command/ }).click();
  await check('the command', async () =>
    assert.match(await page.text(page.notices), /blocked copying\. The command to copy: roofline analyze /),
  );
  page.assertQuiet();
  await page.close();
});

test('the command of an operator and of a language model', async () => {
  const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
  const operator = { type: 'gemm', parameters: { m: 1, n: 4096, k: 4096 }, formats: ['fp16', 'int4:fp16'] };
  const page = await openPage(hash({ source: { built: 'operator', request: operator } }), clipboard);
  assert.equal(await copied(page), 'roofline op gemm m=1 n=4096 k=4096 --formats fp16,int4:fp16');
  await page.close();

  const request = { model: 'llama-3-8b', phase: 'prefill', batch: 2, prompt: 512, last_token: false };
  const settings = { machine: 'h100-sxm' };
  const model = await openPage(hash({ source: { built: 'model', request }, settings }), clipboard);
  assert.equal(
    await copied(model),
    'roofline llm llama-3-8b --phase prefill --batch 2 --prompt 512 --all-logits --machine h100-sxm',
  );
  await model.close();
});
