// Real answers of the page's module have the shapes that wasm/session.d.ts gives them: every key is there, none that is not described, and
// each value is of its type. The answers are written down as literals of those types, and the compiler judges them.
// Needs build/wasm/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCore, startOnDemand } from './start.mjs';

const root = new URL('../..', import.meta.url).pathname;
const core = await startCore();

const literals = [];

/** An answer, JSON text or an object with columns beside it; returned as a value. */
function answer(shape, value) {
  const object = typeof value === 'string' ? JSON.parse(value) : value;
  const column = item => (ArrayBuffer.isView(item) ? `new ${item.constructor.name}()` : JSON.stringify(item));
  literals.push(
    `{\n  const answer: protocol.${shape} = ${object ? `{${Object.entries(object).map(([key, item]) => `${JSON.stringify(key)}: ${column(item)}`)}}` : object};\n  void answer;\n}`,
  );
  return object;
}

function send(session, bytes, name) {
  const at = session.begin(bytes.length, name); // memory may grow here: HEAPU8 after it
  core.HEAPU8.set(bytes, at);
}

/** Opens a file and looks at everything that the page shows of one. */
function look(session, name) {
  const bytes = readFileSync(join(root, name));
  send(session, bytes, name);
  answer('Prepared', session.prepare());
  session.start(name, bytes.length);
  send(session, bytes, name);
  answer('Fed', session.feed());
  answer('Finished', session.finish());
  session.view(JSON.stringify({ memory: 'all', grouped: true, rows: 5 }));
  for (const config of ['{}', '{"whatif": {"weight": "int8", "activation": "int8"}}']) {
    assert.equal(session.configure(config), '{}');
    const frame = answer('FrameData', session.frame());
    answer('FrameJson', frame.json);
    for (const op of frame.points.slice(0, 3)) {
      const range = answer('RecordJson', session.record(op));
      answer(
        'Detail',
        session.detail(op, range ? bytes.subarray(range.offset, range.offset + range.length).toString() : ''),
      );
    }
  }
  for (const item of JSON.parse(session.diagnostics(0, 20)).items) answer('DiagnosticItem', item);
  answer('PrecisionJson', session.ask('precision', '{"roles": "all"}').json);
  answer('PrecisionJson', session.ask('precision', '{"roles": "weights", "op": 0}').json);
  answer('MachinesJson', session.ask('machines', '{"machines": ["t4", "h100-sxm"]}').json);
}

test('answers are as session.d.ts describes them', async () => {
  const session = new core.Session();
  for (const sample of [
    'resnet-50-synthetic.json',
    'decode-synthetic.json',
    'training-profile-synthetic.json',
    'orin-nano.json',
    'kernels-synthetic.csv',
  ])
    look(session, `presets/samples/${sample}`);
  session.keep(true);
  look(session, 'tests/data/mixed.json');
  answer('CompareJson', session.ask('compare', '{"rows": 20}').json);
  session.forget();
  look(session, 'tests/data/faults.json');

  for (const other of ['tests/data/roofline_config.json', 'tests/data/op_registry.json', 'presets/machines/t4.json']) {
    send(session, readFileSync(join(root, other)), other);
    answer('Prepared', session.prepare());
  }
  send(session, Buffer.from('{"a": 1}'), 'a.json');
  session.prepare();
  session.start('a.json', 8);
  send(session, Buffer.from('{"a": 1}'), 'a.json');
  answer('Fed', session.feed());
  answer('Finished', session.finish());
  send(session, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'a.png');
  answer('Prepared', session.prepare());

  const npz = readFileSync(join(root, 'tests/data/weights.npz')),
    npy = readFileSync(join(root, 'tests/data/weights.npy'));
  const { calls, put, answer: text } = await startOnDemand('quantize.wasm');
  const list = (start, size, name) => {
    put(name, start);
    calls.open_tensors(name.length, size);
    return answer('TensorList', text());
  };
  list(npz, npz.length, 'weights.npz');
  const { header_bytes } = list(npy.subarray(0, 16), npy.length, 'weights.npy');
  const {
    tensors: [{ offset, bytes }],
  } = list(npy.subarray(0, header_bytes), npy.length, 'weights.npy');
  put(npy.subarray(offset, offset + bytes));
  calls.tensor_accuracy(0);
  answer('AccuracyJson', text());
  session.delete();

  const folder = join(root, 'build/shapes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'answers.ts'),
    `import type * as protocol from '../../wasm/session';\n\n${literals.join('\n')}\n`,
  );
  const options = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noEmit',
    '--target',
    'ES2022',
    '--module',
    'ESNext',
    '--moduleResolution',
    'Bundler',
    '--types',
    '',
  ];
  const { stdout } = spawnSync(join(root, 'web/node_modules/.bin/tsc'), [...options, 'answers.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(stdout, '');
});
