// The labels of an axis keep their distance: web/src/plot/plane.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { planeOf, ticksOf } = await bundled('plot/plane.ts');

const LINE = 14; // px that the line of a label takes

test('axis labels never overlap', () => {
  for (const log of [true, false])
    for (const [low, high] of [
      [1e-6, 1e-4],
      [7e-6, 1.3e-4],
      [3e-6, 3e-3],
      [1, 4],
      [1e-12, 1e3],
    ])
      for (let height = 60; height <= 1600; height += 20) {
        const axis = { low, high, log, title: '' };
        const { y } = planeOf(axis, axis, { left: 0, right: 100, top: 0, bottom: height });
        const labelled = ticksOf(y).filter(({ label }) => label);
        for (const [i, { pixel, label }] of labelled.entries())
          assert.ok(
            i === 0 || Math.abs(pixel - labelled[i - 1].pixel) >= LINE,
            `${low} to ${high} in ${height} px: ${labelled[i - 1]?.label} and ${label}`,
          );
      }
});
