// The places of a plot's labels: web/src/plot/room.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { Room, upright } = await bundled('plot/room.ts');
const { drawNames } = await bundled('roofline/labels.ts');
const { labelLane } = await bundled('roofline/lane.ts');

const plot = { left: 0, right: 200, top: 0, bottom: 100 };
const [high, low] = [upright(50, 20, 60), upright(50, 60, 60)];
const across = y => ({ x0: 0, y0: y, x1: 200, y1: y });
const up = x => ({ x0: x, y0: 0, x1: x, y1: 40 });
const heightIn = room => room.take([high, low])?.y;

test('a label takes the first place that covers nothing', () => {
  assert.equal(heightIn(new Room(plot, [], [])), 20);
  assert.equal(heightIn(new Room(plot, [{ x: 80, y: 20, radius: 3 }], [])), 60);
  assert.equal(heightIn(new Room(plot, [], [across(20)])), 60);
  assert.equal(heightIn(new Room(plot, [], [], [up(80)])), 60, 'an arrow is in the way');
});

test('it stays out of what is blocked, and says if a line crosses it', () => {
  const room = new Room(plot, [], [across(60)]);
  room.block({ left: 40, right: 60, top: 0, bottom: 40 });
  assert.deepEqual(room.take([high, low]), { ...low, crossed: true });
  assert.equal(room.take([high]), null);
  assert.equal(room.taken.length, 1);
});

test('a label with a gap keeps it to the frame and other labels, and crosses no line', () => {
  const [edge, inner] = [upright(50, 7, 60), upright(50, 60, 60)];
  assert.equal(new Room(plot, [], []).take([edge, inner]).y, 7);
  assert.equal(new Room(plot, [], []).take([edge, inner], false, 3).y, 60);
  const room = new Room(plot, [], []);
  room.take([upright(50, 46, 60)]);
  assert.equal(room.take([inner], false, 3), null);
  assert.equal(new Room(plot, [], [across(60)]).take([inner], false, 3), null);
});

test('a label that must be clear covers neither point nor arrow', () => {
  assert.equal(new Room(plot, [], [], [up(80)]).take([high], true), null);
  assert.equal(new Room(plot, [{ x: 80, y: 20, radius: 3 }], []).take([high], true), null);
});

test('of too many points, labels avoid the first ones', () => {
  const points = Array.from({ length: 600 }, () => ({ x: 80, y: 20, radius: 3 }));
  assert.equal(new Room(plot, points, []).take([high], true), null);
});

/** A surface that keeps the texts drawn on it. */
function texts() {
  const drawn = [];
  const text = (text, x, y, style) => drawn.push({ text, x, y, halo: style.halo });
  return { drawn, surface: { palette: {}, text, textWidth: () => 40, path: () => {} } };
}

test("an operation's name is left out where it would cover a mark or an arrow", () => {
  const { drawn, surface } = texts();
  const markers = [{ op: 7, x: 100, y: 50, radius: 4 }];
  const draw = (points, arrows) =>
    drawNames(surface, { labelled: { 7: 'conv1' } }, markers, new Room(plot, points, [], arrows));
  draw(markers, []);
  assert.deepEqual(
    drawn.splice(0).map(({ text }) => text),
    ['conv1'],
  );
  const grid = Array.from({ length: 200 }, (_, i) => ({ x: (i % 20) * 10, y: Math.floor(i / 20) * 10, radius: 4 }));
  draw(grid, []);
  draw([], [across(34), across(38), across(50), across(62), across(66)]);
  assert.deepEqual(drawn, []);
});

test("a label of the lane's scale is on the free side of its line, with a halo over the roofs", () => {
  const { drawn, surface } = texts();
  const axis = { low: 1, high: 1e9, log: true };
  const plane = {
    box: { left: 28, right: 200, top: 0, bottom: 100 },
    x: { axis, at: decade => decade, pixel: value => value },
    y: { axis, at: decade => 100 - 10 * decade, pixel: value => value },
  };
  const label = markers =>
    labelLane(surface, plane, 28, [{ pixel: 50, label: '100 k' }], markers, [
      { roof: { kind: 'memory', rate: 10 ** 5.5 } },
    ]);
  label([]);
  assert.deepEqual(drawn.splice(0), [{ text: '100 k', x: 14, y: 56, halo: true }]);
  label([{ x: 14, y: 58, radius: 4 }]);
  assert.equal(drawn[0].y, 45, 'over the roof rather than over a point');
});
