// The dimensions of real networks, moved by their sliders: the multiply-adds follow closed forms.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openLengthOnnx } from '../../onnx.mjs';
import { samples, skip } from '../../samples.mjs';
import { check, openPage } from '../harness.mjs';

const YUNET_AT_320 = 135_598_400; // facts.json; every layer is a convolution whose image shrinks with the input

/// `moved` by their sliders, `typed` into their fields; `macs` at the lengths that both come to.
const networks = {
  'BERT, 5 layers of 32 channels': {
    file: 'models/onnx/bert_toy_optimized.onnx',
    moved: ['batch', 'max_seq_len_in_batch'],
    // A token: queries, keys, values, output, an MLP of 37, the prediction over 99 words, and attention to all; an image: the pooler.
    macs: ({ batch, max_seq_len_in_batch: tokens }) =>
      batch * tokens * (5 * (4 * 32 ** 2 + 2 * 32 * 37) + 32 ** 2 + 32 * 99 + 5 * 2 * 32 * tokens) +
      batch * (32 ** 2 + 2 * 32),
  },
  'GPT-2 with a past': {
    file: 'models/onnx/gpt2_past_pytorch16.onnx',
    moved: ['batch_size'],
    typed: { seq_len: 3 }, // of the past; its table of positions has eight rows
    // One new token in 12 layers of 4 channels, and attention to the past and to itself.
    macs: ({ batch_size, seq_len }) => batch_size * 12 * (12 * 4 ** 2 + 2 * 4 * (seq_len + 1)),
  },
  YuNet: {
    file: 'models/onnx/yunet_n_dynamic.onnx',
    moved: ['batch'],
    typed: { height: 416, width: 352 },
    macs: ({ batch, height, width }) => (batch * height * width * YUNET_AT_320) / 320 ** 2,
  },
  'an encoder of PyTorch, 2 layers of 32 channels': {
    file: 'models/torch/encoder_dynamic.onnx',
    moved: ['batch', 'seq'],
    macs: ({ batch, seq }) => batch * seq * (2 * 8 * 32 ** 2 + 32 * 100 + 2 * 2 * 32 * seq),
  },
};

for (const [title, { file, moved, typed = {}, macs }] of Object.entries(networks))
  test(`the lengths of ${title}`, { skip }, async () => {
    const path = join(samples, file);
    if (!existsSync(path)) return;
    const page = await openPage();
    await page.page.locator('#file-input').setInputFiles(path);
    await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
    await page.settled();
    const sizes = page.page.getByRole('region', { name: 'Network' });
    const field = name => sizes.getByRole('spinbutton', { name: new RegExp(`^${name}\\b`) });
    // While the core is slow to answer for one length, the others are set.
    await page.page.evaluate(() => (globalThis.waits.held = 100));
    for (const [name, length] of Object.entries(typed)) await field(name).fill(String(length));
    for (const name of moved) {
      const before = Number(await field(name).inputValue());
      const slider = sizes.getByRole('slider', {
        name: new RegExp(`^${name}\\b`),
      });
      await slider.focus();
      for (let step = 0; step < 3; ++step) await slider.press('ArrowRight');
      await check(name, async () => assert.ok(Number(await field(name).inputValue()) >= before + 3));
    }
    await page.settled();
    const lengths = {};
    for (const name of [...moved, ...Object.keys(typed)]) lengths[name] = Number(await field(name).inputValue());
    for (const [name, length] of Object.entries(typed)) assert.equal(lengths[name], length, name);
    await check(`${title} at ${JSON.stringify(lengths)}`, async () => {
      const { summary } = JSON.parse(await readFile((await page.download('JSON')).path, 'utf8'));
      assert.equal(summary.matrix_macs, macs(lengths));
      assert.deepEqual(summary.not_counted, []);
    });
    page.assertQuiet();
    await page.close();
  });

test('a network none of whose nodes can be counted opens, and asks for its length', async () => {
  const page = await openPage();
  await page.drop({ 'open.onnx': openLengthOnnx() });
  await page.settled();
  assert.match(
    await page.notices.innerText(),
    /No node of the ONNX model can be counted: 1 MatMul \(.*\)\. Set time\./,
  );
  const sizes = page.page.getByRole('region', { name: 'Network' });
  await sizes.getByRole('spinbutton', { name: /^time\b/ }).fill('16');
  await page.page.getByRole('heading', { name: /^At least/, level: 1 }).waitFor();
  await page.settled();
  assert.doesNotMatch(await page.text(page.page.locator('body')), /can be counted/);
  const { summary } = JSON.parse(await readFile((await page.download('JSON')).path, 'utf8'));
  assert.equal(summary.matrix_macs, 16 * 4 * 2);
  page.assertQuiet();
  await page.close();
});
