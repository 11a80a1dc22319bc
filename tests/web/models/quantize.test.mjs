// Plans of formats: a GGUF file that does not fit, a mixture, a budget, the plan and its export, a network's plan; a model shared with its
// host. The figures are the command's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { llamaGguf, writeGguf } from '../../gguf.mjs';
import { fromWeb, openPage, root } from '../browser.mjs';
import { check } from '../harness.mjs';

const roofline = process.env.ROOFLINE ?? join(root, 'build/native/roofline');
const run = (...args) => execFileSync(roofline, args, { encoding: 'utf8', maxBuffer: 1e8 });

const folder = mkdtempSync(join(tmpdir(), 'roofline-quantize-'));
after(() => rmSync(folder, { recursive: true }));

const encode = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const decoded = async page => JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url'));
const model = (request, rest = {}) =>
  encode({
    source: {
      built: 'model',
      request: {
        model: 'llama-3.1-8b',
        phase: 'decode',
        batch: 1,
        context: 4096,
        ...request,
      },
    },
    settings: { machine: 'rtx-4090' },
    ...rest,
  });
const plan = page => page.page.getByRole('region', { name: 'Plan', exact: true });
const types = page => page.page.getByRole('region', { name: 'Types by tensor' });
const saved = async (page, button) => {
  const waiting = page.page.waitForEvent('download');
  await page.page.getByRole('button', { name: button }).click();
  return readFileSync(await (await waiting).path(), 'utf8');
};
const axe = async page => {
  await page.page.evaluate(readFileSync(fromWeb.resolve('axe-core/axe.min.js'), 'utf8'));
  return page.page.evaluate(() =>
    window.axe
      .run(document, { resultTypes: ['violations'] })
      .then(({ violations }) =>
        violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      ),
  );
};

