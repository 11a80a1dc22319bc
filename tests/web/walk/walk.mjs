// Walks every task on a page of some size.
import { test } from 'node:test';
import { openPage } from '../harness.mjs';
import { TASKS } from './tasks.mjs';

export function walkAt(place) {
  for (const [task, walk] of Object.entries(TASKS))
    test(`${task}, at ${place.viewport.width} px`, () =>
      walk((address = '', options = {}) => openPage(address, { ...place, clock: true, ...options })));
}
