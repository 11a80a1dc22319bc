// The folders are the layers: a file of the core includes only its own folder and the layers listed above it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { test } from 'node:test';

const root = new URL('..', import.meta.url).pathname;
const layers = [
  'base',
  'machine',
  'workload',
  'operators',
  'registry',
  'read',
  'tensor',
  'network',
  'scenario',
  'analysis',
  'accuracy',
  'calculator',
  'llm',
  'serving',
  'frame',
  'write',
  'session',
];
// The families of readers are layers of their own within `read`.
const readerLayers = ['text', 'operations', 'table', 'tools', 'trace', 'layers', 'npu', 'nsight', 'amd', 'xla'];

function* files(folder, ending = /\.[ch]pp$/) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path, ending);
    else if (ending.test(entry.name)) yield path;
  }
}

const sources = ['core/src', 'core/include/roofline'].flatMap(folder =>
  [...files(join(root, folder))].map(path => ({
    path: relative(root, path),
    parts: relative(join(root, folder), path).split('/'),
    text: readFileSync(path, 'utf8'),
  })),
);

test('every file of the core is in the folder of a layer', () => {
  const known = ({ parts }) =>
    parts.length > 1 &&
    layers.includes(parts[0]) &&
    (parts[0] !== 'read' || parts.length === 2 || readerLayers.includes(parts[1]));
  assert.deepEqual(
    sources.filter(source => !known(source)).map(({ path }) => path),
    [],
  );
});

