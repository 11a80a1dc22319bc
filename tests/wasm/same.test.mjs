// The command and the page's module are the same core: for every input and setting they must write the same bytes, and refuse the same files.
// Needs build/native/roofline and build/wasm/.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { startCore, startOnDemand } from './start.mjs';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = join(root, 'build/native/roofline');
const core = await startCore();

const scratch = mkdtempSync(join(tmpdir(), 'roofline-'));
/** One test: `problem` says what is wrong, or is nothing. */
const check = (name, problem) => test(name, () => problem && assert.fail(String(problem)));

function native(...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { maxBuffer: 1 << 30 });
  if (error) throw error;
  return { status, out: stdout.toString(), err: stderr.toString() };
}

function give(session, bytes) {
  const at = session.begin(bytes.length, ''); // memory may grow here: HEAPU8 after it
  core.HEAPU8.set(bytes, at);
}

/** Reads a file of operations in pieces, as the page does. */
function open(session, file, bytes, parsed = JSON.parse) {
  session.start(basename(file), bytes.length);
  for (let at = 0; at < bytes.length; at += 1000) {
    give(session, bytes.subarray(at, at + 1000));
    parsed(session.feed());
  }
  return parsed(session.finish());
}

/** What Session.write gives for the file, or its error. Read in small slices, as the page reads large files. */
function wasm(file, { config, registry }, kind) {
  const session = new core.Session();
  try {
    const parsed = text => {
      const result = JSON.parse(text);
      if (result.error) throw result.error;
      return result;
    };
    if (registry) parsed(session.addRegistry(readFileSync(registry, 'utf8')));
    if (config) parsed(session.configure(JSON.stringify(config)));
    const bytes = readFileSync(file);
    give(session, bytes);
    const prepared = parsed(session.prepare());
    if (prepared.kind !== 'operations') return { skipped: true };
    open(session, file, bytes, parsed);
    const pieces = [];
    session.write(kind, piece => pieces.push(Buffer.from(piece)), 0);
    return { out: Buffer.concat(pieces).toString() };
  } catch (error) {
    if (typeof error?.message !== 'string' || error instanceof Error) throw error;
    return { fault: error };
  } finally {
    session.delete();
  }
}

function firstDifference(a, b) {
  if (a === b) return '';
  let i = 0;
  while (a[i] === b[i]) ++i;
  const around = text => JSON.stringify(text.slice(Math.max(0, i - 80), i + 40));
  return `differs at byte ${i}\n  native ${around(a)}\n  wasm   ${around(b)}`;
}

function compare(file, variant, kind) {
  const theirs = wasm(file, variant, kind);
  if (theirs.skipped) return;
  const args = ['analyze', file, '-o', kind];
  if (variant.registry) args.push('--registry', variant.registry);
  if (variant.config) {
    args.push('--config', made('roofline_config.json', JSON.stringify(variant.config)));
  }
  const ours = native(...args);
  const name = `${basename(file)}, ${variant.name}, ${kind}`;
  if (theirs.fault) {
    const same = ours.status === 1 && ours.out === '' && ours.err.includes(theirs.fault.message);
    check(name, !same && `wasm says "${theirs.fault.message}", native exits ${ours.status} with "${ours.err.trim()}"`);
  } else {
    check(
      name,
      ours.status !== 0 ? `native exits ${ours.status}: ${ours.err.trim()}` : firstDifference(ours.out, theirs.out),
    );
  }
}

const made_config = config => made('roofline_config.json', JSON.stringify(config));

