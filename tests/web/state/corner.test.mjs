// The corner that the roofline's legend takes: web/src/roofline/corner.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { freeCorner } = await bundled('roofline/corner.ts');

const drawn = { plane: { box: { left: 0, right: 600, top: 0, bottom: 300 } }, marks: [], roofs: [], labels: [] };
const corner = (part, now = 'top-left') => freeCorner({ ...drawn, ...part }, 200, 120, now);
const name = { left: 100, right: 160, top: 90, bottom: 102 };

test('the legend stays where it covers nothing', () => {
  assert.equal(corner({}), 'top-left');
  assert.equal(corner({}, 'bottom-left'), 'bottom-left');
});

test('it covers no name of a ridge, but that rather than a point', () => {
  assert.equal(corner({ labels: [name] }), 'bottom-right');
  const marks = [
    { x: 500, y: 60, radius: 5 },
    { x: 500, y: 250, radius: 5 },
    { x: 100, y: 250, radius: 5 },
  ];
  assert.equal(corner({ labels: [name], marks }), 'top-left');
});