test('a layer includes only itself and the layers above it', () => {
  const wrong = [];
  for (const { path, parts, text } of sources) {
    for (const [, included] of text.matchAll(/^#include (?:<roofline\/|")([a-z_]+)\//gm))
      if (layers.indexOf(included) > layers.indexOf(parts[0])) wrong.push(`${path} includes ${included}/`);
    if (parts[0] !== 'read' || parts.length === 2) continue;
    for (const [, included] of text.matchAll(/^#include "read\/([a-z_]+)\//gm))
      if (readerLayers.indexOf(included) > readerLayers.indexOf(parts[1]))
        wrong.push(`${path} includes read/${included}/`);
  }
  assert.deepEqual(wrong, []);
});

test('no folder has more than 24 sources', () => {
  const count = new Map();
  const sources = ['core', 'wasm', 'tools', 'tests'].flatMap(folder => [
    ...files(join(root, folder), /\.([ch]pp|mjs|py)$/),
  ]);
  for (const path of sources) {
    const folder = relative(root, join(path, '..'));
    count.set(folder, (count.get(folder) ?? 0) + 1);
  }
  assert.deepEqual(
    [...count].filter(([, sources]) => sources > 24),
    [],
  );
});

// What a file of C++ uses it includes, itself or through a header of ours: libraries differ in what else their headers bring.
const MATHS =
  'abs ceil exp exp2 floor fmod hypot isfinite isinf isnan ldexp llround log log10 log2 lround nearbyint pow round sqrt trunc';
const SEARCHES =
  'all_of any_of clamp copy count_if equal fill find find_if lower_bound max max_element min min_element none_of nth_element ' +
  'partial_sort remove_if reverse sort stable_sort transform upper_bound';
const DECLARES = {
  algorithm: SEARCHES,
  array: 'array',
  cmath: MATHS,
  cstdint: 'u?int(8|16|32|64)_t',
  cstdio: 'fprintf fputs printf snprintf',
  cstdlib: 'abort atoi exit getenv strtod strtoul',
  cstring: 'memchr memcmp memcpy memset strlen',
  functional: 'function',
  limits: 'numeric_limits',
  map: 'map',
  memory: 'make_shared make_unique shared_ptr unique_ptr',
  numeric: 'accumulate iota reduce',
  optional: 'nullopt optional',
  span: 'span',
  string: 'string to_string',
  string_view: 'string_view',
  tuple: 'make_tuple tie tuple',
  unordered_map: 'unordered_map',
  variant: 'get_if monostate variant visit',
  vector: 'vector',
};

test('what a file of C++ uses of the standard library, it includes', () => {
  const folders = ['core/include', 'core/src', 'tools', 'tests/core', 'tests/fuzz', 'wasm'];
  const known = new Map();
  const included = path => {
    if (known.has(path)) return known.get(path);
    const all = new Set();
    known.set(path, all);
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/^#include [<"]([^>"]+)[>"]/gm)) {
      all.add(name);
      const places = [
        join(path, '..'),
        ...[...folders, 'tools/cli', 'tools/validation'].map(folder => join(root, folder)),
      ];
      const own = places.map(place => join(place, name)).find(file => name.includes('.') && existsSync(file));
      if (own) for (const further of included(own)) all.add(further);
    }
    return all;
  };
  const patterns = Object.entries(DECLARES).map(([header, names]) => [
    header,
    new RegExp(`\\bstd::(${names.replaceAll(' ', '|')})\\b`),
  ]);
  const missing = [];
  for (const path of folders.flatMap(folder => [...files(join(root, folder))])) {
    const text = readFileSync(path, 'utf8').replace(/\/\/.*$/gm, '');
    for (const [header, used] of patterns)
      if (used.test(text) && !included(path).has(header)) missing.push(`${relative(root, path)}: <${header}>`);
  }
  assert.deepEqual(missing, []);
});

// The page is grouped by features. plot/, plotly/ and widgets/ hold the components that features share.
const shared = ['plot', 'plotly', 'widgets'];
const frames = ['shell', 'change', 'main.tsx']; // put the features' components together

const page = join(root, 'web/src');
const modules = [...files(page, /\.tsx?$/)];
const imports = modules.flatMap(path =>
  [...readFileSync(path, 'utf8').matchAll(/(import type [^;']*)?(?:from|import)\s*\(?'(\.[^']+)'/g)].map(
    ([, type, target]) => {
      const to = ['.ts', '.tsx', '.d.ts'].map(ending => join(path, '..', target + ending)).find(existsSync);
      return { from: relative(page, path), to: relative(page, to), type: Boolean(type) };
    },
  ),
);
const featureOf = path => path.split('/')[0];
const described = ({ from, to }) => `${from} imports ${to}`;

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

test("a component of a feature is used by that feature, or by the page's frame", () => {
  const across = ({ from, to }) =>
    to.endsWith('.tsx') &&
    featureOf(from) !== featureOf(to) &&
    !shared.includes(featureOf(to)) &&
    !frames.includes(featureOf(from));
  assert.deepEqual(imports.filter(across).map(described), []);
});

test('shared components import no component of a feature', () => {
  const upwards = ({ from, to }) =>
    shared.includes(featureOf(from)) && to.endsWith('.tsx') && !shared.includes(featureOf(to));
  assert.deepEqual(imports.filter(upwards).map(described), []);
});

test('no modules of the page import each other in a circle', () => {
  const targets = grouped(
    imports.filter(({ type }) => !type),
    ({ from }) => from,
  );
  const done = new Set();
  const circles = [];
  const visit = (path, above) => {
    if (above.includes(path)) return void circles.push([...above.slice(above.indexOf(path)), path].join(' > '));
    if (done.has(path)) return;
    for (const { to } of targets.get(path) ?? []) visit(to, [...above, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  assert.deepEqual(circles, []);
});

test('no folder of the page has more than 24 files, and no two names there differ in capitals alone', () => {
  const faults = [];
  for (const [folder, paths] of grouped(modules, path => relative(root, join(path, '..')))) {
    if (paths.length > 24) faults.push(`${folder} has ${paths.length} files`);
    const names = paths.map(path => basename(path).replace(/\.\w+$/, ''));
    const seen = new Map();
    for (const name of names) {
      const other = seen.get(name.toLowerCase());
      if (other && other !== name) faults.push(`${folder}: ${other} and ${name}`);
      seen.set(name.toLowerCase(), name);
    }
  }
  assert.deepEqual(faults, []);
});

test('the nightly workflow runs every fuzzer', () => {
  const targets = readFileSync(join(root, 'tests/fuzz/CMakeLists.txt'), 'utf8').matchAll(/^roofline_fuzz\((\w+)/gm);
  const nightly = /target: \[(.*)\]/.exec(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8'))[1];
  assert.deepEqual(
    nightly.split(', '),
    [...targets].map(([, name]) => name),
  );
});

test('workflows and the action are what GitHub takes', () => {
  const { validateAction, validateWorkflow } = createRequire(join(root, 'web/'))('@action-validator/core');
  const faults = (validate, path) => validate(readFileSync(join(root, path), 'utf8')).errors;
  for (const name of readdirSync(join(root, '.github/workflows')))
    assert.deepEqual(faults(validateWorkflow, `.github/workflows/${name}`), [], name);
  for (const name of readdirSync(join(root, '.github/actions')))
    assert.deepEqual(faults(validateAction, `.github/actions/${name}/action.yml`), [], name);
});

test("the keys of a model's request are those of the core, on the page and in the npm package", () => {
  const read = path => readFileSync(join(root, path), 'utf8');
  const [, known] = /> known = \{(.*?)\};/s.exec(read('core/src/llm/request.cpp'));
  const [, page] = /interface ModelRequest \{(.*?)^\}/ms.exec(read('web/src/model/model_request.ts'));
  assert.deepEqual(
    [...page.matchAll(/^ {2}(\w+)\??:/gm)].map(([, key]) => key).sort(),
    [...known.matchAll(/"(\w+)"/g)].map(([, key]) => key).sort(),
  );
});

test('a table of members that stands for a schema has a name of its own', () => {
  // GCC gives object_of<table> of two files one address, though both tables are in anonymous namespaces.
  const places = new Map();
  for (const { path, text } of sources)
    for (const [, table] of text.matchAll(/\b(?:object_of|objects_of|object_or_null)<(\w+)>/g))
      places.set(table, (places.get(table) ?? new Set()).add(path));
  places.delete('table'); // a parameter, where they are defined
  const shared = [...places].filter(([, paths]) => paths.size > 1);
  assert.deepEqual(
    shared.map(([table, paths]) => `${table}: ${[...paths].join(', ')}`),
    [],
  );
});
