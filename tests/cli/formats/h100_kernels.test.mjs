// Estimates against times of PyTorch's kernels on an H100 (tests/data/h100_kernels.csv). No constant was fitted to them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository, roofline } from '../command.mjs';

const file = join(repository, 'tests/data/h100_kernels.csv');
const { ops } = JSON.parse(roofline(['analyze', file, '--machine', 'h100-sxm', '-o', 'json']).out);
const median = numbers => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const off = ops.map(({ type, time_s, typical_time_s }) => ({ type, error: Math.abs(typical_time_s / time_s - 1) }));

test('no kernel is faster than its bound', () => {
  assert.equal(ops.length, 90);
  for (const { name, time_s, predicted_time_s } of ops)
    assert.ok(predicted_time_s > 0 && time_s >= predicted_time_s, `${name}: ${time_s} s, bound ${predicted_time_s} s`);
});

test('estimates are off by 13% in the median, those of products by 11%', () => {
  const products = off.filter(({ type }) => type === 'gemm');
  assert.equal(products.length, 66);
  const all = median(off.map(({ error }) => error));
  const ofProducts = median(products.map(({ error }) => error));
  assert.ok(all < 0.13, `${all}`);
  assert.ok(ofProducts < 0.115, `${ofProducts}`);
});
