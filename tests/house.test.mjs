// The pipeline is the folder structure: a room of the core includes only itself and what stands above it in this list.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
// Rooms on one line stand beside each other; the earlier ones may be included by the later ones.
const order = ['base', 'machine', 'workload', 'operators', 'registry', 'read', 'tensor', 'scenario', 'analysis', 'accuracy', 'calculator',
  'llm', 'frame', 'write', 'session'];

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.[ch]pp$/.test(entry.name)) yield path;
  }
}

const sources = ['core/src', 'core/include/roofline'].flatMap((folder) =>
  [...files(join(root, folder))].map((path) => ({ path: relative(root, path), room: relative(join(root, folder), path).split('/') })));

test('every file of the core stands in a room of the pipeline', () => {
  assert.deepEqual(sources.filter(({ room }) => room.length < 2 || !order.includes(room[0])).map(({ path }) => path), []);
});

test('includes only go up the list of rooms, never down', () => {
  const wrong = [];
  for (const { path, room } of sources)
    for (const [, included] of readFileSync(join(root, path), 'utf8').matchAll(/^#include (?:<roofline\/|")([a-z_]+)\//gm))
      if (order.indexOf(included) > order.indexOf(room[0])) wrong.push(`${path} includes ${included}/`);
  assert.deepEqual(wrong, []);
});
