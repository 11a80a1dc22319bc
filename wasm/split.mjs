// Splits the linked module in two: core.wasm has the functions that the first answers run, rest.wasm all others. Which are which is seen by
// running them: an instrumented module opens the first sample. Calls cross by the function table (start.mjs), so a function on the wrong
// side costs time and never changes a result.
//
//   node split.mjs roofline.js SAMPLE      writes core.wasm and rest.wasm beside roofline.js
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const [glue, sample] = process.argv.slice(2);
const built = name => join(dirname(glue), name);

/** What a module may use: wasm-split does not find out by itself. */
const features = [
  'simd',
  'nontrapping-float-to-int',
  'bulk-memory',
  'sign-ext',
  'mutable-globals',
  'multivalue',
  'reference-types',
];
const split = (...args) =>
  execFileSync(process.env.WASM_SPLIT ?? 'wasm-split', [...features.map(feature => `--enable-${feature}`), ...args]);

split('--instrument', built('roofline.wasm'), '-o', built('instrumented.wasm'));
let exports;
const module = await createRequire(import.meta.url)(glue)({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(readFileSync(built('instrumented.wasm')), imports).then(({ instance, module }) => {
      exports = instance.exports;
      done(instance, module);
    });
    return {};
  },
});

const session = new module.Session();
const give = bytes => {
  const at = session.begin(bytes.length, basename(sample));
  module.HEAPU8.set(bytes, at);
  return at;
};
const succeed = text => {
  const { error } = JSON.parse(text);
  if (error) throw new Error(error.message);
};

for (const kind of ['machines', 'models', 'formats', 'operators', 'stacks']) session.list(kind);
const bytes = readFileSync(sample);
give(bytes.subarray(0, 16));
succeed(session.tensors(bytes.length));
give(bytes);
succeed(session.prepare());
succeed(session.takeAs('{}'));
session.start(basename(sample), bytes.length);
give(bytes);
succeed(session.feed());
succeed(session.finish());
session.frame();
for (const config of [
  { machine: 'a100-80gb-sxm' },
  { whatif: { weight: 'int4', batch_scale: 4 } },
  { whatif: { peak_scale: 2, bandwidth_scale: 2 } },
  {},
]) {
  succeed(session.configure(JSON.stringify(config)));
  const window = { log_x0: -1, log_x1: 4, log_y0: 8, log_y1: 14 };
  for (const view of [
    { search: 'conv' },
    { sort: 'predicted', descending: false, rows: 100 },
    { types: ['ID_CONV'], statuses: ['memory-bound', 'normal'], grouped: true, memory: 'all' },
    { sort: 'lost', descending: true, offset: 0, rows: 50, selected: 1, ...window },
    {},
  ]) {
    succeed(session.view(JSON.stringify(view)));
    session.frame();
  }
  for (const op of [0, 1, 2, 3]) {
    const { offset, length } = JSON.parse(session.record(op));
    session.detail(op, bytes.subarray(offset, offset + length).toString());
  }
  session.config();
  session.machine();
}
session.diagnostics(0, 10);
session.indexOf('');

const room = 1 << 20;
const at = session.begin(room, '');
const size = exports.__write_profile(at, room);
if (size > room) throw new Error(`the profile takes ${size} bytes: expected at most ${room}`);
writeFileSync(built('first.profile'), module.HEAPU8.subarray(at, at + size));
split(
  built('roofline.wasm'),
  '--profile',
  built('first.profile'),
  '-o1',
  built('core.wasm'),
  '-o2',
  built('rest.wasm'),
);
