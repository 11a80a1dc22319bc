// What a source leaves to the next one: nothing of its own. A refused one leaves all as it was.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, openPage } from '../harness.mjs';
import { four } from '../inputs.mjs';

const encode = state => `#${Buffer.from(JSON.stringify(state)).toString('base64url')}`;
const stateOf = async page => JSON.parse(Buffer.from((await page.link()).split('#')[1], 'base64url'));
const resnet = { sample: 'resnet-50' };
const encoder = { sample: 'encoder' };
const CPU = 'Matrix products on a CPU';

async function go(page, state) {
  await page.page.evaluate(hash => (location.hash = hash), encode(state));
  await page.settled();
}

async function give(page, input, name, text) {
  await page.page.locator(input).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.settled();
}

async function compareWith(page, sample) {
  await (await page.behind('compare')).getByText('Compare with a sample').click();
  await (await page.behind('compare')).getByRole('button', { name: `Compare with ${sample}` }).click();
  await page.settled();
}

test('what was set for a comparison ends with it', async () => {
  const settings = { machine: 'h100-sxm', mem_bw: 2e12, whatif: { weight: 'int4' } };
  const page = await openPage(
    encode({ source: resnet, settings, view: { tab: 'machines', scope: 'op' }, selected: 3 }),
  );

  for (const empty of ['[]', 'name,type,time_ms,flops,bytes\n']) {
    await give(page, '#compare-input', 'empty.txt', empty);
    await check('a run without operations is refused', async () => assert.match(await page.alert(), /^empty\.txt: /));
    const { source, before, view } = await stateOf(page);
    assert.deepEqual([source, before, view.tab], [resnet, undefined, 'machines']);
  }

  await compareWith(page, 'Transformer encoder');
  const compared = await stateOf(page);
  assert.deepEqual([compared.source, compared.before, compared.settings], [encoder, resnet, settings]);
  await give(page, '#compare-input', 'empty.json', '[]');
  await check('also beside a comparison', async () => assert.match(await page.alert(), /^empty\.json: /));
  assert.deepEqual(await stateOf(page), compared);

  await page.openFrom(CPU);
  const next = await stateOf(page);
  await check('another file is judged by its own machine, as it is', async () =>
    assert.deepEqual([next.before, next.settings], [undefined, undefined]),
  );
  page.assertQuiet();
  await page.close();
});

test('the machine of the run before is not that of the next run before', async () => {
  const view = { tab: 'compare', beforeMachine: 'h100-sxm' };
  const page = await openPage(encode({ source: encoder, before: resnet, view }));
  await compareWith(page, CPU);
  const { before, view: next } = await stateOf(page);
  assert.deepEqual([before, next.tab, next.beforeMachine], [encoder, 'compare', undefined]);
  page.assertQuiet();
  await page.close();
});

test('a view for one row is not that of the next file', async () => {
  const page = await openPage(encode({ source: resnet, view: { scope: 'op', baseline: 1 }, selected: 3 }));
  await page.openFrom(CPU);
  const { view = {} } = await stateOf(page);
  assert.deepEqual([view.scope, view.baseline], [undefined, undefined]);

  await page.drop({ 'trace.json': trace });
  const notice = page.notices.getByText('The trace has no shapes');
  await notice.waitFor();
  await page.openFrom('Size an operator');
  await check('nor is the notice on it', async () => assert.equal(await notice.count(), 0));
  page.assertQuiet();
  await page.close();
});

const trace = JSON.stringify({
  deviceProperties: [{ name: 'NVIDIA H100 80GB HBM3', id: 0 }],
  traceEvents: [0, 1, 2].map(i => ({
    ph: 'X',
    cat: 'kernel',
    name: `sm90_xmma_gemm_f16f16_${i}`,
    ts: i * 100,
    dur: 50,
    pid: 0,
    tid: 7,
    args: { device: 0, stream: 7 },
  })),
});