/** Operations of many kinds, shapes and formats, some of them faulty; the same ones every time. */
function generated(count) {
  let state = 1n;
  const below = n => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((state >> 33n) % BigInt(n));
  };
  const pick = list => list[below(list.length)];
  const size = () => 1 + below(pick([4, 64, 5000]));
  const kinds = [
    () => ({
      type: 'ID_CONV',
      input_shape: [1, size(), size() + 3, size() + 3],
      output_channels: size(),
      kernel_size: [3, 3],
      stride: 1 + below(2),
      padding: below(2),
    }),
    () => ({ type: 'MatMul', input_mat1: [size(), 96], input_mat2: [pick([96, 96, 96, 97]), size()] }),
    () => ({ type: 'aten::bmm', input_mat1: [7, size(), 32], input_mat2: [7, 32, size()] }),
    () => ({ type: 'ID_MUL', input_self: [size(), 1, size()], input_other: [size()] }),
    () => ({ type: 'softmax', input: [size(), size()] }),
    () => ({ type: 'layer_norm', input_shape: [size(), size()] }),
    () => ({ type: 'transpose', input_shape: [size(), size(), 2] }),
    () => ({ type: 'relu', input_shape: [size(), pick([0, -1, 1.5, 8, 8, 8, 8])] }),
    () => ({ type: 'fused', flops: size() * 1e6, bytes: size() * 1e4 }),
    () => ({ type: pick(['mystery', 'conv2d']), macs: size() }),
  ];
  const names = ['layer.%', '<script>alert(%)</script>', 'Faltung \u00fc\u{1f600} %', '"quoted" \\ % \n'];
  return Array.from({ length: count }, (_, i) => {
    const op = { name: pick(names).replace('%', i), ...pick(kinds)() };
    if (below(4)) op.data_type = pick(['INT8', 'fp16', 'BF16', 'float', 'int4_g128', 'mxfp4', 'no_such_type']);
    if (!below(5)) op.weight_type = pick(['int4', 'nvfp4', 'q4_k']);
    if (below(5)) op.time_ns = pick([size() * 1000.5, size() * 1e6, 0, 'soon']);
    if (!below(6)) op.hw_bytes = size() * 4096;
    return op;
  });
}

function made(name, text) {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}
const json = folder =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.json'))
    .map(name => join(root, folder, name));

const ops = JSON.stringify(generated(1000));
const files = [
  ...json('tests/data'),
  ...json('presets/samples').filter(file => !file.endsWith('index.json')), // names the others
  made('generated.json', ops),
  made('indented.json', '\ufeff' + JSON.stringify({ ops: JSON.parse(ops) }, null, 2).replaceAll('\n', '\r\n')),
  made('utf16.json', Buffer.from('\ufeff' + ops, 'utf16le')),
  made(
    'lines.json',
    JSON.parse(ops)
      .map(op => JSON.stringify(op))
      .join('\n'),
  ),
];
// Texts of numbers that a double rounds in its last place, is out of range of, or that are none.
const numbers = [
  '9007199254740993',
  '0.1000000000000000055511151231257827',
  '1.7976931348623157e308',
  '1.7976931348623159e308',
  '4.9e-324',
  '2e-324',
  '2.2250738585072011e-308',
  '6.02214076e+23',
  '1e-05',
  '3.5E6',
  '.5',
  '5.',
  '-0',
  '123456789012345678',
  '1e23',
  '8.5e22',
  '1e400',
  `0.${'3'.repeat(400)}`,
  `${'9'.repeat(40)}e-20`,
  'inf',
  '-Infinity',
  'nan',
  '0x10',
  '+1',
  '1e',
  '1e+',
  '1_000',
  '--1',
  '1 2',
  '1\0',
];
const unusable = [
  '',
  ' \n',
  '[',
  '[{"type": "relu"',
  '{"ops": 3}',
  '[] []',
  '[{"type": "re\0lu"}]',
  "{'a': 1}",
  '\x89PNG\r\n\x1a\n',
  '['.repeat(100000),
  ops.slice(0, -7),
];
const variants = [
  { name: 'as it comes' },
  { name: 'MAC/s, other rates', config: { peak_tops: 12.5, mem_bw: 68.3, ops_per_mac: 1 } },
  { name: 'other thresholds', config: { bound_thresh: 90, mem_thresh: 10, comp_thresh: 20 } },
  { name: 'what-if: formats', config: { whatif: { weight: 'int4_g128', activation: 'int8', output: 'fp16' } } },
  {
    name: 'what-if: rates',
    config: { machine: 'h100-sxm', whatif: { batch_scale: 8, peak_scale: 1.7, bandwidth_scale: 0.9 } },
  },
  { name: 'what-if: machine', config: { machine: 'jetson-orin-nano', whatif: { machine: 't4', weight: 'mxfp4' } } },
  { name: 'refused settings', config: { machine: 'no such machine' } },
  ...json('presets/registries').map(path => ({ name: `registry ${basename(path)}`, registry: path })),
];

files.unshift(
  made('numbers.csv', `name,m,n,k,time_us\n${numbers.map((text, i) => `op${i},64,64,64,${text}`).join('\n')}\n`),
);
files.unshift(made('truncated.json', '[{"type": "relu", "input_self": [8, 8]}, {"type": "re'));

