// What inference engines say of their layers: TensorRT, ONNX Runtime, OpenVINO, RKNN. Real files where ../shared has them, by their content
// alone, against sums and shapes worked out here; and the fixtures of tests/data.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { put, refused, repository, roofline } from '../command.mjs';
import { samples, skip } from '../../samples.mjs';

const machine = ['--machine', 'a100-40gb-sxm'];

/// The document of what a stream says, which has no name.
function document(input, ...args) {
  const { status, out, err } = roofline(['analyze', '-', ...machine, ...args, '-o', 'json'], { input });
  assert.equal(status, 0, err);
  return JSON.parse(out);
}
const close = (ours, theirs, what) => assert.ok(Math.abs(ours / theirs - 1) < 1e-9, `${what}: ${ours} for ${theirs}`);
const product = list => list.reduce((all, n) => all * n, 1);

const trtexec = join(samples, 'tensorrt_trtexec');
/** Layers, and the first one's milliseconds. */
const ENGINES = {
  'resnet-A100-fp16': [36, 0.080896],
  'resnet-A100-qat': [37, 0.06144],
  'mobilenet.qat': [73, undefined],
};

for (const [name, [count, first]] of Object.entries(ENGINES)) {
  const file = kind => join(trtexec, `${name}.onnx.engine.${kind}.json`);

  await test(`TensorRT: ${name}: the profile's times`, { skip }, () => {
    const text = readFileSync(file('profile'));
    const rows = JSON.parse(text).slice(1);
    const { ops, summary } = document(text);
    assert.equal(ops.length, count);
    if (first !== undefined) close(ops[0].time_s, first * 1e-3, 'the first layer');
    close(
      summary.time_s,
      rows.reduce((sum, { averageMs }) => sum + averageMs * 1e-3, 0),
      'all layers',
    );
  });

  await test(`TensorRT: ${name}: the layers' work is that of their shapes`, { skip }, () => {
    const text = readFileSync(file('graph'));
    const layers = JSON.parse(text).Layers;
    const { ops } = document(text);
    assert.equal(ops.length, count);
    let convolutions = 0;
    for (const [i, layer] of layers.entries()) {
      if (layer.ParameterType !== 'Convolution') continue;
      ++convolutions;
      const [input, output] = [layer.Inputs[0].Dimensions, layer.Outputs[0].Dimensions];
      const kernel = (input[1] / layer.Groups) * product(layer.Kernel);
      assert.equal(ops[i].flops, 2 * product(output) * kernel, layer.Name);
      assert.equal(layer.Weights.Count, layer.OutMaps * kernel, layer.Name);
    }
    assert.ok(convolutions > 20);
    for (const [i, layer] of layers.entries())
      if (layer.ParameterType === 'Reformat') {
        assert.equal(ops[i].flops, 0);
        assert.ok(ops[i].bytes > 0);
      }
  });

  await test(`TensorRT: ${name}: profile and layers are joined by name`, { skip }, () => {
    for (const order of [
      ['profile', 'graph'],
      ['graph', 'profile'],
    ]) {
      const { status, out, err } = roofline(['analyze', ...order.map(file), ...machine, '-o', 'json']);
      assert.equal(status, 0, err);
      const { ops, summary, diagnostics } = JSON.parse(out);
      assert.equal(ops.length, count);
      assert.match(diagnostics[0].message, new RegExp(`^${count} of ${count} operations of .* have their times from`));
      const times = JSON.parse(readFileSync(file('profile'))).slice(1);
      for (const { name: layer, averageMs } of times.filter(({ averageMs }) => averageMs > 0)) {
        const op = ops.find(({ name }) => name === layer);
        close(op.time_s, averageMs * 1e-3, layer);
        assert.ok(op.efficiency > 0 && op.efficiency < 1.25, `${layer}: ${op.efficiency}`);
      }
      assert.ok(summary.efficiency > 0.02 && summary.efficiency < 1);
    }
  });
}

