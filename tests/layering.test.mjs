// The folders are the layers: a file of the core includes only its own folder and the layers listed above it.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
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
  'scenario',
  'analysis',
  'accuracy',
  'calculator',
  'llm',
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

// The layers of the page: each imports those listed before it, and the files in web/src itself. Views and panels use state/, plot/, plotly/
// and widgets/, but never each other.
const pageLayers = ['state', 'plot', 'plotly', 'widgets', 'panels', 'views'];

const page = join(root, 'web/src');
const imports = [...files(page, /\.tsx?$/)].flatMap(path =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, target]) => ({
    from: relative(page, path).split('/'),
    to: relative(page, join(path, '..', target)).split('/'),
  })),
);
const layerOf = parts => (parts.length > 1 ? pageLayers.indexOf(parts[0]) : -1);
const described = ({ from, to }) => `${from.join('/')} imports ${to.join('/')}`;

test('views and panels never import each other', () => {
  const view = ({ from, to }) => from[0] === 'views' && to[0] === 'views' && (to.length === 2 || from[1] !== to[1]); // a view may have a folder
  const across = ({ from, to }) =>
    (from[0] === 'views' && to[0] === 'panels') || (from[0] === 'panels' && to[0] === 'views');
  assert.deepEqual(imports.filter(one => view(one) || across(one)).map(described), []);
});

test('a layer of the page imports only the layers before it', () => {
  assert.deepEqual(
    imports.filter(({ from, to }) => layerOf(from) >= 0 && layerOf(to) > layerOf(from)).map(described),
    [],
  );
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
  const [, page] = /interface ModelRequest \{(.*?)^\}/ms.exec(read('web/src/state/model_request.ts'));
  assert.deepEqual(
    [...page.matchAll(/^ {2}(\w+)\??:/gm)].map(([, key]) => key).sort(),
    [...known.matchAll(/"(\w+)"/g)].map(([, key]) => key).sort(),
  );
});
