// Repeats, the clock of a GPU and throttling: without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../state/bundled.mjs';

const { throttled } = await bundled('measure/probing.ts');
const { timed } = await bundled('measure/gpu/gpu.ts');

/** A GPU whose dispatches take these seconds, the last of them from then on. */
const gpuOf = seconds => ({ time: async (_, count) => count * (seconds.length > 1 ? seconds.shift() : seconds[0]) });

test('the repeats of a time begin again while a GPU becomes faster', async () => {
  const slow = Array.from({ length: 12 }, (_, i) => 0.06 / 1.1 ** i);
  const { seconds, spread } = await timed(gpuOf([...slow, 0.02]), {}, 5);
  assert.equal(seconds, 0.02);
  assert.ok(spread < 0.05, `the slow repeats do not count: ${spread}`);
});

test('the shortest of steady times counts, and a slow repeat does not end the others', async () => {
  const { seconds } = await timed(gpuOf([0.02, 0.02, 0.05, 0.0199, 0.02]), {}, 5);
  assert.ok(Math.abs(seconds - 0.0199) < 1e-12, seconds);
});

test('throttling is reported if the last rate is below 90% of the first', () => {
  const best = rate => ({ rate, spread: 0.01 });
  assert.deepEqual(throttled('The GPU', best(100), best(91)), []);
  assert.deepEqual(throttled('The GPU', best(100), best(120)), []);
  assert.match(throttled('The GPU', best(100), best(72))[0], /^The GPU fell to 72% of its first rate/);
});