test('a machine that nobody chose', async () => {
  const page = await openPage(encode({ source: { sample: 'cpu-gemm' } }));
  const machines = async () => {
    const { settings = {} } = await stateOf(page);
    return [settings.machine, settings.machine_basis];
  };
  const layers = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32, vocab_size: 32000 };
  await give(page, '#file-input', 'config.json', JSON.stringify({ ...layers, num_hidden_layers: 0 }));
  await page.page.getByRole('alert').waitFor();
  assert.deepEqual(await machines(), [undefined, undefined], 'a refused model leaves it');

  const table = 'name,M,N,K,dtype,time_us\nsm90_xmma_gemm,8192,8192,8192,fp16,1500\nsm90_gemv,1,8192,8192,fp16,45\n';
  await page.drop({ 'run.csv': table });
  const guessed = await machines();
  assert.ok(guessed[0] && guessed[1] === 'guessed', guessed.join());
  await page.openFrom('Size an operator');
  assert.deepEqual(await machines(), [undefined, undefined], 'an operator begins with the default, whatever was open');
  await page.openFrom('Back to run.csv');
  assert.deepEqual(await machines(), guessed, 'guessed again');
  await page.button('Reset').click();
  await page.settled();
  assert.deepEqual(await machines(), guessed, 'the default of this file');

  await page.openFrom('Plan a language model');
  assert.deepEqual(await machines(), ['a100-80gb-sxm', 'assumed'], 'and a model with its own');
  await page.button('Reset').click();
  await page.settled();
  assert.deepEqual(await machines(), ['a100-80gb-sxm', 'assumed'], 'the default of a model');
  await page.openFrom('Back to run.csv');
  assert.deepEqual(await machines(), guessed, 'guessed after a model, too');
  page.assertQuiet();
  await page.close();
});

test('a file that states its machine is judged on it, whatever was chosen in between', async () => {
  const page = await openPage();
  const machine = page.page.getByRole('combobox', { name: 'Machine', exact: true });
  const own = await machine.inputValue();
  await page.openFrom('Plan a language model');
  await machine.fill('A100 80GB SXM');
  await machine.press('Enter');
  await page.settled();
  await check('chosen', async () => assert.match(await machine.inputValue(), /A100 80GB SXM/));
  await page.openFrom('Back to ResNet-50, INT8, batch 8');
  await check('the own one again', async () => assert.equal(await machine.inputValue(), own));
  page.assertQuiet();
  await page.close();
});

test('no setting of one source changes the figures of the next', async () => {
  const set = {
    overhead: { launch_us: 50 },
    estimate: { layer_us: 9 },
    bound_thresh: 90,
    whatif: { machine: 'h100-sxm' },
  };
  const settings = { ...set, ops_per_mac: 1 };
  const page = await openPage(encode({ source: encoder, settings }));
  assert.deepEqual((await stateOf(page)).settings, settings, 'those of a link stay');
  await page.openFrom('Plan a language model');
  const model = { machine: 'a100-80gb-sxm', machine_basis: 'assumed', ops_per_mac: 1 };
  assert.deepEqual((await stateOf(page)).settings, model);
  await page.button('Undo').first().click();
  await page.settled();
  await check('undone', async () => assert.deepEqual((await stateOf(page)).settings, settings));
  await page.openFrom('Size an operator');
  assert.deepEqual((await stateOf(page)).settings, { ops_per_mac: 1 });
  await go(page, {
    source: (await stateOf(page)).source,
    settings: { ...settings, machine: 'h100-sxm', mem_bw: 2000 },
  });
  await page.openFrom('Back to Transformer encoder');
  assert.deepEqual((await stateOf(page)).settings, { ops_per_mac: 1 }, 'on the machine that the file states');
  page.assertQuiet();
  await page.close();
});