test('a GGUF file that does not fit, the context, a mixture in the chart, a plan and its export', async () => {
  // Mistral Small's sizes in 8 bits and more: 24 billion parameters.
  const file = join(folder, 'model-24b-Q6_K.gguf');
  const sizes = {
    layers: 40,
    hidden: 5120,
    heads: 32,
    kvHeads: 8,
    mlp: 32768,
    vocab: 131072,
  };
  writeGguf(file, ...llamaGguf(sizes, 'q6_k'));
  const page = await openPage('', {
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.page.locator('#file-input').setInputFiles(file);
  await page.page.getByRole('heading', { name: /^Decode at batch/, level: 1 }).waitFor();
  await page.page.getByLabel('Machine', { exact: true }).first().fill('RTX 4090');
  await page.page.keyboard.press('Enter');
  await page.inputs.getByRole('spinbutton', { name: /^Batch/ }).fill('1');
  const context = page.inputs.getByRole('spinbutton', { name: /^Context/ });
  await context.fill('32768');
  await page.settled();
  await check('at 32k it does not fit', async () => assert.match(await page.headline(), /does not fit/));
  await page.show('Summary: Inference');
  await check('and says by how much', async () =>
    assert.match(await page.text(page.page.getByRole('region', { name: 'Memory' })), /does not fit/),
  );
  await context.fill('1024');
  await page.settled();
  await check('at 1k it fits', async () =>
    assert.doesNotMatch(await page.text(page.page.getByRole('region', { name: 'Memory' })), /does not fit/),
  );
  await context.fill('32768');
  await page.show('Formats: GGUF mixtures');
  await page.settled();
  await check('the headline names the most accurate mixture that fits', async () =>
    assert.match(await page.headline(), /^\w+ is the most accurate mixture that fits NVIDIA GeForce RTX 4090/),
  );
  const [largest] = (await page.headline()).split(' ');
  // A point of the chart, by its place.
  const chart = page.page.getByRole('img', {
    name: /^KL divergence against time per token/,
  });
  await check('a mixture without divergence is at 0 on the axis', async () => {
    const middleOf = async locator => {
      const { y, height } = await locator.boundingBox();
      return y + height / 2;
    };
    const zero = await middleOf(chart.locator('.ytick text', { hasText: /^0$/ }));
    const f16 = await middleOf(chart.locator('.textpoint text', { hasText: /^F16$/ }));
    assert.ok(Math.abs(zero - f16) < 8, `${zero} ${f16}`);
  });
  await chart.locator('.scatterlayer .points path').first().waitFor();
  const points = chart.locator('.scatterlayer .trace').nth(1).locator('.points path');
  const row = page.view.getByRole('row').filter({
    has: page.page.getByRole('button', { name: largest, exact: true }),
  });
  const place = (await page.texts(page.view.getByRole('table').first().getByRole('rowheader'))).indexOf(largest);
  await points.nth(place).click({ force: true });
  await page.settled();
  await check('a click on its point takes it', async () =>
    assert.equal(await row.getByRole('button').getAttribute('aria-pressed'), 'true'),
  );

  await page.page.getByLabel('Budget', { exact: true }).selectOption({ label: 'Memory of the machine' });
  await types(page).waitFor();
  await page.settled();
  await check('the plan keeps to it and is better than the mixture', async () =>
    assert.match(
      await page.text(plan(page)),
      /Within [\d.]+ GB: .*KLD [\d.]+ \(80% of models: .* The best mixture of at most this size, \w+, has KLD/,
    ),
  );
  await check('axe finds nothing serious', async () => assert.deepEqual(await axe(page), []));
  const { view, source } = await decoded(page);
  const asked = ['--context', String(source.request.context), '--budget', `memory=${view.plan.value}`];
  const exported = JSON.parse(await saved(page, 'Save as JSON'));
  const told = JSON.parse(run('quantize', file, '--machine', 'rtx-4090', ...asked, '-o', 'json'));
  await check('the plan is that of the command', async () =>
    assert.deepEqual({ ...exported, subject: '' }, { ...told, subject: '' }),
  );
  for (const [tool, output] of [
    ['llama.cpp', 'llama-quantize'],
    ['ik_llama.cpp', 'ik'],
    ['llm-compressor', 'llm-compressor'],
  ]) {
    await page.page.getByRole('group', { name: 'For' }).getByRole('button', { name: tool, exact: true }).click();
    await page.settled();
    const text = run('quantize', file, '--machine', 'rtx-4090', ...asked, '-o', output);
    await check(`${tool}: its text is the command's`, async () =>
      assert.equal((await page.page.locator('.plan pre').textContent()).trim(), text.trim()),
    );
  }
  await page.page.getByRole('region', { name: 'Export of the plan' }).getByRole('button', { name: 'Copy' }).click();
  await check('it is copied', async () =>
    assert.match(await page.page.evaluate(() => navigator.clipboard.readText()), /QuantizationModifier/),
  );
  await page.page.keyboard.press('Control+z');
  await page.settled();
  await check('undo takes the tool back', async () =>
    assert.notEqual((await decoded(page)).view.plan.tool, 'llm-compressor'),
  );
  await page.page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' });
  const [words, address] = [await page.text(plan(page)), await page.link()];
  page.assertQuiet();
  await page.close();
  const again = await openPage(address, {
    viewport: { width: 1440, height: 900 },
  });
  await types(again).waitFor();
  await again.settled();
  await check('the link shows the same plan', async () => assert.equal(await again.text(plan(again)), words));
  again.assertQuiet();
  await again.close();
});

test('a file of floats has a plan by its own weights', async () => {
  const sizes = {
    layers: 4,
    hidden: 256,
    heads: 4,
    kvHeads: 2,
    mlp: 512,
    vocab: 1024,
  };
  const file = join(folder, 'small-f32.gguf');
  // One layer is heavy-tailed, so that rounding changes it more.
  writeGguf(
    file,
    ...llamaGguf(sizes, 'f32'),
    (name, i) => Math.sin(i * 12.9898) * (name.startsWith('blk.2') && i % 97 === 0 ? 40 : 1),
  );
  const page = await openPage();
  await page.page.locator('#file-input').setInputFiles(file);
  await page.page.getByRole('heading', { name: /^Decode at batch/, level: 1 }).waitFor();
  await page.show('Formats: GGUF mixtures');
  await page.page.getByLabel('Budget', { exact: true }).selectOption({ label: 'KL divergence' });
  await types(page).waitFor();
  await page.settled();
  await check('it says so', async () => assert.match(await page.text(plan(page)), /from the weights of the open file/));
  const { view, settings, source } = await decoded(page);
  const exported = JSON.parse(await saved(page, 'Save as JSON'));
  const { batch, context } = source.request;
  const told = JSON.parse(
    run(
      'quantize',
      file,
      '--machine',
      settings?.machine ?? exported.machine,
      '--batch',
      String(batch),
      '--context',
      String(context),
      '--budget',
      `kld=${view.plan.value}`,
      '-o',
      'json',
    ),
  );
  await check('as the command has it', async () =>
    assert.deepEqual({ ...exported, subject: '' }, { ...told, subject: '' }),
  );
  page.assertQuiet();
  await page.close();
});

test('checkpoints of other tools, with what was published of them', async () => {
  const page = await openPage(model({}, { view: { tab: 'mixtures' } }));
  const table = page.page.getByRole('region', {
    name: 'Checkpoints of other tools',
  });
  await table.waitFor();
  const told = JSON.parse(run('quantize', 'llama-3.1-8b', '--machine', 'rtx-4090', '-o', 'json')).checkpoints;
  await check('the methods are those of the command', async () =>
    assert.deepEqual(
      await page.texts(table.getByRole('rowheader')),
      told.map(({ name }) => name),
    ),
  );
  const row = name => table.getByRole('row').filter({ has: page.page.getByRole('button', { name, exact: true }) });
  await check('a published quality, and one that is not known', async () => {
    assert.match(await page.text(row('GPTQ')), /5\.7 GB.*67\.6 of 69\.3 OpenLLM v1, %/);
    assert.match(await page.text(row('AWQ')), /5\.73 GB.*not known/);
  });
  await row('FP8').getByRole('button').click();
  await page.settled();
  const { request } = (await decoded(page)).source;
  const fp8 = told.find(({ name }) => name === 'FP8');
  await check('a click takes its formats', async () =>
    assert.deepEqual([request.weights, request.activations], [fp8.weights, fp8.activations]),
  );
  const chosen = () => page.texts(table.getByRole('button', { pressed: true }));
  await check('it alone is marked', async () => assert.deepEqual(await chosen(), ['FP8']));
  const mixture = page.view.getByRole('row').filter({
    has: page.page.getByRole('button', { name: 'Q4_K_M', exact: true }),
  });
  const before = await page.text(mixture);
  await row('INT8').getByRole('button').click();
  await page.settled();
  await check('another has its own activations', async () => {
    assert.deepEqual(await chosen(), ['INT8']);
    assert.equal((await decoded(page)).source.request.activations, 'int8');
  });
  await row('AWQ').getByRole('button').click();
  await page.settled();
  await check('one without keeps none of another', async () => {
    assert.deepEqual(await chosen(), ['AWQ']);
    assert.equal((await decoded(page)).source.request.activations, undefined);
  });
  await check('the mixtures are computed without them', async () => assert.equal(await page.text(mixture), before));
  page.assertQuiet();
  await page.close();
});

test('a budget that no plan keeps to, and one that is taken back', async () => {
  const page = await openPage(model({}, { view: { tab: 'mixtures', plan: { budget: 'bytes', value: 1e9 } } }));
  await types(page).waitFor();
  await check('the nearest, and by how much it misses', async () =>
    assert.match(await page.text(plan(page)), /No plan keeps to 1 GB\. The nearest has [\d.]+ GB, [\d.]+ MB too much/),
  );
  await page.page.getByRole('spinbutton', { name: 'Size of the weights, GB' }).fill('5');
  await page.settled();
  await check('a larger one is kept', async () => assert.match(await page.text(plan(page)), /Within 5 GB: /));
  await page.page.getByLabel('Budget', { exact: true }).selectOption({ label: 'none' });
  await types(page).waitFor({ state: 'detached' });
  await check('without a budget there is no plan', async () =>
    assert.equal((await decoded(page)).view.plan, undefined),
  );
  page.assertQuiet();
  await page.close();
  const odd = await openPage(model({}, { view: { tab: 'mixtures', plan: { budget: 'sqnr', value: 30 } } }));
  await odd.page.getByLabel('Budget', { exact: true }).waitFor();
  await check("a network's budget is none of a model", async () =>
    assert.equal(await odd.page.getByLabel('Budget', { exact: true }).inputValue(), ''),
  );
  await odd.close();
});

test("a network's plan, by tool", async () => {
  const page = await openPage();
  const network = join(root, 'tests/data/network.onnx');
  await page.page.locator('#file-input').setInputFiles(network);
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.show('Formats: Plan');
  await page.page.getByRole('region', { name: 'Formats by layer' }).waitFor();
  await page.settled();
  await check('the headline is the plan', async () =>
    assert.match(
      await page.headline(),
      /^At 30 dB, \d+ layers? takes? INT8 in all operands.*: [\d.]+x( to [\d.]+x)? \(an estimated \S+ \S+ today, then .*\)\. Weights .*, SQNR /,
    ),
  );
  const budget = page.page.getByRole('spinbutton', { name: 'SQNR, dB' });
  await budget.fill('20');
  await page.settled();
  const { settings } = await decoded(page);
  const machine = settings?.machine ?? JSON.parse(await saved(page, 'Save as JSON')).machine;
  for (const [tool, output] of [
    ['ONNX Runtime', 'onnxruntime'],
    ['NNCF', 'nncf'],
    ['llm-compressor', 'llm-compressor'],
    ['JSON', 'json'],
  ]) {
    await page.page.getByRole('group', { name: 'For' }).getByRole('button', { name: tool, exact: true }).click();
    await page.settled();
    const text = run('quantize', network, '--machine', machine, '--fold=none', '--budget', 'sqnr=20dB', '-o', output); // the page's is assumed
    await check(`${tool}: its text is the command's`, async () =>
      assert.equal((await page.page.locator('.plan pre').textContent()).trim(), text.trim()),
    );
  }
  await page.page.evaluate(() => (globalThis.waits.held = 1000)); // the next answer is late
  await page.page.getByRole('group', { name: 'For' }).getByRole('button', { name: 'NNCF', exact: true }).click();
  const ofOneAnswer = await page.page.evaluate(async () => {
    for (let frame = 0; frame < 12; ++frame) await new Promise(requestAnimationFrame);
    return document.querySelector('[aria-label="Export of the plan"]').innerText;
  });
  assert.match(ofOneAnswer, /Save plan\.json[\s\S]*"schema"/, 'name and text are of one answer');
  await page.settled();
  await check('then both follow', async () =>
    assert.match(await page.region('Export of the plan'), /Save quantize\.py[\s\S]*import nncf/),
  );
  page.assertQuiet();
  await page.close();
});

test('a model shared with its host', async () => {
  const page = await openPage(
    model({ model: 'qwen3-30b-a3b', weights: 'Q8_0', context: 8192 }, { view: { tab: 'inference' } }),
    { viewport: { width: 1440, height: 900 } },
  );
  const box = page.page.getByLabel('Share with a host');
  await box.waitFor();
  await box.check();
  const shared = page.page.getByRole('region', {
    name: 'Shared with the host',
  });
  await shared.waitFor();
  await page.settled();
  const asked = (...more) =>
    JSON.parse(
      run(
        'llm',
        'qwen3-30b-a3b',
        '--machine',
        'rtx-4090',
        '--weights',
        'Q8_0',
        '--batch',
        '1',
        '--context',
        '8192',
        '--host',
        'epyc-9654',
        ...more,
        '-o',
        'json',
      ),
    ).summary.offload;
  const host = page.page.getByRole('group', { name: 'Host' });
  const layers = host.getByRole('spinbutton', { name: /^Layers on the GPU/ });
  const best = asked();
  await check('as many layers as are best', async () => {
    assert.equal(Number(await layers.inputValue()), best.best.gpu_layers);
    assert.match(await page.text(host), /tokens\/s; bound/);
  });
  await layers.fill('10');
  await page.settled();
  await page.committed();
  const ten = asked('--gpu-layers', '10');
  const figure = seconds => `${Number((seconds * 1e3).toPrecision(3))} ms per token`;
  await check('ten layers: time and weights are those of the command', async () => {
    const text = await page.text(shared);
    assert.ok(text.includes(figure(ten.typical_tpot_s)), `${figure(ten.typical_tpot_s)}: ${text}`);
    assert.ok(text.includes(`${Number((ten.card.weights_bytes / 1e9).toPrecision(3))} GB`), text);
  });
  await page.page.getByLabel('Experts on the host').check();
  await page.settled();
  await page.committed();
  await check('experts on the host', async () =>
    assert.ok(
      (await page.text(shared)).includes(figure(asked('--gpu-layers', '10', '--experts-on-host').typical_tpot_s)),
    ),
  );
  await check('the link has the split', async () =>
    assert.deepEqual((await decoded(page)).view.offload, {
      host: 'epyc-9654',
      gpuLayers: 10,
      expertsOnHost: true,
    }),
  );
  await page.page.keyboard.press('Control+z');
  await page.settled();
  await check('undo takes the experts back', async () =>
    assert.equal(await page.page.getByLabel('Experts on the host').isChecked(), false),
  );
  await host.getByRole('button', { name: /layers$/ }).click();
  await page.settled();
  await check('and one click the best number', async () =>
    assert.equal(Number(await layers.inputValue()), best.best.gpu_layers),
  );
  page.assertQuiet();
  await page.close();
});

test('a phone has plan and host', async () => {
  const page = await openPage(
    model(
      {},
      {
        view: {
          tab: 'mixtures',
          plan: { budget: 'kld', value: 0.02 },
          offload: { host: 'epyc-9654' },
        },
      },
    ),
    { viewport: { width: 390, height: 844 } },
  );
  await types(page).waitFor();
  await page.page.getByRole('group', { name: 'Host', includeHidden: true }).waitFor({ state: 'attached' });
  await page.settled();
  await check('nothing is wider than the page', async () =>
    assert.ok((await page.page.evaluate(() => document.documentElement.scrollWidth)) <= 390),
  );
  page.assertQuiet();
  await page.close();
});

test("GGUF's types have their accuracy, of a sample and of a tensor, as the command has it", async () => {
  const page = await openPage(
    encode({
      source: {
        built: 'operator',
        request: {
          type: 'gemm',
          parameters: { m: 1, n: 4096, k: 4096 },
          formats: ['fp16'],
        },
      },
      settings: { machine: 'a100-80gb-sxm' },
      view: { tab: 'precision', roles: 'weights' },
    }),
  );
  const shown = async () => {
    const table = page.page.getByRole('region', {
      name: 'Formats by speed-up',
    });
    const [names, decibels] = [
      await page.texts(table.getByRole('rowheader')),
      await page.column(table, 'dB per tensor'),
    ];
    return Object.fromEntries(names.map((name, i) => [name, decibels[i]]));
  };
  const told = (...args) =>
    Object.fromEntries(
      JSON.parse(run('accuracy', ...args, '-o', 'json'))
        .formats.filter(({ name }) => name.startsWith('GGUF'))
        .map(({ name, sqnr_db }) => [name, Object.values(sqnr_db)[0].toFixed(1)]),
    );
  const samples = told();
  assert.equal(Object.keys(samples).length, 21);
  await page.page.getByRole('button', { name: 'show', exact: true }).click(); // those below 15 dB, too
  await page.settled();
  await check('of the sample', async () => assert.deepEqual({ ...(await shown()), ...samples }, await shown()));
  await check('one of them can be the fastest', async () =>
    assert.match(await page.headline(), /^At 30 dB or more, the fastest is GGUF Q6_K weights: /),
  );
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (16, 1024), }\n`;
  const numbers = Float32Array.from({ length: 16 * 1024 }, (_, i) => Math.sin(i * 12.9898) ** 3);
  const npy = Buffer.concat([
    Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8]),
    Buffer.from(header),
    Buffer.from(numbers.buffer),
  ]);
  const file = join(folder, 'mine.npy');
  writeFileSync(file, npy);
  await page.page.locator('#file-input').setInputFiles(file);
  await page.page.getByText('It stays in this browser').waitFor();
  await page.settled();
  const own = told(file);
  await check('of my tensor', async () => assert.deepEqual({ ...(await shown()), ...own }, await shown()));
  assert.notDeepEqual(own, samples);
  page.assertQuiet();
  await page.close();
});
