// The npm package as somebody gets it: its tarball, installed in an empty folder. After tools/build native wasm command page npm.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { commandOf, installed, served } from './installed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const native = resolve(process.env.ROOFLINE ?? join(root, 'build/native/roofline'));
const folder = installed();
const data = name => join(root, 'tests/data', name);
const sample = join(root, 'presets/samples/resnet-50-synthetic.json');
writeFileSync(join(folder, 'packed.json.gz'), gzipSync(readFileSync(sample)));

const run = (program, args, input, environment) => {
  const { NODE_TEST_CONTEXT: _, ...env } = { ...process.env, ...environment }; // a test runner of its own
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, input, env, maxBuffer: 1 << 28 });
  return { status, out: stdout.toString(), err: stderr.toString() };
};
const command = commandOf(folder);

test('the command in WebAssembly writes what the native one does, byte for byte', () => {
  for (const args of [
    ['--help'],
    ['--version'],
    ['analyze', '--help'],
    ['serve', '--help'],
    ['analyze', sample],
    ['analyze', sample, '--machine', 'h100-sxm', '-o', 'json'],
    ['analyze', sample, '--set', 'whatif.weight=int4', '-o', 'csv'],
    ['analyze', sample, '-o', 'svg'],
    ['analyze', 'packed.json.gz', '--top', '3'],
    ['analyze', data('operations.xplane.pb')],
    ['analyze', data('faults.json')],
    ['analyze', data('truncated.json')],
    ['analyze', 'nothing.json'],
    ['analyze', sample, '--machine', 'h100'],
    ['analyze', '-', '-o', 'json'],
    ['op', 'gemm', 'm=1', 'n=4096', 'k=4096', '--formats', 'fp16,int8,int4'],
    ['op', 'gemm', 'n=4096', 'k=4096', '--sweep', 'm=1..4096', '-o', 'csv'],
    ['llm', 'llama-3-8b', '--machine', 'h100-sxm', '--phase', 'decode', '--batch', '8', '--context', '4096'],
    ['compare', data('seed.json'), data('seed.json'), '-o', 'json'],
    ['accuracy', data('weights.npz')],
    ['list', 'machines'],
    ['show', 'operator', 'conv'],
  ]) {
    const input = args.includes('-') ? readFileSync(sample) : '';
    assert.deepEqual(run(command, args, input), run(native, args, input), args.join(' '));
  }
});

test('gzip that has ended too early is told', () => {
  writeFileSync(join(folder, 'cut.json.gz'), gzipSync(readFileSync(sample)).subarray(0, 500));
  const { status, out, err } = run(command, ['analyze', 'cut.json.gz']);
  assert.deepEqual([status, out], [1, '']);
  assert.match(err, /corrupt gzip|ends|expected/);
});

test('serve: the page of the package, and the file', { timeout: 30_000 }, async t => {
  const { url, stop } = await served(t, command, [sample]);
  const page = await fetch(url);
  assert.match(await page.text(), /<div id="app">/);
  assert.equal(page.headers.get('server-timing'), 'roofline-serve');
  const { files } = await (await fetch(`${url}live/info`)).json();
  assert.deepEqual(files[0].name, basename(sample));
  assert.equal(await (await fetch(`${url}live/file/operations`)).text(), readFileSync(sample, 'utf8'));
  assert.equal(await stop(), 0);
});

test('-o html: a report from the page of the package', () => {
  const { status, out } = run(command, ['analyze', sample, '-o', 'html']);
  assert.equal(status, 0);
  assert.match(out, /<script type="application\/json" id="report">\{"version":/);
});

test('the library: columns are those of the JSON document', async () => {
  const { default: roofline, RooflineError } = await import(
    pathToFileURL(join(folder, 'node_modules/roofline-analysis/node.mjs'))
  );
  const r = await roofline();
  const analysis = r.analyze(readFileSync(sample), { machine: 'a100-80gb-sxm', name: basename(sample) });
  const document = JSON.parse(run(native, ['analyze', sample, '--machine', 'a100-80gb-sxm', '-o', 'json']).out);
  assert.deepEqual(analysis.json(), document);
  const { columns } = analysis;
  assert.equal(analysis.length, document.ops.length);
  document.ops.forEach((op, i) => {
    for (const key of [
      'flops',
      'bytes',
      'intensity',
      'predicted_time_s',
      'typical_time_s',
      'time_s',
      'lost_time_s',
      'efficiency',
    ])
      assert.deepEqual(Number.isNaN(columns[key][i]) ? null : columns[key][i], op[key], `${key} of ${op.name}`);
    assert.equal(columns.name[i], op.name);
    assert.equal(columns.statuses[columns.status[i]], op.status);
    assert.equal(columns.bound_by[i] === 255 ? null : columns.resources[columns.bound_by[i]], op.bound_by);
  });
  assert.equal(analysis.summary.bound_by, document.summary.bound_by);
  assert.equal(analysis.csv(), run(native, ['analyze', sample, '--machine', 'a100-80gb-sxm', '-o', 'csv']).out);
  analysis.free();
  assert.throws(() => r.analyze('[]', { machine: 'nothing-such' }), RooflineError);
  assert.throws(() => r.analyze(gzipSync('[]')), /gzip/);
  assert.ok(r.list('machines').some(({ id }) => id === 'h100-sxm'));
});

test('the examples of docs/guide/npm.md do what they say', () => {
  const examples = readFileSync(join(root, 'docs/guide/npm.md'), 'utf8').matchAll(/```js\n(.*?)```/gs);
  let ran = 0;
  for (const [, code] of examples) {
    writeFileSync(join(folder, 'example.mjs'), code);
    const said = Array.from(code.matchAll(/console\.log\(.*\); \/\/ (.*)/g), ([, text]) => `${text}\n`).join('');
    const { status, out, err } = run(process.execPath, ['example.mjs']);
    assert.deepEqual([status, out], [0, said], err);
    ++ran;
  }
  assert.ok(ran >= 4);
});

test('the types hold for the examples', () => {
  const code = [...readFileSync(join(root, 'docs/guide/npm.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)];
  writeFileSync(join(folder, 'node.d.ts'), 'declare const console: { log(...values: unknown[]): void };');
  code.forEach(([, text], i) =>
    writeFileSync(join(folder, `example${i}.ts`), text.replace('error.line', '(error as RooflineError).line')),
  );
  const files = code.map((_, i) => `example${i}.ts`);
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--lib',
    'es2022,dom',
  ];
  const { status, out } = run(join(root, 'web/node_modules/.bin/tsc'), [...options, '--types', '', ...files]);
  assert.equal(status, 0, out);
});

test('it is bundled for a browser by its URL', () => {
  writeFileSync(join(folder, 'app.mjs'), "import roofline from 'roofline-analysis'; globalThis.started = roofline();");
  const { status, err } = run(join(root, 'web/node_modules/.bin/esbuild'), [
    'app.mjs',
    '--bundle',
    '--format=esm',
    '--outfile=app.js',
    ...['fs', 'path', 'crypto', 'url', 'worker_threads'].map(name => `--external:${name}`),
  ]);
  assert.equal(status, 0, err);
  assert.match(readFileSync(join(folder, 'app.js'), 'utf8'), /roofline\.wasm/);
});