test('what was typed for one model is not that of another', async () => {
  const run = { name: 'bench.json', machine: 'h100-sxm', machines: 1, tpot_s: 0.01, output_tokens_per_s: 3000 };
  const kept = { serving: { machines: ['h100-sxm'] }, plan: { tool: 'vllm' }, offload: { host: 'epyc-9654' } };
  const view = {
    serving: { ...kept.serving, prompt: 100000, users: 4, runs: [run] },
    plan: { ...kept.plan, budget: 'bytes', value: 5e9 },
    offload: { ...kept.offload, gpuLayers: 20 },
  };
  const request = { model: 'llama-3-8b', phase: 'decode', batch: 8, prompt: 3840, context: 4096, generate: 256 };
  const source = { built: 'model', request };
  const page = await openPage(encode({ source, settings: { machine: 'h100-sxm' }, view }));
  const parts = async () => {
    const { serving, plan, offload } = (await stateOf(page)).view;
    return { serving, plan, offload };
  };
  await page.inputs.getByRole('spinbutton', { name: /^Batch/ }).fill('12');
  await page.settled();
  assert.deepEqual(await parts(), view, 'the same model');
  const model = page.inputs.getByRole('combobox', { name: 'Model', exact: true });
  await model.click();
  await model.fill('Llama 3.1 70B');
  await page.page.keyboard.press('Enter');
  await page.settled();
  assert.deepEqual(await parts(), kept);
  page.assertQuiet();
  await page.close();
});

test('an operator opened while a file is read takes its place', async () => {
  const page = await openPage(encode({ source: resnet }));
  const rows = Array.from({ length: 250_000 }, (_, i) => `op${i},gemm,${(i % 9) + 1},${1e9 + i},${1e6 + i}`);
  const big = `name,type,time_ms,flops,bytes\n${rows.join('\n')}`;
  const buffer = Buffer.from(big);
  await (await page.behind('source')).getByRole('button', { name: 'Size an operator' }).waitFor();
  await page.page.locator('#file-input').setInputFiles({ name: 'big.csv', mimeType: 'text/csv', buffer });
  await page.page.getByRole('progressbar', { name: 'Reading' }).waitFor();
  await page.openFrom('Size an operator');
  await check('the operator', async () => assert.equal((await stateOf(page)).source.built, 'operator'));
  assert.equal(await page.page.getByRole('alert').count(), 0);
  await page.drop({ 'four.json': four });
  await check('and a file is read after it', async () => assert.equal(await page.count(), '4'));
  page.assertQuiet();
  await page.close();
});

/** Delays each request for a frame by `lateFrames` ms. */
function delayFrames() {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    setTimeout(
      () => post.call(this, message, ...rest),
      message.path?.[0] === 'frame' ? (globalThis.lateFrames ?? 0) : 0,
    );
  };
}

test("Forward does not show the previous source's headline", async () => {
  const page = await openPage('', { init: delayFrames });
  await page.committed(); // so that the sample is a step to go back to
  await page.drop({ 'four.json': four });
  await page.committed();
  const own = await page.headline();
  await page.page.goBack();
  await page.settled();
  assert.notEqual(await page.headline(), own);
  await page.page.evaluate(() => (globalThis.lateFrames = 1500));
  await page.page.goForward();
  await page.finding.filter({ hasText: /^Computing…$/ }).waitFor();
  assert.equal(await page.sourceName.innerText(), 'four.json');
  await page.finding.filter({ hasText: own.slice(0, 15) }).waitFor();
  assert.equal(await page.headline(), own);
  await page.close();
});

test('the next source is in its own order, with its worst operation selected', async () => {
  const page = await openPage(encode({ source: { sample: 'resnet-50' }, view: { sort: 'efficiency' } }));
  const table = 'name,M,N,K,dtype,time_us\nnear,8192,8192,8192,fp16,1500\nfar,8192,8192,8192,fp16,9000\n';
  await page.drop({ 'h100.csv': table });
  await check('the worst first', async () =>
    assert.match(await page.rows(page.operations).first().innerText(), /^far/),
  );
  await check('and selected', async () => assert.match(await page.text(page.diagnosis), /^Diagnosis\s+far/));
  page.assertQuiet();
  await page.close();
});
