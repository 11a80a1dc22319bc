// -o html: the page with the input and the view within it, as data that no browser runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { folder, put, refused, repository, roofline } from '../command.mjs';

const PAGE = '<!doctype html><p>page</p><script type="application/json" id="report"></script><script>run()</script>';
put('page.html', PAGE);
const hostile = '</script><script>alert(1)</script><!-- <script>';
const ops = [
  { type: 'ID_MM', name: hostile, data_type: 'FP16', input_mat1: [1, 4096], input_mat2: [4096, 4096], time_ns: 30000 },
  {
    type: 'ID_CONV',
    name: 'conv',
    data_type: 'INT8',
    input_shape: [1, 64, 56, 56],
    output_channels: 64,
    kernel_size: 3,
    time_ns: 9000,
  },
];
put('ops.json', JSON.stringify(ops));
put('odd name <b>.json', JSON.stringify(ops));
put(
  'mine.json',
  JSON.stringify({ id: 'mine', peaks: { matrix: { fp16: 1e12 } }, memories: [{ name: 'M', bandwidth: 1e9 }] }),
);
put(
  't4.json',
  JSON.stringify({ id: 't4', peaks: { matrix: { fp16: 1e12 } }, memories: [{ name: 'M', bandwidth: 1e9 }] }),
);
put('three.json', JSON.stringify([...ops, ops[0]].map((op, i) => ({ ...op, name: `op ${i}` }))));
put('packed.json.gz', gzipSync(JSON.stringify(ops)));

/// The data of a report, and that it is the page otherwise.
function report(...args) {
  const options = typeof args[0] === 'object' ? args.shift() : {};
  const { status, out, err } = roofline([...args, '-o', 'html', '--template', 'page.html'], options);
  assert.equal(status, 0, err);
  const start = PAGE.indexOf('"report">') + 9;
  const end = out.indexOf('</script>');
  assert.equal(out.slice(0, start) + out.slice(end), PAGE);
  const text = out.slice(start, end);
  assert.ok(!text.includes('<'), 'nothing in it can end the element');
  return JSON.parse(text);
}
const unpacked = ({ gzip }) => gunzipSync(Buffer.from(gzip, 'base64')).toString();

test('analyze: the file, its settings and what is selected', () => {
  const { link, files } = report(
    'analyze',
    'ops.json',
    '--machine',
    't4',
    '--category',
    'convolution',
    '--set',
    'whatif.weight=int4',
  );
  assert.deepEqual(link.source, { file: 'ops.json' });
  assert.equal(link.settings.machine, 't4');
  assert.equal(link.settings.whatif.weight, 'int4');
  assert.deepEqual(link.view, { types: ['ID_CONV'] });
  assert.deepEqual(Object.keys(files), ['source']);
  assert.deepEqual(JSON.parse(unpacked(files.source[0])), ops);
});

test('what nobody chose is not said to be chosen', () => {
  const { link } = report('analyze', 'ops.json');
  for (const key of ['machine', 'peak_tops', 'mem_bw']) assert.ok(!(key in link.settings), key);
});

test('a packed file, a registry, an odd name', () => {
  const registry = join(repository, 'tests/data/op_registry.json');
  const { link, files } = report('analyze', 'packed.json.gz', '--registry', registry);
  assert.deepEqual(
    files.source.map(({ name }) => name),
    ['op_registry.json', 'packed.json.gz'],
  );
  assert.equal(unpacked(files.source[0]), readFileSync(registry, 'utf8'));
  assert.deepEqual(JSON.parse(unpacked(files.source[1])), ops);
  assert.deepEqual(link.source, { file: 'packed.json.gz' });
  assert.deepEqual(report('analyze', 'odd name <b>.json').link.source, { file: 'odd name <b>.json' });
});

test('compare: both runs', () => {
  const { link, files } = report('compare', 'ops.json', 'packed.json.gz');
  assert.deepEqual(
    [link.before, link.source, link.view.tab],
    [{ file: 'ops.json' }, { file: 'packed.json.gz' }, 'compare'],
  );
  assert.deepEqual([files.before.length, files.source.length], [1, 1]);
});

test('op and llm: what to build, and no file', () => {
  const op = report('op', 'gemm', 'm=1', 'n=4096', 'k=4096', '--formats', 'fp16,int8', '--baseline', 'int8');
  assert.deepEqual(op.link.source, {
    built: 'operator',
    request: { type: 'gemm', parameters: { m: 1, n: 4096, k: 4096 }, formats: ['fp16', 'int8'] },
  });
  assert.equal(op.link.view.baseline, 1);
  const llm = report('llm', 'llama-3-8b', '--batch', '8', '--machine', 'h100-sxm');
  assert.equal(llm.link.source.built, 'model');
  assert.equal(llm.link.source.request.batch, 8);
  assert.equal(llm.link.settings.machine, 'h100-sxm');
  assert.deepEqual(llm.files, {});
});

test('llm --host: the model is shared with the host', () => {
  const args = ['llm', 'llama-3-70b', '--weights', 'Q4_K_M', '--machine', 'rtx-4090'];
  const { view } = report(...args, '--host', 'epyc-9654', '--gpu-layers', '30').link;
  assert.deepEqual(view, { offload: { host: 'epyc-9654', gpuLayers: 30 } });
});

