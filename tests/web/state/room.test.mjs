// The places of a plot's labels: web/src/plot/room.ts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundled } from './bundled.mjs';

const { Room, upright } = await bundled('plot/room.ts');

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