for (const file of files) {
  for (const variant of variants) compare(file, variant, 'json');
  compare(file, variants[0], 'csv');
  compare(file, variants[0], 'svg');
}
unusable.forEach((text, i) => compare(made(`unusable-${i}.json`, Buffer.from(text, 'latin1')), variants[0], 'json'));
for (const machine of json('presets/machines').map(path => basename(path, '.json'))) {
  compare(files.at(-1), { name: machine, config: { machine } }, 'json');
}

// Two runs compared, through filters: the page's file of changes is the command's.
{
  const later = JSON.parse(ops)
    .filter((_, i) => i % 9)
    .map((op, i) => ({
      ...op,
      time_ns: typeof op.time_ns === 'number' ? op.time_ns * (0.5 + (i % 13) / 12) : op.time_ns,
    }));
  const [a, b] = [made('earlier.json', ops), made('later.json', JSON.stringify(later))];
  const session = new core.Session();
  for (const file of [a, b]) {
    session.keep(file === b);
    open(session, file, readFileSync(file));
  }
  const changes = [];
  for (const [name, view, args] of [
    ['all', {}, []],
    ['by name', { search: 'layer.9' }, ['--name', 'layer.9']],
    ['by type', { types: ['ID_CONV', 'softmax'] }, ['--category', 'ID_CONV,softmax']],
    ['by bound', { bounds: ['compute'] }, ['--bound-by', 'compute']],
    ['by limit', { limits: ['compute', 'neither'] }, ['--limited-by', 'compute,neither']],
  ]) {
    session.view(JSON.stringify(view));
    const written = (kind, ...more) => {
      const pieces = [];
      session.write(kind, piece => pieces.push(Buffer.from(piece)), 0);
      const theirs = Buffer.concat(pieces).toString();
      const ours = native('compare', a, b, ...args, ...more, '-o', 'csv');
      check(`${kind} ${name}`, ours.status !== 0 ? ours.err.trim() : firstDifference(ours.out, theirs));
      return theirs.split('\r\n').length;
    };
    changes.push(written('compare.csv'));
    written('compare_types.csv', '--by-type');
    const figures = ({ summary, all, sum_by, by_type }) => JSON.stringify([summary, all, sum_by, by_type]);
    const document = JSON.parse(native('compare', a, b, ...args, '-o', 'json').out),
      answer = JSON.parse(session.ask('compare', '{}').json);
    check(`compare ${name}: totals`, firstDifference(figures(document), figures(answer)));
  }
  check(
    'compare: filters leave some',
    changes.some((lines, i) => i > 0 && !(lines > 2 && lines < changes[0])) && String(changes),
  );
  session.delete();
}

