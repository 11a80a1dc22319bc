// `roofline quantize`, tried as a user would.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refused, roofline } from '../command.mjs';

const quantize = (...args) => JSON.parse(roofline(['quantize', ...args, '-o', 'json']).out);

await test('every mixture of a model, with the bytes of the published files', () => {
  const found = quantize('llama-3.1-8b', '--machine', 'rtx-4090', '--context', '32768');
  assert.equal(found.schema, 'roofline-quantize/1');
  assert.deepEqual(
    [found.model, found.machine, found.context, found.imatrix],
    ['llama-3.1-8b', 'rtx-4090', 32768, true],
  );
  assert.equal(found.mixtures.length, 25);
  const q4 = found.mixtures.find(({ name }) => name === 'Q4_K_M');
  assert.equal(q4.weights_bytes, 4912898304);
  assert.ok(Math.abs(q4.bits_per_weight - 4.8944) < 1e-4); // as llama.cpp's README prints it
  assert.match(q4.verdict, /^fits in /);
  assert.ok(q4.tpot_s > 0 && q4.typical_tpot_s > q4.tpot_s);
  assert.deepEqual([q4.basis, q4.pareto], ['predicted', true]);
  assert.ok(q4.kld_low < q4.kld && q4.kld < q4.kld_high);
  assert.match(found.credit, /Thireus' GGUF Tool Suite and its contributors/);
  assert.match(found.mixtures.at(-1).verdict, /\S/);
});

await test('the time of a mixture is that of roofline llm with it', () => {
  const [choice] = quantize('qwen3-4b', '--machine', 'rtx-4090', '--context', '8192').mixtures.filter(
    ({ name }) => name === 'Q4_K_M',
  );
  const { summary } = JSON.parse(
    roofline(['llm', 'qwen3-4b', '--machine', 'rtx-4090', '--context', '8192', '--weights', 'Q4_K_M', '-o', 'json'])
      .out,
  );
  assert.equal(choice.tpot_s, summary.tpot_s);
  assert.equal(choice.typical_tpot_s, summary.typical_tpot_s);
});

await test('as a table', () => {
  const { status, out } = roofline(['quantize', 'llama-3.1-8b', '--machine', 'rtx-4090']);
  assert.equal(status, 0);
  assert.match(
    out,
    /^F16 is the largest mixture that fits NVIDIA GeForce RTX 4090: 16\.1 GB of weights, .* per token, KLD 0\. \w+, with .* as fast at KLD 0\.\d+\.\n/,
  );
  assert.match(out, /\n\nmixture +weights +bits per weight +time per token +bound +KLD +80% of models +memory\n/);
  assert.match(out, /\nQ4_K_M +4.91 GB +4.89 /);
});

await test('what cannot be done is refused with a word', () => {
  refused(2, ['quantize', 'lama-3.1-8b'], /unknown model.*llama-3.1-8b/);
  refused(2, ['quantize', 'llama-3.1-8b', '--imatrix', 'maybe'], /imatrix/);
  refused(2, ['quantize', 'llama-3.1-8b', '--context', '0'], /--context: expected a whole number/);
});
