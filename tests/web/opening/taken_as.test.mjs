// What a file is taken for: times and layers of one run are joined, a trace asks for the model that ran, and each can be changed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { root } from '../browser.mjs';
import { check, openPage } from '../harness.mjs';

const data = name => readFileSync(join(root, 'tests/data', name));
const profile = { 'engine.profile.json': data('tensorrt_profile.json') };
const layers = { 'engine.graph.json': data('tensorrt_layers.json') };
const joined = 'engine.graph.json + engine.profile.json';

/** A decode step of a model of two layers, replayed from a graph. */
function stepTrace(annotation) {
  const layer = [
    'rms_norm',
    'gemm',
    'rotary',
    'reshape_and_cache',
    'flash_fwd',
    'gemm',
    'rms_norm',
    'gemm',
    'silu',
    'gemm',
  ];
  const kernels = ['gather', ...layer, ...layer, 'rms_norm', 'gemm', 'argmax'];
  const events = [
    { cat: 'user_annotation', name: annotation, ts: 0, dur: 9, tid: 1 },
    { cat: 'cuda_runtime', name: 'g', ts: 1, dur: 1, tid: 1, args: { correlation: 5 } },
    ...kernels.map((name, i) => ({ cat: 'kernel', name, ts: 100 + 20 * i, dur: 10 + i, args: { correlation: 5 } })),
  ];
  return JSON.stringify({ deviceProperties: [], traceEvents: events });
}
const config = JSON.stringify({
  model_type: 'llama',
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 128,
  vocab_size: 1000,
  max_position_embeddings: 512,
});

