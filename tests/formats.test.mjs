// docs/formats/formats.md begins with the list of tools: every reader has its row there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const text = path => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const document = text('docs/formats/formats.md').split('\n');
const first = document.findIndex(line => line.startsWith('| your tool |'));
const rows = document
  .slice(first + 2, document.indexOf('', first))
  .map(line => line.split('|').map(cell => cell.trim()));
const tools = rows.map(([, tool]) => tool).join('\n');

// What the list calls the tool of each detects_NAME in formats.cpp.
const toolOf = {
  summary: 'Roofline itself',
  operation_rows: 'Roofline itself',
  answer: 'Roofline itself',
  xprof: 'XProf',
  pytorch: 'PyTorch',
  tensorrt: 'TensorRT',
  onnxruntime: 'ONNX Runtime',
  device_trace: 'JAX, TensorFlow: timeline',
  openvino: 'OpenVINO',
  ascend: 'Ascend',
  rocprofv3: 'rocprofv3',
  rocprof_compute: 'rocprof-compute',
  rknn: 'RKNN',
  tenstorrent: 'Tenstorrent',
  nsight_compute_text: 'Nsight Compute',
  nsight_compute_csv: 'Nsight Compute',
  nsight_compute_report: 'Nsight Compute',
  nsight_systems: 'Nsight Systems',
  xplane: 'XPlane',
  results: 'anything with a table',
  providers: 'Triton',
  kernels: 'anything with a table',
};
// Tables of further readers: each of their tools is looked up below.
const tables = ['tool_table', 'known_file'];

test('the list of tools is the first thing in the document', () => assert.equal(first, 2));

test('every reader has a row in the list of tools', () => {
  const readers = [...text('core/src/read/formats.cpp').matchAll(/\{detects_(\w+), open_/g)].map(([, name]) => name);
  assert.ok(readers.length > 15);
  const missing = [...readers, 'kernels'].filter(
    name => !tables.includes(name) && !tools.includes(toolOf[name] ?? '\0'),
  );
  assert.deepEqual(missing, []);
});

test('every tool that prints a table has a row in the list of tools', () => {
  const names = [...text('core/src/read/tools/tool_tables.cpp').matchAll(/^ {4}\{"([^"]+)", "/gm)].map(
    ([, name]) => name,
  );
  assert.ok(names.length > 20);
  const all = rows
    .map(cells => cells.join(' '))
    .join('\n')
    .toLowerCase();
  const words = name =>
    name
      .toLowerCase()
      .match(/[\w.-]{3,}/g)
      .filter(word => !/^(log|the|profile|profiler|viewer|counters|analysis|report|trace)$/.test(word));
  assert.deepEqual(
    names.filter(name => !words(name).every(word => all.includes(word))),
    [],
  );
});

test('every row says how to export the file and what the reader was tried on', () => {
  for (const [, tool, command, tried] of rows) {
    assert.ok(tool && command, tool);
    if (!/^(a script|Roofline)/.test(tool)) assert.match(tried, /real|documentation|source|public tables/, tool);
  }
});
