// Where the labels of the measured roofs stand: without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from '../state/bundled.mjs';

const { labelHeights } = await bundled('measure/Roofs.tsx');

test('labels keep their places where there is room, and a line between them where there is none', () => {
  assert.deepEqual(labelHeights([10, 100, 50]), [10, 100, 50]);
  assert.deepEqual(labelHeights([20, 18, 19]), [44, 18, 31]);
  assert.deepEqual(labelHeights([5, 5]), [5, 18]);
  assert.deepEqual(labelHeights([]), []);
});
