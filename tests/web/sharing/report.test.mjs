// Reports: the page as one file with the data and the view within it, by the page's own Export and by the command; and on paper.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { check, dist, openPage, root } from '../harness.mjs';
import { four } from '../inputs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'roofline-report-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const command = process.env.ROOFLINE ?? join(root, 'build/native/roofline');

/** A report's page, opened by a double click, as it were. */
const openReport = path => openPage(pathToFileURL(path).href);

test('the Export menu makes a report, and a report makes the next', async () => {
  const page = await openPage();
  await page.drop({ 'commands.json': four });
  await page.slide('DRAM', 700);
  await page.page.getByRole('searchbox').fill('o');
  await page.tableRow('proj').click();
  await page.settled();
  const seen = [await page.count(), await page.summary('Bound'), await page.selectedName()];
  const { name, path } = await page.download('Report (HTML)');
  assert.equal(name, 'commands.report.html');
  const first = join(folder, name);
  writeFileSync(first, readFileSync(path));
  page.assertQuiet();
  await page.close();

  const report = await openReport(first);
  const shown = async () => [await report.count(), await report.summary('Bound'), await report.selectedName()];
  await check('it opens as it was', async () => assert.deepEqual(await shown(), seen));
  await report.page.getByRole('searchbox').fill('');
  await report.settled();
  await check('and can be explored', async () => assert.equal(await report.count(), '4'));
  await report.link();
  await report.page.reload();
  await report.painted();
  await check('a reload has the data still', async () => assert.equal(await report.count(), '4'));
  await report.slide('DRAM', 300);
  const rate = await report.page.getByLabel('DRAM, GB/s').inputValue();
  const again = await report.download('Report (HTML)');
  const second = join(folder, 'second.html');
  writeFileSync(second, readFileSync(again.path));
  report.assertQuiet();
  await report.close();
  const next = await openReport(second);
  await check('a report of a report', async () =>
    assert.equal(await next.page.getByLabel('DRAM, GB/s').inputValue(), rate),
  );
  await check('with the data once', async () =>
    assert.equal(readFileSync(second, 'utf8').match(/"name":"commands\.json"/g).length, 1),
  );
  next.assertQuiet();
  await next.close();
});

test('a report of a sample has the registries', async () => {
  const page = await openPage();
  await page.drop({ 'op_registry.json': readFileSync(join(root, 'tests/data/op_registry.json')) });
  await page.told('source');
  await page.link();
  const count = await page.count();
  const { path } = await page.download('Report (HTML)');
  const copy = join(folder, 'sample.html');
  writeFileSync(copy, readFileSync(path));
  await page.close();
  const report = await openReport(copy);
  await check('it asks for no file', async () => assert.equal(await report.count(), count));
  await check('and reads it with them', async () =>
    assert.match(await report.told('source'), /with op_registry\.json/),
  );
  report.assertQuiet();
  await report.close();
});

