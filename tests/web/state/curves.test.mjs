// Curves that coincide: web/src/plot/curves.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { drawTogether } = await bundled('plot/curves.ts');
const { CurveColours } = await bundled('plot/palette.ts');

/** The pieces that are drawn, each with its colour, its dashes and its ends. */
function drawn(xs, curves) {
  const pieces = [];
  const surface = {
    path(trace, { stroke, dash }) {
      const points = [];
      trace({ moveTo: x => points.push(x), lineTo: x => points.push(x) });
      if (points.length) pieces.push([stroke, dash, points[0], points.at(-1)]);
    },
  };
  const plane = { x: { pixel: x => x }, y: { pixel: y => y } };
  drawTogether(surface, plane, xs, curves);
  return pieces;
}
const curve = (stroke, values, rest) => ({ value: i => values[i], paint: { stroke, ...rest } });

test('a curve is dashed where it covers one that is drawn already', () => {
  const xs = [0, 10, 20, 30];
  assert.deepEqual(drawn(xs, [curve('fp16', [9, 9, 20, 30]), curve('int4', [9, 9, 40, 50])]), [
    ['fp16', undefined, 0, 30],
    ['int4', [14, 14], 0, 10],
    ['int4', undefined, 10, 30],
  ]);
});

test('a third leaves room for both', () => {
  const same = [5, 5];
  assert.deepEqual(
    drawn([0, 10], [curve('a', same), curve('b', same), curve('c', same)]).map(([, dash]) => dash),
    [undefined, [14, 14], [14, 28]],
  );
});

test('dashed curves keep their dashes, and what is unknown coincides with nothing', () => {
  const bound = { dash: [5, 4] };
  assert.deepEqual(drawn([0, 10], [curve('a', [5, 5], bound), curve('b', [5, 5], bound)])[1][1], [5, 13]);
  assert.deepEqual(drawn([0, 10], [curve('a', [NaN, NaN]), curve('b', [5, 5])]), [['b', undefined, 0, 10]]);
});

test('a curve keeps its colour while others come and go', () => {
  const colours = new CurveColours();
  assert.deepEqual(colours.of(['fp16', 'int8', 'int4:fp16']), [0, 1, 2]);
  assert.deepEqual(colours.of(['fp16', 'int4:fp16']), [0, 2]);
  assert.deepEqual(colours.of(['fp16', 'int4:fp16', 'fp8_e4m3']), [0, 2, 1]);
  assert.deepEqual(colours.of(['nvfp4', 'fp8_e4m3']), [0, 1]);
});