// Language models: the whole document with its answer, the picture, sweeps.
const own = {
  architectures: ['Qwen3MoeForCausalLM'],
  model_type: 'qwen3_moe',
  hidden_size: 1024,
  intermediate_size: 3072,
  moe_intermediate_size: 384,
  num_hidden_layers: 12,
  num_attention_heads: 16,
  num_key_value_heads: 4,
  head_dim: 128,
  num_experts: 32,
  num_experts_per_tok: 4,
  vocab_size: 50000,
};
const speculate = { gamma: 4, acceptance: 0.8, draft: 'llama-3.2-1b' };
for (const [machine, request, args] of [
  [
    'a100-80gb-sxm',
    { model: 'llama-3-8b', batch: 8, context: 4096, weights: 'int4_g128', kv: 'fp8_e4m3', price_usd: 12000 },
    ['--price', '12000'],
  ],
  [
    'h100-sxm',
    { model: 'gemma-3-27b', phase: 'prefill', prompt: 3000, attention: 'flash', causal: false },
    ['--no-causal'],
  ],
  [
    't4',
    {
      model: 'mistral-7b',
      phase: 'generate',
      prompt: 266,
      generate: 32,
      weights: 'nf4',
      measured_s: 2.415,
      attention: 'unfused',
    },
    [],
  ],
  ['h200-sxm', { model: 'deepseek-v3', batch: 64, context: 3000, tp: 4, ep: 8, weights: 'fp8', usd_per_hour: 3.5 }, []],
  [
    'b200-sxm',
    { model: 'llama-3.1-70b', phase: 'generate', prompt: 900, generate: 300, speculate },
    ['--speculate', '4,0.8,llama-3.2-1b'],
  ],
  ['gaudi3', { model: 'gpt-oss-120b', phase: 'generate', prompt: 64, generate: 500, batch: 4 }, []],
  ['apple-m2-ultra', { model: own, context: 2000, weights: 'q4_0', mla: 'auto', years: 2, price_usd: 4000 }, []],
]) {
  const name = typeof request.model === 'string' ? request.model : 'a config.json';
  const options = ['--machine', machine, ...args];
  for (const [key, value] of Object.entries(request))
    if (!['model', 'causal', 'speculate', 'price_usd'].includes(key))
      options.push(`--${key.replaceAll('_', '-')}`, String(value));
  if (typeof request.model === 'object' && request.price_usd) options.push('--price-usd', String(request.price_usd));
  const model = typeof request.model === 'string' ? request.model : made('own.json', JSON.stringify(request.model));
  const asked =
    typeof request.model === 'string' ? request : { ...request, model: { ...request.model, _name_or_path: 'own' } };
  const llm = new core.Session();
  llm.configure(JSON.stringify({ machine }));
  const { error } = JSON.parse(llm.build('model', JSON.stringify(asked)));
  check(`llm ${name}: opens`, error?.message);
  for (const kind of ['json', 'csv', 'svg']) {
    const pieces = [];
    llm.write(kind, piece => pieces.push(Buffer.from(piece)), 0);
    check(
      `llm ${name}, ${kind}`,
      firstDifference(native('llm', model, ...options, '-o', kind).out, Buffer.concat(pieces).toString()),
    );
  }
  const phase = request.phase ?? 'decode';
  const key = phase === 'prefill' ? 'prompt' : 'batch';
  const ours = JSON.parse(
    native('llm', model, ...options, '--sweep', `${key}=1..3000:40`, '--sweep', 'kv=fp16,int8', '-o', 'json').out,
  );
  const theirs = llm.ask(
    'model_sweep',
    JSON.stringify({
      request: asked,
      axis: { key, from: 1, to: 3000, points: 40 },
      choices: [{ key: 'kv', values: ['fp16', 'int8'] }],
    }),
  );
  const head = JSON.parse(theirs.json);
  check(`llm ${name}: sweep's values`, firstDifference(JSON.stringify(ours.axis), JSON.stringify(head.axis)));
  ours.curves.forEach((curve, i) => {
    const { verdict, crossings, fits_to, ridge } = head.curves[i];
    check(
      `llm ${name}: sweep's crossings ${i}`,
      firstDifference(
        JSON.stringify([curve.verdict, curve.crossings, curve.fits_to, curve.ridge]),
        JSON.stringify([verdict, crossings, fits_to, ridge]),
      ),
    );
    for (const metric of ['tokens_per_s', 'typical_tpot_s', 'ttft_s', 'bytes_per_machine', 'usd_per_million_tokens']) {
      const same = firstDifference(
        JSON.stringify(curve[metric].map(v => (v === null ? NaN : Math.fround(v)))),
        JSON.stringify(Array.from(theirs[`${metric}${i}`])),
      );
      check(`llm ${name}: sweep's ${metric} ${i}`, same);
    }
  });
  // The map has no command of its own: against single answers of the native one.
  const map = llm.ask(
    'model_map',
    JSON.stringify({ request: { ...asked, phase: 'decode' }, columns: 5, rows: 3, batch: 64, context: 8192 }),
  );
  const { batches, contexts } = JSON.parse(map.json);
  const plain = options.filter(
    (_, at) =>
      !['--phase', '--prompt', '--generate', '--measured-s', '--context', '--batch'].some(
        o => options[at] === o || options[at - 1] === o,
      ),
  );
  for (const [column, row] of [
    [0, 0],
    [3, 2],
  ]) {
    const { summary } = JSON.parse(
      native(
        'llm',
        model,
        ...plain,
        '--batch',
        String(batches[column]),
        '--context',
        String(contexts[row]),
        '-o',
        'json',
      ).out,
    );
    const cell = map.tokens_per_s[row * 5 + column];
    check(
      `llm ${name}: map ${column},${row}`,
      !(Number.isNaN(cell) ? summary.fits === false : Math.fround(summary.tokens_per_s) === cell) &&
        `${cell} and ${summary.tokens_per_s}`,
    );
  }
  llm.delete();
}