test('a report by the command', { skip: !existsSync(command) && 'the command is not built' }, async () => {
  const input = join(folder, 'hostile.json');
  const ops = JSON.parse(four);
  ops[0].name = '</script><script>document.title = "run"</script>';
  writeFileSync(input, JSON.stringify(ops));
  const given = (input, ...args) => {
    const path = join(folder, `${args[0]}.html`);
    const page = ['-o', 'html', '--template', join(dist, 'roofline.html')];
    writeFileSync(path, execFileSync(command, [...args, ...page], { input, maxBuffer: 1 << 28 }));
    return path;
  };
  const made = (...args) => given('', ...args);
  const page = await openReport(made('analyze', input, '--machine', 't4', '--set', 'whatif.weight=int4'));
  await check('its operations', async () => assert.equal(await page.count(), '4'));
  await check('its machine', async () => assert.match(await page.link(), /#/));
  await check('a name is text', async () => {
    assert.ok((await page.tableNames()).some(name => name.includes('</script>')));
    assert.notEqual(await page.page.title(), 'run');
  });
  const state = Buffer.from((await page.link()).split('#')[1], 'base64url').toString();
  assert.equal(JSON.parse(state).settings.machine, 't4');
  page.assertQuiet();
  await page.close();

  const later = join(folder, 'later.json');
  ops[1].time_ns *= 2;
  writeFileSync(later, JSON.stringify(ops));
  const compared = await openReport(made('compare', input, later));
  await check('two runs', async () => assert.ok(await compared.rows(compared.view).first().isVisible()));
  compared.assertQuiet();
  await compared.close();
  const few = await openReport(made('analyze', input, '--top', '2', '--fuse', '0-1'));
  await check('every operation in the table', async () => assert.equal(await few.count(), '4'));
  await check('and the neighbours as one', async () =>
    assert.match(await few.page.locator('details.fusion').textContent(), /As one kernel the 2 operations/),
  );
  few.assertQuiet();
  await few.close();
  const model = await openReport(made('llm', 'llama-3-8b', '--batch', '8'));
  await check('a model', async () => assert.match(await model.text('main'), /Decode at batch 8/));
  model.assertQuiet();
  await model.close();

  const mine = join(folder, 'mine.json');
  writeFileSync(
    mine,
    JSON.stringify({
      id: 'mine',
      name: 'A machine of mine',
      peaks: { matrix: { fp16: 1e12, int8: 2e12 } },
      memories: [{ name: 'M', bandwidth: 1e11 }],
    }),
  );
  const piped = await openReport(given(four, 'analyze', '-'));
  await check('standard input', async () => assert.equal(await piped.count(), '4'));
  await piped.close();
  const gemm = ['op', 'gemm', 'n=4096', 'k=4096', '--formats', 'fp16,int8', '--machine', 'jetson-orin-nano'];
  const sweep = ['--sweep', 'batch=1..64', '--sweep', 'weights=fp16,int8'];
  for (const [view, args, says] of [
    ['Sweep', [...gemm, '--sweep', 'm=1..4096'], /INT8 wins all along, from m = 1 to 4,096/],
    ['Sweep', [...gemm, '--sweep', 'm=1..64:linear'], /INT8 wins all along, from m = 1 to 64/],
    ['Machines', [...gemm, 'm=1', '--machines', 't4,h100-sxm'], /H100 SXM/],
    ['Machines', [...gemm, 'm=1', '--machines', `t4,${mine}`], /A machine of mine[^]*T4/],
    [
      'Sweep',
      ['llm', 'llama-3-8b', '--machine', mine, '--sweep', 'batch=1..64:linear'],
      /^At batch 64: an estimated [\d.]+ tokens\/s\. Compute-bound from batch 11 up\./,
    ],
    ['Sweep', ['llm', 'llama-3-8b', '--machine', 'h100-sxm', ...sweep], /weight formats[^]*INT8/],
  ]) {
    const page = await openReport(made(...args));
    assert.match(await page.view.getAttribute('aria-label'), new RegExp(`^(\\w+: )?${view}(: [\\w-]+)? view$`));
    await check(view, async () => assert.match(await page.text('main'), says));
    if (view === 'Sweep')
      assert.equal(await page.page.getByLabel('log').first().isChecked(), !args.join(' ').includes(':linear'));
    page.assertQuiet();
    await page.close();
  }
});

test('a report in a frame of a notebook', { skip: !existsSync(command) && 'the command is not built' }, async () => {
  const input = join(folder, 'commands.json');
  writeFileSync(input, four);
  const report = execFileSync(command, ['analyze', input, '-o', 'html', '--template', join(dist, 'roofline.html')], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const escaped = report.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const notebook = join(folder, 'notebook.html');
  const sandbox = 'allow-scripts allow-downloads allow-popups';
  writeFileSync(
    notebook,
    `<!doctype html><meta charset="utf-8"><iframe srcdoc="${escaped}" sandbox="${sandbox}" width="1200" height="640"></iframe>`,
  );
  // Blocking service workers is a script of the test's own, which such a frame has no place for.
  const page = await openPage(pathToFileURL(notebook).href, { wait: false, serviceWorkers: 'allow' });
  const frame = page.page.frameLocator('iframe');
  await frame.locator('main[aria-busy="false"][data-revision]').waitFor();
  await check('its operations', async () =>
    assert.match(await frame.locator('.drawer .count').innerText(), /^4 operations/),
  );
  page.assertQuiet();
  await page.close();
});

test('on paper', async () => {
  const page = await openPage();
  await page.page.emulateMedia({ media: 'print' });
  await check('only what is to be read', async () => {
    assert.equal(await page.button('Share').isVisible(), false);
    assert.equal(await page.page.getByRole('complementary', { name: 'Change', exact: true }).isVisible(), false);
    assert.ok(await page.finding.isVisible());
    assert.ok(await page.operations.isVisible());
  });
  const pdf = await page.page.pdf({ format: 'A4' });
  assert.ok(pdf.length > 20_000);
  page.assertQuiet();
  await page.close();
});
