// -o html: the page with the input and the view within it, as data that no browser runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { folder, put, refused, repository, roofline } from './command.mjs';

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
put('packed.json.gz', gzipSync(JSON.stringify(ops)));

/// The data of a report, and that it is the page otherwise.
function report(...args) {
  const { status, out, err } = roofline([...args, '-o', 'html', '--template', 'page.html']);
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
  refused(2, ['analyze', '-', '-o', 'html', '--template', 'page.html'], /standard input cannot be put into a report/, {
    input: JSON.stringify(ops),
    cwd: folder,
  });
  refused(
    2,
    ['analyze', 'ops.json', '--top', '1', '-o', 'html', '--template', 'page.html'],
    /--top: a report has every/,
  );
  refused(
    2,
    ['op', 'gemm', 'n=1', 'k=1', '--sweep', 'm=1..8', '-o', 'html'],
    /--sweep: expected -o table, json or csv/,
  );
});