// Operators by their shape, and a sweep of one.
for (const [type, parameters, formats] of [
  ['gemm', { m: 1, n: 4096, k: 4096 }, ['fp16', 'int8', 'int4:fp16', 'nvfp4', 'q4_k:bf16']],
  ['conv', { input_shape: [1, 64, 56, 56], output_channels: 64, kernel_size: 3, padding: 1 }, ['fp16', 'int8']],
  [
    'attention',
    { heads: 32, kv_heads: 8, head_dim: 128, query_length: 512, causal: true },
    ['fp16', 'fp16:fp16::int8'],
  ],
]) {
  const calculator = new core.Session();
  const config = { machine: 'rtx-3080', overhead: { network: 'fp16', overlap: 95, tile: '128x128' } };
  calculator.configure(JSON.stringify(config));
  calculator.build('operator', JSON.stringify({ type, parameters, formats }));
  const pieces = [];
  calculator.write('json', piece => pieces.push(Buffer.from(piece)), 0);
  const written = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  const args = ['op', type, ...written, '--formats', formats.join(','), '--config', made_config(config), '-o', 'json'];
  check(`op ${type}`, firstDifference(native(...args).out, Buffer.concat(pieces).toString()));
  if (type === 'gemm') {
    const swept = JSON.parse(native(...args, '--sweep', 'm=1..100000:200').out);
    const answer = calculator.ask(
      'sweep',
      JSON.stringify({
        operator: { type, parameters, formats },
        axes: [{ keys: ['m'], from: 1, to: 100000, points: 200 }],
      }),
    );
    const { axes, crossings } = JSON.parse(answer.json);
    check('sweep: values', firstDifference(JSON.stringify(swept.axes[0].values), JSON.stringify(axes[0])));
    check(
      'sweep: crossings',
      firstDifference(
        JSON.stringify(swept.crossings.map(({ at }) => at)),
        JSON.stringify(crossings.map(({ at }) => at)),
      ),
    );
    const theirs = Array.from(answer.predicted3),
      ours = swept.formats[3].predicted_time_s.map(Math.fround);
    check('sweep: times', firstDifference(JSON.stringify(ours), JSON.stringify(theirs)));
  }
  calculator.delete();
}

const session = new core.Session();
for (const kind of ['machine', 'format', 'operator']) {
  const list = session.list(`${kind}s`);
  check(`list ${kind}s`, firstDifference(native('list', `${kind}s`, '-o', 'json').out.trimEnd(), list.trimEnd()));
  for (const { id } of JSON.parse(list)) {
    check(
      `show ${kind} ${id}`,
      firstDifference(native('show', kind, id, '-o', 'json').out.trimEnd(), session.show(kind, id).trimEnd()),
    );
  }
}

// A tensor: the header first, then the data.
const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (32, 200), }\n";
const weights = Float32Array.from(
  { length: 6400 },
  (_, i) => Math.fround(((i * 7919) % 1009) / 1009 - 0.5) * (i % 97 ? 1 : 12),
);
const head = Buffer.concat([Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]), Buffer.from(header)]);
const tensor = made('weights.npy', Buffer.concat([head, Buffer.from(weights.buffer)]));
const quantize = await startOnDemand('quantize.wasm');
const openTensors = (start, size, name) => {
  quantize.put(name, start);
  quantize.calls.open_tensors(name.length, size);
  return JSON.parse(quantize.answer());
};
const accuracyOf = (name, bytes) => {
  quantize.put(name, bytes);
  quantize.calls.tensor_accuracy(name.length);
  return `${quantize.answer()}\n`;
};
openTensors(head, head.length + 25600, 'weights.npy');
check(
  'accuracy of a tensor',
  firstDifference(native('accuracy', tensor, '-o', 'json').out, accuracyOf('', Buffer.from(weights.buffer))),
);

// One of an archive, unpacked as the page does it.
const archive = readFileSync(join(root, 'tests/data/weights.npz'));
const npz = made('weights.npz', archive);
const { tensors: listed, format } = openTensors(archive, archive.length, 'weights.npz');
const { packed } = listed[1];
const array = inflateRawSync(archive.subarray(packed.offset, packed.offset + packed.bytes));
quantize.put(array);
quantize.calls.unpack_tensor(1);
[listed[1]] = JSON.parse(quantize.answer()).tensors;
check(
  'tensors of an archive',
  firstDifference(
    native('accuracy', npz, '--list', '-o', 'json').out.trimEnd(),
    JSON.stringify({ format, tensors: listed }),
  ),
);
const { offset, bytes } = listed[1];
check(
  'accuracy of a packed one',
  firstDifference(
    native('accuracy', npz, '--tensor', 'deflated', '-o', 'json').out,
    accuracyOf('deflated', array.subarray(offset, offset + bytes)),
  ),
);
session.delete();

rmSync(scratch, { recursive: true });
