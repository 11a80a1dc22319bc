// The pipeline is the folder structure: a room of the core includes only itself and what stands above it in this list.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
// Rooms on one line stand beside each other; the earlier ones may be included by the later ones.
const order = [
  'base',
  'machine',
  'workload',
  'operators',
  'registry',
  'read',
  'tensor',
  'scenario',
  'analysis',
  'accuracy',
  'calculator',
  'llm',
  'frame',
  'write',
  'session',
];

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.[ch]pp$/.test(entry.name)) yield path;
  }
}

const sources = ['core/src', 'core/include/roofline'].flatMap(folder =>
  [...files(join(root, folder))].map(path => ({
    path: relative(root, path),
    room: relative(join(root, folder), path).split('/'),
  })),
);

test('every file of the core stands in a room of the pipeline', () => {
  assert.deepEqual(
    sources.filter(({ room }) => room.length < 2 || !order.includes(room[0])).map(({ path }) => path),
    [],
  );
});

test('includes only go up the list of rooms, never down', () => {
  const wrong = [];
  for (const { path, room } of sources)
    for (const [, included] of readFileSync(join(root, path), 'utf8').matchAll(
      /^#include (?:<roofline\/|")([a-z_]+)\//gm,
    ))
      if (order.indexOf(included) > order.indexOf(room[0])) wrong.push(`${path} includes ${included}/`);
  assert.deepEqual(wrong, []);
});

// The page has rooms too: each uses those above it in this list, and what stands beside them in web/src (format, protocol ...). Views and
// panels stand beside each other: they ask state/ and share pieces from plot/, plotly/ and widgets/, but never use each other.
const pageRooms = ['state', 'plot', 'plotly', 'widgets', 'panels', 'views'];

function* scripts(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* scripts(path);
    else if (/\.tsx?$/.test(entry.name)) yield path;
  }
}

const page = join(root, 'web/src');
const imports = [...scripts(page)].flatMap(path =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, target]) => ({
    from: relative(page, path).split('/'),
    to: relative(page, join(path, '..', target)).split('/'),
  })),
);
const roomOf = parts => (parts.length > 1 ? pageRooms.indexOf(parts[0]) : -1);
const described = ({ from, to }) => `${from.join('/')} imports ${to.join('/')}`;

test('views and panels never import each other', () => {
  const view = ({ from, to }) => from[0] === 'views' && to[0] === 'views' && (to.length === 2 || from[1] !== to[1]); // a view may have a folder
  const across = ({ from, to }) =>
    (from[0] === 'views' && to[0] === 'panels') || (from[0] === 'panels' && to[0] === 'views');
  assert.deepEqual(imports.filter(one => view(one) || across(one)).map(described), []);
});

test('the rooms of the page only use those above them', () => {
  assert.deepEqual(imports.filter(({ from, to }) => roomOf(from) >= 0 && roomOf(to) > roomOf(from)).map(described), []);
});

test('the nightly workflow runs every fuzzer', () => {
  const targets = readFileSync(join(root, 'tests/fuzz/CMakeLists.txt'), 'utf8').matchAll(/^roofline_fuzz\((\w+)/gm);
  const nightly = /target: \[(.*)\]/.exec(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8'))[1];
  assert.deepEqual(
    nightly.split(', '),
    [...targets].map(([, name]) => name),
  );
});

test("the keys of a model's request are those of the core, on the page and in the npm package", () => {
  const read = path => readFileSync(join(root, path), 'utf8');
  const [, known] = /> known = \{(.*?)\};/s.exec(read('core/src/llm/request.cpp'));
  const [, page] = /interface ModelRequest \{(.*?)^\}/ms.exec(read('web/src/state/model_request.ts'));
  assert.deepEqual(
    [...page.matchAll(/^ {2}(\w+)\??:/gm)].map(([, key]) => key).sort(),
    [...known.matchAll(/"(\w+)"/g)].map(([, key]) => key).sort(),
  );
});
