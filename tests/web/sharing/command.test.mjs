// The copied command gives the figures on the page, or says what it cannot say.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, openPage, root } from '../harness.mjs';
import { four } from '../inputs.mjs';

const hash = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

/** What Export copies. */
async function copied(page) {
  await page.page.evaluate(() => navigator.clipboard.writeText(''));
  await page.button('Export').click();
  await page.page.getByRole('button', { name: /^Copy as command/ }).click();
  return page.page.evaluate(async () => {
    let command = '';
    while (command === '') {
      await new Promise(requestAnimationFrame);
      command = await navigator.clipboard.readText();
    }
    return command;
  });
}

/** What the notice says beyond the command. */
const hints = async (page, command) =>
  (await page.notices.getByText(`Copied: ${command}`).innerText())
    .replace(`Copied: ${command}`, '')
    .replace(/^\. /, '');

const native = process.env.ROOFLINE ?? join(root, 'build/native/roofline');

/** What a copied command prints in a folder with these files; null: it is not built. */
function run(command, files = {}, more = '') {
  if (!existsSync(native)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const line = `"$0"${command.slice('roofline'.length)} ${more}`;
  return execFileSync('sh', ['-c', line, native], { cwd: folder, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

/** A file that Export saves, as text. */
const saved = async (page, item) => readFile((await page.download(item)).path, 'utf8');

/** Whether the command prints the operations and totals that the page exports. */
async function printsThePage(page, command, files) {
  const printed = run(command, files, '-o json');
  if (printed === null) return;
  const [shown, own] = [JSON.parse(await saved(page, 'JSON')), JSON.parse(printed)];
  assert.deepEqual(own.ops, shown.ops);
  assert.deepEqual(own.summary, shown.summary);
  assert.deepEqual(own.comparison, shown.comparison);
}

test('the command has the source, the settings and the filters, and prints the same headline', async () => {
  const page = await openPage('', clipboard);
  const sampleFile = (await copied(page)).match(/^roofline analyze (\S+\.json)$/)?.[1];
  await check("a sample's command names the file that Export saves", async () => {
    const hint = await page.notices.getByText(/^Copied: /).innerText();
    assert.ok(hint.endsWith(`Save ${sampleFile} (Export > Sample) first.`), hint);
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
    assert.match(await notice.innerText(), /Save roofline_config\.json \(in the Export menu\) first\.$/);
  });

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

  const printed = run(command, { 'commands.json': four });
  if (printed === null) return;
  const figures = headline.match(/\d[\d.,]*(?:x|%| [µmn]?s)/g);
  assert.ok(figures.length > 1, headline);
  for (const figure of figures) assert.ok(printed.includes(figure), `${figure} of "${headline}" in\n${printed}`);
});

test('a command has the registries, and says which file to save', async () => {
  const source = { file: 'commands.json', text: four };
  const page = await openPage(hash({ source }), clipboard);
  assert.equal(await copied(page), 'roofline analyze commands.json');
  await check('that of a link', async () =>
    assert.match(await page.text(page.notices), /Save commands\.json \(Export > Input\) first\./),
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
  const page = await openPage(hash({ source, view }), clipboard);
  assert.equal(await copied(page), 'roofline analyze commands.json');
  await check('statuses and groups', async () =>
    assert.match(
      await page.text(page.notices),
      /The command cannot filter by status: it includes more operations\. It does not group identical operations\./,
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

  // A round of speculative decoding yields several tokens; the tiles are of one.
  const speculate = { gamma: 4, acceptance: 0.8, draft: 'llama-3.2-1b' };
  const decode = { model: 'llama-3.1-70b', phase: 'decode', batch: 2, context: 3000, tp: 4, speculate };
  const guessing = await openPage(hash({ source: { built: 'model', request: decode }, settings }), clipboard);
  const printed = run(await copied(guessing), {}, '-o json');
  if (printed !== null) {
    const { summary } = JSON.parse(printed);
    const shown = await Promise.all(['Per token', 'Bound'].map(name => guessing.summary(name)));
    assert.deepEqual(
      shown.map(text => Number.parseFloat(text)),
      [summary.typical_tpot_s, summary.tpot_s].map(s => Number((s * 1e3).toPrecision(3))),
    );
  }
  await guessing.close();
});

test('an operator: lists of shapes, lists of one number, and the format that speed-ups refer to', async () => {
  const open = async (request, view) => {
    const page = await openPage(hash({ source: { built: 'operator', request }, view }), clipboard);
    const command = await copied(page);
    await printsThePage(page, command);
    page.assertQuiet();
    await page.close();
    return command;
  };
  const inputs = [
    [32, 128, 64],
    [32, 64, 128],
  ];
  const einsum = { type: 'einsum', parameters: { equation: 'bij,bjk->bik', inputs }, formats: ['fp16', 'int8'] };
  assert.equal(
    await open(einsum, { baseline: 'int8' }),
    "roofline op einsum 'equation=bij,bjk->bik' 'inputs=[[32,128,64],[32,64,128]]' --formats fp16,int8 --baseline int8",
  );
  const conv = { input_shape: [1, 64, 56, 56], output_channels: 64, kernel_size: 3, padding: 1 };
  assert.equal(
    await open({ type: 'conv', parameters: conv, formats: ['fp16'] }),
    'roofline op conv input_shape=1,64,56,56 output_channels=64 kernel_size=3 padding=1 --formats fp16',
  );
  const norm = { input_shape: [2048, 4096], normalized_shape: [4096] };
  assert.equal(
    await open({ type: 'layer_norm', parameters: norm, formats: ['fp16'] }),
    "roofline op layer_norm input_shape=2048,4096 'normalized_shape=[4096]' --formats fp16",
  );
});

const config = {
  model_type: 'llama',
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 128,
  vocab_size: 1000,
  max_position_embeddings: 512,
};

test('a language model: its config.json, its benchmark, and its host', async () => {
  const measured = [{ name: 'point', oi: 10, tflops: 0.5 }];
  const request = { model: { _name_or_path: 'tiny', ...config }, phase: 'decode', batch: 2, prompt: 64, measured };
  const offload = { host: 'epyc-9654', gpuLayers: 1 };
  const state = { source: { built: 'model', request }, settings: { machine: 'rtx-4090' }, view: { offload } };
  const page = await openPage(hash(state), clipboard);
  const command = await copied(page);
  assert.equal(
    command,
    'roofline llm config.json --phase decode --batch 2 --prompt 64 --measured benchmark.json --host epyc-9654 ' +
      '--gpu-layers 1 --machine rtx-4090',
  );
  assert.equal(
    await hints(page, command),
    'Save config.json (Export > Model) and benchmark.json (Export > Benchmark) first.',
  );
  const files = { 'config.json': await saved(page, 'Model'), 'benchmark.json': await saved(page, 'Benchmark') };
  assert.deepEqual([JSON.parse(files['config.json']), JSON.parse(files['benchmark.json'])], [request.model, measured]);
  const printed = run(command, files, '-o json');
  if (printed !== null) {
    const [{ ops, summary }, shown] = [JSON.parse(printed), JSON.parse(await saved(page, 'JSON'))];
    assert.deepEqual(ops, shown.ops);
    assert.equal(summary.predicted_time_s, shown.summary.predicted_time_s);
    assert.deepEqual([summary.offload, summary.finding], [shown.summary.offload, shown.summary.finding]);
    const decode = await page.inputs.getByRole('group', { name: 'Host' }).innerText();
    const rate = Math.round(2 / summary.offload.typical_tpot_s).toLocaleString('en-US');
    assert.ok(decode.includes(`${rate} tokens/s`), `${rate} in ${decode}`);
  }
  page.assertQuiet();
  await page.close();

  const filtered = { ...state, view: { offload: { ...offload, expertsOnHost: true }, search: 'mlp' } };
  const dense = await openPage(hash(filtered), clipboard);
  const own = await copied(dense);
  assert.doesNotMatch(own, /experts/, 'the model has none');
  assert.match(await hints(dense, own), /The command has no filters: it includes every operation\.$/);
  await dense.close();
  const shared = { ...request, model: 'llama-3-8b', tp: 2, measured: undefined };
  const two = await openPage(hash({ ...state, source: { built: 'model', request: shared } }), clipboard);
  assert.doesNotMatch(await copied(two), /--host/, 'the command shares one machine only, as the page says');
  await two.close();
});

test('the model of a GGUF file', async () => {
  const page = await openPage('', clipboard);
  await page.drop({ 'llama.gguf': readFileSync(join(root, 'tests/data/llama.gguf')) });
  const command = await copied(page);
  assert.match(command, /^roofline llm config\.json /);
  await printsThePage(page, command, { 'config.json': await saved(page, 'Model') });
  await page.close();
});

test('a language model with an own machine as its host', async () => {
  const host = {
    id: 'mine',
    name: 'Mine',
    peaks: { vector: { fp32: 1e12 } },
    memories: [{ name: 'DRAM', bandwidth: 1e11 }],
  };
  const source = { built: 'model', request: { model: 'llama-3-8b', batch: 1 } };
  const page = await openPage(
    hash({ source, settings: { machine: 'rtx-4090' }, view: { offload: { host } } }),
    clipboard,
  );
  const command = await copied(page);
  assert.equal(command, 'roofline llm llama-3-8b --batch 1 --host host.json --machine rtx-4090');
  assert.equal(await hints(page, command), 'Save host.json (Export > Host) first.');
  const printed = run(command, { 'host.json': await saved(page, 'Host') });
  if (printed !== null) assert.match(printed, /the others on Mine/);
  await page.close();
});

/** A decode step of a model of two layers, replayed from a graph. */
function stepTrace(annotation) {
  const layer = 'rms_norm gemm rotary reshape_and_cache flash_fwd gemm rms_norm gemm silu gemm'.split(' ');
  const kernels = ['gather', ...layer, ...layer, 'rms_norm', 'gemm', 'argmax'];
  const events = [
    { cat: 'user_annotation', name: annotation, ts: 0, dur: 9, tid: 1 },
    { cat: 'cuda_runtime', name: 'g', ts: 1, dur: 1, tid: 1, args: { correlation: 5 } },
    ...kernels.map((name, i) => ({ cat: 'kernel', name, ts: 100 + 20 * i, dur: 10 + i, args: { correlation: 5 } })),
  ];
  return JSON.stringify({ deviceProperties: [], traceEvents: events });
}

test('a trace with the model that ran', async () => {
  const text = stepTrace('execute_context_0(0)_generation_2(2)');
  const as = { model: { model: { _name_or_path: 'tiny', ...config }, context: 24 } };
  const settings = { machine: 'h100-sxm' };
  const page = await openPage(hash({ source: { file: 'step.json', text, as }, settings }), clipboard);
  const command = await copied(page);
  assert.equal(command, 'roofline analyze step.json --model config.json --context 24 --machine h100-sxm');
  assert.equal(await hints(page, command), 'Save step.json (Export > Input) and config.json (Export > Model) first.');
  await printsThePage(page, command, { 'step.json': text, 'config.json': await saved(page, 'Model') });
  page.assertQuiet();
  await page.close();
});

test('files that are read together', async () => {
  const page = await openPage('', clipboard);
  const data = name => readFileSync(join(root, 'tests/data', name));
  const files = {
    'engine.profile.json': data('tensorrt_profile.json'),
    'engine.graph.json': data('tensorrt_layers.json'),
  };
  await page.drop(files);
  const command = await copied(page);
  assert.match(command, /^roofline analyze engine\.(profile|graph)\.json engine\.(profile|graph)\.json/);
  await printsThePage(page, command, files);
  await page.close();
});

const faster = JSON.stringify(JSON.parse(four).map(op => ({ ...op, time_ns: op.time_ns / 2 })));
const runs = { 'before.json': four, 'after.json': faster };

/** Whether the command prints the changes that the page exports. */
async function printsTheChanges(page, command, files = runs) {
  const printed = run(command, files, '-o csv');
  if (printed !== null) assert.equal(printed, await saved(page, 'Changes (CSV)'));
}

test('two runs', async () => {
  const page = await openPage('', clipboard);
  await page.drop(runs);
  await check('are compared', async () => assert.equal(await page.tab(), 'Compare'));
  const command = await copied(page);
  assert.equal(command, 'roofline compare before.json after.json');
  assert.equal(await hints(page, command), '');
  await printsTheChanges(page, command);

  const machineBefore = page.page.getByRole('combobox', { name: 'Machine of the run before' });
  await machineBefore.click();
  await machineBefore.fill('A100 80GB SXM');
  await machineBefore.press('Enter');
  await page.settled();
  const two = await copied(page);
  assert.equal(
    two,
    'roofline compare before.json after.json --machine a100-80gb-sxm --machine-b npu-32t50',
    'each on its machine',
  );
  await printsTheChanges(page, two);

  await page.show('Summary');
  const later = await copied(page);
  assert.equal(later, 'roofline analyze after.json');
  assert.equal(await hints(page, later), 'It analyses the later run alone.');
  page.assertQuiet();
  await page.close();
});

test('two runs with filters, a list by type, and files of the page', async () => {
  const source = { file: 'after.json', text: faster };
  const before = { file: 'before.json', text: four };
  const settings = { machine: 'h100-sxm' };
  const view = { tab: 'compare', compareBy: 'type', unchanged: true, search: 'p', compareSort: 'name' };
  const page = await openPage(hash({ source, before, settings, view }), clipboard);
  const command = await copied(page);
  assert.equal(command, 'roofline compare before.json after.json --machine h100-sxm --unchanged --by-type --name p');
  assert.equal(
    await hints(page, command),
    'Save after.json (Export > Input) and before.json (Export > Run before) first. It lists the largest change first. ' +
      'It searches names only, the page also types.',
  );
  assert.equal(await saved(page, 'Run before'), four);
  if (existsSync(native)) assert.match(run(command, runs), /saved|lost/);
  page.assertQuiet();
  await page.close();

  const own = {
    id: 'mine',
    name: 'Mine',
    peaks: { matrix: { fp16: 1e12 } },
    memories: [{ name: 'DRAM', bandwidth: 1e11 }],
  };
  const mine = await openPage(
    hash({ source, before, settings, view: { tab: 'compare', beforeMachine: own } }),
    clipboard,
  );
  const ofMine = await copied(mine);
  assert.equal(ofMine, 'roofline compare before.json after.json --machine machine_before.json --machine-b h100-sxm');
  assert.match(await hints(mine, ofMine), /machine_before\.json \(Export > Machine before\) first/);
  await printsTheChanges(mine, ofMine, { ...runs, 'machine_before.json': await saved(mine, 'Machine before') });
  await mine.close();

  const changed = { machine: { ...own, id: 'other', name: 'Other' } };
  const both = await openPage(
    hash({ source, before, settings: changed, view: { tab: 'compare', beforeMachine: 'h100-sxm' } }),
    clipboard,
  );
  const onOne = await copied(both);
  assert.equal(onOne, 'roofline compare before.json after.json --config roofline_config.json');
  assert.match(await hints(both, onOne), /The command uses Other for both runs\.$/);
  await both.close();
});

test('two runs whose files state their machines', async () => {
  const own = {
    id: 'mine',
    name: 'Mine',
    peaks: { matrix: { fp16: 1e12 } },
    memories: [{ name: 'DRAM', bandwidth: 1e11 }],
  };
  const on = (machine, text) => JSON.stringify({ ...(machine && { machine }), ops: JSON.parse(text) });
  const open = async (first, second) => {
    const files = { 'before.json': on(first, four), 'after.json': on(second, faster) };
    const [before, source] = Object.entries(files).map(([file, text]) => ({ file, text }));
    const page = await openPage(hash({ source, before, view: { tab: 'compare' } }), clipboard);
    const command = await copied(page);
    const unsaid = (await hints(page, command)).replace(/^Save .*? first\. ?/, '');
    if (!unsaid) await printsTheChanges(page, command, files);
    await page.close();
    return [command.replace('roofline compare before.json after.json', '').trim(), unsaid];
  };
  assert.deepEqual(await open('h100-sxm', 'a100-80gb-sxm'), ['', '']);
  assert.deepEqual(await open('h100-sxm', null), ['--machine-b npu-32t50', '']);
  assert.deepEqual(await open(null, 'h100-sxm'), ['--machine h100-sxm', '']);
  assert.deepEqual(await open(null, own), ['', 'A run whose file states no machine is on the default machine.']);
});

test('two runs that the command cannot compare', async () => {
  const before = {
    file: 'before.csv',
    text: 'name,elapsed,dtype\na,1500,fp16\nb,45,fp16\n',
    as: { columns: { elapsed: 'time_us' } },
  };
  const source = { ...before, file: 'after.csv' };
  const page = await openPage(hash({ source, before, view: { tab: 'compare' } }), clipboard);
  const command = await copied(page);
  assert.equal(command, 'roofline analyze after.csv --column elapsed=time_us');
  assert.match(
    await hints(page, command),
    /first\. `roofline compare` takes one file for each run, without options for how it is read\. It analyses the later run alone\.$/,
  );
  await page.close();
});

test('filters that the command would read as others', async () => {
  const ops = JSON.parse(four).map((op, i) => ({ ...op, step: i % 2 ? 'decode, 2' : 'prefill' }));
  const text = JSON.stringify(ops);
  const open = async view => {
    const page = await openPage(hash({ source: { file: 'steps.json', text }, view }), clipboard);
    const command = await copied(page);
    const found = [command, await hints(page, command)];
    await page.close();
    return found;
  };
  const saveFirst = 'Save steps.json (Export > Input) first.';
  assert.deepEqual(await open({ steps: ['prefill'] }), ['roofline analyze steps.json --step prefill', saveFirst]);
  assert.deepEqual(await open({ steps: ['decode, 2'] }), [
    'roofline analyze steps.json',
    `${saveFirst} The command cannot filter by a step with a comma in its name: it includes more operations.`,
  ]);
  assert.deepEqual(await open({ types: [] }), [
    'roofline analyze steps.json',
    `${saveFirst} The command cannot filter by this choice of types and categories: it includes more operations.`,
  ]);
  assert.deepEqual(await open({ bounds: ['GDDR6', 'compute'] }), [
    'roofline analyze steps.json --bound-by compute',
    saveFirst,
  ]);
});

test('pasted text is a file that Export saves', async () => {
  const page = await openPage('', clipboard);
  await page.page.evaluate(text => {
    const data = new DataTransfer();
    data.setData('text', text);
    dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
  }, four);
  await page.settled();
  const command = await copied(page);
  assert.equal(command, "roofline analyze 'pasted text'");
  assert.equal(await hints(page, command), 'Save pasted text (Export > Input) first.');
  assert.equal(await saved(page, 'Input'), four);
  await page.close();
});
