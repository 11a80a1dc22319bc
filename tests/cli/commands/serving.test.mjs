// `roofline llm --phase serving`, tried as a user would.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate } from '../schemas.mjs';
import { binary, refused, roofline } from '../command.mjs';

const load = ['--phase', 'serving', '--machine', 'h200-sxm', '--prompt', '8000', '--generate', '1000'];
const llama = ['llm', 'llama-3.1-70b', '--weights', 'fp8_e4m3', ...load];

await test('an operating point: users in, times and throughput out', () => {
  const found = JSON.parse(roofline([...llama, '--tp', '4', '--concurrency', '64', '-o', 'json']).out);
  validate(binary, found);
  const s = found.summary;
  assert.deepEqual([found.schema, found.model, found.machine], ['roofline-serving/1', 'llama-3.1-70b', 'h200-sxm']);
  assert.equal(s.machines, 4);
  for (const prefix of ['', 'typical_']) {
    assert.ok(s[`${prefix}tpot_s`] > 0 && s[`${prefix}ttft_s`] > 0);
    assert.equal(s[`${prefix}output_tokens_per_s`] / 4, s[`${prefix}output_tokens_per_s_per_machine`]);
    assert.ok(Math.abs(s[`${prefix}tokens_per_s_per_user`] * s[`${prefix}tpot_s`] - 1) < 1e-12);
  }
  assert.ok(s.typical_tpot_s > s.tpot_s && s.typical_output_tokens_per_s < s.output_tokens_per_s);
  assert.ok(s.concurrency_max > 64);
  assert.ok(['prefill', 'compute', 'memory', 'link'].includes(s.bound_by));
  assert.ok(s.estimate.stack.length > 0);
});

await test('as a table', () => {
  const { status, out } = roofline([...llama, '--tp', '4', '--rate', '0.5']);
  assert.equal(status, 0);
  assert.match(out, /^0\.5 requests\/s on 4 x NVIDIA H200 SXM: 500 output tokens\/s, .* per token, first token after /);
  assert.match(out, /\nsaturation, requests\/s +\d/);
});

await test('what cannot be served is refused with a word', () => {
  refused(2, [...llama, '--tp', '4'], /--concurrency: expected a number of users, or a rate/);
  refused(
    2,
    [...llama, '--tp', '4', '--rate', '50'],
    /--rate: 50 requests\/s are beyond saturation: .* serve [\d.]+ requests\/s/,
  );
  refused(
    2,
    [...llama, '--tp', '5', '--concurrency', '1'],
    /--tp: expected a divisor of the model's 64 attention heads/,
  );
  refused(2, ['llm', 'llama-3.1-70b', ...load, '--concurrency', '1'], /--machine: does not fit: 141 GB of weights/);
  refused(2, [...llama, '--tp', '4', '--concurrency', '1', '-o', 'csv'], /expected -o table or json/);
});