test('taken as', async () => {
  const page = await openPage();
  await page.link();
  const name = () => page.text(page.sourceName);
  const back = async () => {
    await page.page.goBack();
    await page.settled();
    await page.link();
  };

  await page.drop({ ...profile, ...layers });
  await page.link(); // a step by now
  await check('times and layers dropped together are one run', async () => assert.equal(await name(), joined));
  await check('which nothing is compared with', async () =>
    assert.equal(await page.page.getByRole('region', { name: 'Compare view' }).count(), 0),
  );
  await page.button('Share').click();
  await check('a link offers a summary of both', async () => {
    assert.ok(await page.page.getByLabel(/Include a summary/).isVisible());
    assert.equal(await page.page.getByLabel(/Include the input/).count(), 0);
  });
  await page.page.keyboard.press('Escape');
  const before = await page.totals.innerText();
  await back();
  await check('undo takes it back', async () => assert.notEqual(await name(), joined));
  await page.page.goForward();
  await page.settled();
  await page.link();
  await check('redo joins them again', async () => {
    assert.equal(await name(), joined);
    assert.equal(await page.totals.innerText(), before);
  });

  await page.drop(profile);
  await page.link(); // a step by now
  await check('the times open alone', async () => assert.equal(await name(), 'engine.profile.json'));
  await page.drop(layers);
  await page.link(); // a step by now
  await check('the layers join them', async () => {
    assert.equal(await name(), joined);
    assert.equal(await page.totals.innerText(), before);
  });
  await check('which is said', async () => assert.match(await page.notices.innerText(), /joined by name/));
  await page.button('Open engine.graph.json alone').click();
  await page.settled();
  await page.link();
  await check('and can be changed', async () => assert.equal(await name(), 'engine.graph.json'));
  await back();
  await check('and taken back', async () => assert.equal(await name(), joined));

  const question = page.page.getByRole('form', { name: 'Which model' });
  await page.drop({ 'step.json': stepTrace('execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk24sqsq2sqsk24)') });
  await page.link(); // a step by now
  const place = question.getByRole('button', { name: 'Match kernels' });
  await check("a trace of an engine's step asks for its model", async () => {
    assert.ok(await question.isVisible());
    assert.ok(await place.isDisabled());
  });
  const kernels = await page.count();
  await question.getByRole('combobox').fill('llama 3 8b');
  await page.page.keyboard.press('Enter');
  await place.click();
  await page.settled();
  await page.link();
  await check('one of another number of layers is refused, and the trace stays', async () => {
    assert.match(await page.alert(), /layers/);
    assert.equal(await page.count(), kernels);
  });
  await page.drop({ 'config.json': config });
  await page.link(); // a step by now
  await check('a config.json answers it', async () =>
    assert.equal(await question.getByRole('combobox').inputValue(), 'config.json'),
  );
  await place.click();
  await page.settled();
  await page.link();
  await check('its operators stand beside the kernels', async () => {
    assert.ok(!(await question.isVisible()));
    const names = await page.tableNames();
    assert.ok(
      names.some(row => row.includes('down_proj')),
      inspect(names),
    );
  });
  await back();
  await check('undo shows the kernels again', async () => assert.ok(await question.isVisible()));

  await page.drop({ 'sglang.json': stepTrace('step[DECODE bs=2]') });
  await page.link(); // a step by now
  await check('what the steps do not state is asked for', async () =>
    assert.ok(await question.getByLabel(/Tokens of context/).isVisible()),
  );
  await page.drop({ 'mystery.csv': 'label,elapsed,work\na,10,2\nb,20,6\n' });
  await page.link(); // a step by now
  await page.button('Map columns…').click();
  const dialog = page.page.getByRole('dialog', { name: 'Columns of mystery.csv' });
  await check('a table that says nothing shows its columns and first rows', async () =>
    assert.match(await dialog.innerText(), /elapsed\s+10 · 20/),
  );
  await dialog.getByRole('combobox', { name: 'label' }).selectOption('name');
  await dialog.getByRole('combobox', { name: 'elapsed' }).selectOption('time of one run, µs');
  await dialog.getByRole('combobox', { name: 'work' }).selectOption('GFLOPs of one run');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.settled();
  await page.link();
  await check('and opens as somebody says', async () => {
    assert.equal(await name(), 'mystery.csv');
    assert.deepEqual(await page.tableNames(), ['b', 'a']);
    assert.match(await page.totals.innerText(), /30 µs/);
  });
  const link = page.page.url();
  await page.openFrom('columns…');
  await check('what was said can be changed', async () =>
    assert.equal(await dialog.getByRole('combobox', { name: 'elapsed' }).inputValue(), 'time_us'),
  );
  await dialog.getByRole('combobox', { name: 'elapsed' }).selectOption('time of one run, ms');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.settled();
  await page.link();
  await check('and is', async () => assert.match(await page.totals.innerText(), /30 ms/));
  const other = await openPage(link.slice(link.indexOf('#')));
  await other.drop({ 'mystery.csv': 'label,elapsed,work\na,10,2\nb,20,6\n' });
  await check('a link remembers it', async () => assert.match(await other.totals.innerText(), /30 µs/));
  await other.button('Share').click();
  await other.page.getByLabel(/Include the input/).check();
  await other.page.getByText(/and the input\./).waitFor();
  const guest = await openPage(await other.page.getByLabel('Link', { exact: true }).inputValue());
  await check('so does one with the input', async () => assert.match(await guest.totals.innerText(), /30 µs/));
  await guest.close();
  await other.close();
  const another = await openPage(link.slice(link.indexOf('#')));
  await another.drop({ 'other.csv': 'name,time_us,gflop\na,10,2\n' });
  await check('and holds no other file to it', async () => {
    assert.equal(await another.page.getByRole('alert').count(), 0);
    assert.equal(await another.count(), '1');
  });
  await another.close();

  await page.drop({ ...profile, 'broken.json': '[{"type": "ID_MM", ' });
  await check('a broken second file is named, and the first is open', async () => {
    assert.match(await page.alert(), /broken\.json/);
    assert.equal(await name(), 'engine.profile.json');
  });

  await check('no complaints', async () => assert.deepEqual(page.complaints, []));
  await page.close();
});
