// The lines of the roofs: web/src/roofline/roofs.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { roofLines } = await bundled('roofline/roofs.ts');

const window = { x0: -2, x1: 5, y0: 8, y1: 16 }; // decades
const roof = (name, kind, rate, whatif = false) => ({ name, kind, rate, whatif, achievable: false, in_play: true });
const today = [roof('FP16', 'compute', 1e14), roof('HBM', 'memory', 1e12)];
const lineOf = (roofs, name) => roofLines(roofs, window).lines.find(line => line.roof.name === name);

test('a roof ends at its ridge', () => {
  assert.equal(lineOf(today, 'FP16').x0, 2);
  assert.equal(lineOf(today, 'HBM').x1, 2);
});

test("a what-if of the peak alone begins at today's memory, one of the memory ends at today's peak", () => {
  assert.equal(lineOf([...today, roof('what-if FP16', 'compute', 1e15, true)], 'what-if FP16').x0, 3);
  assert.equal(lineOf([...today, roof('what-if HBM', 'memory', 1e13, true)], 'what-if HBM').x1, 1);
  const both = [...today, roof('what-if FP16', 'compute', 1e15, true), roof('what-if HBM', 'memory', 1e13, true)];
  assert.equal(lineOf(both, 'what-if FP16').x0, 2);
  assert.equal(lineOf(both, 'what-if HBM').x1, 2);
});

test('without a memory a peak crosses the window', () => {
  assert.equal(lineOf([today[0]], 'FP16').x0, window.x0);
  assert.equal(lineOf([roof('what-if FP16', 'compute', 1e15, true)], 'what-if FP16').x0, window.x0);
});