test('standard input, packed or not, once or twice', () => {
  const from = (input, ...args) => report({ input }, ...args);
  for (const input of [JSON.stringify(ops), gzipSync(JSON.stringify(ops))]) {
    const { link, files } = from(input, 'analyze', '-', '--machine', 't4');
    assert.deepEqual(link.source, { file: 'standard input' });
    assert.deepEqual(
      files.source.map(({ name }) => name),
      ['standard input'],
    );
    assert.deepEqual(JSON.parse(unpacked(files.source[0])), ops);
  }
  const compared = from(JSON.stringify(ops), 'compare', '-', 'ops.json');
  assert.deepEqual(compared.link.before, { file: 'standard input' });
  assert.deepEqual(JSON.parse(unpacked(compared.files.before[0])), ops);
});

test('sweeps and machines: their views', () => {
  const gemm = ['op', 'gemm', 'n=4096', 'k=4096', '--formats', 'fp16,int8'];
  assert.deepEqual(report(...gemm, '--sweep', 'm=1..4096', '--show', 'rate').link.view, {
    tab: 'sweep',
    sweep: { metric: 'rate', x: { keys: ['m'], from: 1, to: 4096 } },
  });
  assert.deepEqual(
    report('op', 'gemm', 'm=1', 'n=1', 'k=1', '--sweep', 'm,n=1..64', '--sweep', 'k=8..512').link.view.sweep,
    {
      metric: 'time',
      x: { keys: ['m', 'n'], from: 1, to: 64 },
      y: { keys: ['k'], from: 8, to: 512 },
    },
  );
  assert.deepEqual(report(...gemm, '--sweep', 'm=1..64:linear').link.view.sweep.x, {
    keys: ['m'],
    from: 1,
    to: 64,
    log: false,
  });
  assert.deepEqual(report('llm', 'llama-3-8b', '--sweep', 'batch=1..64:linear').link.view.modelSweep, {
    by: '',
    key: 'batch',
    from: 1,
    to: 64,
    log: false,
  });
  assert.deepEqual(report(...gemm, 'm=1', '--machines', 't4,h100-sxm', '--baseline', 'int8').link.view, {
    tab: 'machines',
    machines: ['t4', 'h100-sxm'],
    baseline: 1,
  });
  assert.deepEqual(report('llm', 'llama-3-8b', '--sweep', 'batch=1..64', '--sweep', 'weights=fp16,int8').link.view, {
    tab: 'model-sweep',
    modelSweep: { by: 'weights', key: 'batch', from: 1, to: 64, values: ['fp16', 'int8'] },
  });
});

test('--top, --unchanged and --fuse: what the chart has, and what is looked at', () => {
  assert.deepEqual(report('analyze', 'ops.json', '--top', '1').link.view, { top: 1 });
  assert.equal(report('llm', 'llama-3-8b', '--top', '5').link.view.top, 5);
  assert.deepEqual(
    report('compare', 'ops.json', 'packed.json.gz', '--top', '2', '--unchanged', '--by-type').link.view,
    {
      tab: 'compare',
      unchanged: true,
      compareBy: 'type',
      top: 2,
    },
  );
  const { view, selected } = report('analyze', 'three.json', '--fuse', '1-2').link;
  assert.deepEqual([view, selected], [{ fuse: [1, 2] }, 1]);
});

test('machine files: whole, as settings and beside the chosen one', () => {
  const settings = (...args) => report(...args, '--machine', 'mine.json').link.settings.machine;
  for (const machine of [
    settings('analyze', 'ops.json'),
    settings('op', 'gemm', 'm=1', 'n=1', 'k=1'),
    settings('llm', 'llama-3-8b'),
    settings('compare', 'ops.json', 'packed.json.gz'),
  ]) {
    assert.equal(machine.id, 'mine');
    assert.equal(machine.memories[0].name, 'M');
  }
  const gemm = ['op', 'gemm', 'm=1', 'n=1', 'k=1', '--machines'];
  const [preset, mine] = report(...gemm, 't4,mine.json').link.view.machines;
  assert.equal(preset, 't4');
  assert.deepEqual([mine.id, mine.name, mine.peaks.matrix.fp16.value], ['mine', 'mine', 1e12]);
  // A file that is called as one of the catalogue's is another machine all the same.
  const [own] = report(...gemm, 't4.json').link.view.machines;
  assert.deepEqual([own.id, own.memories[0].bandwidth.value], ['t4', 1e9]);
});

test('the same input gives the same bytes', () => {
  const args = ['analyze', 'ops.json', '-o', 'html', '--template', 'page.html'];
  assert.equal(roofline(args).out, roofline(args).out);
});

test('what cannot become a report is told', () => {
  refused(1, ['analyze', 'nothing.json', '-o', 'html', '--template', 'page.html'], /nothing\.json: cannot be opened/);
  refused(
    1,
    ['analyze', 'ops.json', '-o', 'html', '--template', 'gone.html'],
    /gone\.html: not there: expected .*--template/,
  );
  refused(1, ['analyze', 'ops.json', '-o', 'html', '--template', 'ops.json'], /ops\.json: has no room for a report/);
  for (const [args, why] of [
    [['analyze', 'ops.json', '--top', '0'], /--top: a report's chart has one point at least/],
    [['analyze', 'three.json', '--fuse', '0,2'], /--fuse: a report has neighbours alone/],
    [['llm', 'llama-3-8b', '--sweep', 'weights=fp16,int8', '--sweep', 'kv=fp16,fp8_e4m3'], /values of one key/],
  ])
    refused(2, [...args, '-o', 'html', '--template', 'page.html'], why);
});