await test('two files that do not belong together say so', { skip }, () => {
  const of = (name, kind) => join(trtexec, `${name}.onnx.engine.${kind}.json`);
  refused(1, ['analyze', of('mobilenet.qat', 'profile'), of('resnet-A100-qat', 'graph')], /1 of 37 names are in both/);
  refused(
    1,
    ['analyze', of('mobilenet.qat', 'profile'), of('resnet-A100-qat', 'profile')],
    /two runs are compared; roofline compare takes two runs/,
  );
  refused(2, ['analyze', '-', '-'], /only one of the two files can be standard input/);
  refused(1, ['analyze', of('mobilenet.qat', 'profile'), 'nowhere.json'], /nowhere\.json/);
});

await test('times and work of any two files are joined', () => {
  put('times.csv', 'name,time_us\nfirst,5\nsecond,7\n');
  put('work.json', '[{"type": "gemm", "name": "second", "m": 8, "n": 8, "k": 8, "data_type": "FP16"}]');
  const { status, out, err } = roofline(['analyze', 'times.csv', 'work.json', '-o', 'json']);
  assert.equal(status, 0, err);
  const { ops } = JSON.parse(out);
  assert.deepEqual(
    ops.map(({ name, flops, status }) => [name, flops, status === 'time-only']),
    [
      ['second', 1024, false],
      ['first', null, true],
    ],
  );
  close(ops[0].time_s, 7e-6, 'second');
});

await test('ONNX Runtime: the nodes of a real profile, each with its time', { skip }, () => {
  const folder = join(samples, 'onnxruntime');
  const text = readFileSync(join(folder, 'ucb-gemmini-resnet_inference.json'));
  const events = JSON.parse(text).filter(({ name }) => name.endsWith('_kernel_time'));
  const { ops, summary } = document(text);
  assert.equal(ops.length, 77);
  close(ops[0].time_s, 4068e-6, 'the first node');
  close(
    summary.time_s,
    events.reduce((sum, { dur }) => sum + dur * 1e-6, 0),
    'all nodes',
  );
  for (const { name, args } of events) {
    const op = ops.find(op => `${op.name}_kernel_time` === name);
    assert.equal(op.bytes, Number(args.activation_size) + Number(args.parameter_size) + Number(args.output_size));
    assert.equal(op.flops, null);
  }
});

/** Fixture: operations, seconds in all, and the FLOPs of some. */
const FIXTURES = {
  'onnxruntime_profile.json': [3, 320e-6 + 60e-6 + 42e-6, { conv1: 2 * 112 * 112 * 64 * 3 * 49 }],
  'openvino_exec_graph.xml': [4, 930e-6, { conv1: 2 * 112 * 112 * 64 * 3 * 49, fc: 2 * 2048 * 1000 }],
  'eval_perf.txt': [5, 1870e-6, { 'Conv:/model.1/conv/Conv': 2 * 471859200 }],
  'eval_perf.csv': [3, (18 + 1526 + 2131) * 1e-6, { 'Conv:Conv_2': 2 * 16 * 102400 * 16 * 9 }],
};
for (const [file, [count, time, flops]] of Object.entries(FIXTURES)) {
  await test(`a fixture by its content: ${file}`, () => {
    const { ops, summary } = document(readFileSync(join(repository, 'tests/data', file)));
    assert.equal(ops.length, count);
    close(summary.time_s, time, 'all times');
    for (const [name, theirs] of Object.entries(flops))
      assert.equal(ops.find(op => op.name === name).flops, theirs, name);
  });
}

await test("TensorRT: a profile alone asks for the engine's layers", () => {
  put('alone.json', '[{"count": 1}, {"name": "conv1", "timeMs": 2, "averageMs": 2, "percentage": 100}]');
  assert.match(roofline(['analyze', 'alone.json']).out, /: add its layers, from `trtexec --exportLayerInfo`\./);
});

await test('what is wrong with an export is said, with its place', () => {
  put('names.json', '{"Layers": ["conv1", "conv2"], "Bindings": []}');
  refused(1, ['analyze', 'names.json'], /names\.json: Layers: .*--profilingVerbosity=detailed/);
  put('cut.json', '[{"count": 1},\n{"name": "a", "averageMs": 1, "percentage": 1');
  refused(1, ['analyze', 'cut.json'], /cut\.json: line 2, column 46: /);
  put('cut.xml', '<net name="a"><layers><layer id="0"');
  refused(1, ['analyze', 'cut.xml'], /cut\.xml: line 1, column 36: /);
});
