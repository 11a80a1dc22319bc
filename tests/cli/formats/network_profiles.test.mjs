// Real networks with profiles of each tool on top: every layer's time is that of the operation it ran, and the rest of both is listed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { samples, skip } from '../../samples.mjs';
import { put, roofline } from '../command.mjs';

const xml = text => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const order = '============================== Run Order ==============================';

/// How each tool writes layers, [{ nodes, name, type, us }]; `own`: a layer that the tool adds; `of`: the networks it runs.
const tools = {
  'trtexec --exportProfile': {
    of: /onnx$/,
    chain: 'tensorrt',
    file: 'trt.json',
    own: 'Reformatting CopyNode for Input Tensor 0 to the first',
    name: ([first, ...others]) => [first, ...others.map(node => `PWN(${node})`)].join(' + '),
    text: layers =>
      JSON.stringify([
        { count: 100 },
        ...layers.map(({ name, us }) => ({ name, timeMs: us / 10, averageMs: us / 1000, percentage: 1 })),
      ]),
  },
  "ONNX Runtime's profile": {
    of: /onnx$/,
    chain: 'onnxruntime-cpu',
    file: 'ort.json',
    own: 'ReorderOutput_token_3',
    name: ([first, ...others]) => (others.length > 0 ? `fused ${first}` : `${first}_nchwc`),
    text: layers =>
      JSON.stringify([
        { cat: 'Session', name: 'model_run', ts: 0, dur: 9e6, ph: 'X' },
        ...layers.map(({ name, type, us }) => ({
          ...{ cat: 'Node', pid: 1, tid: 1, ph: 'X', ts: 1, dur: us, name: `${name}_kernel_time` },
          args: { op_name: type, provider: 'CPUExecutionProvider' },
        })),
      ]),
  },
  "OpenVINO's executed graph": {
    of: /./,
    chain: 'openvino',
    file: 'graph.xml',
    own: 'a Reorder',
    name: nodes => nodes.at(-1),
    text: layers => {
      const layer = ({ name, nodes, us }, id) =>
        `<layer id="${id}" name="${xml(name)}" type="Any"><data execTimeMcs="${us}" originalLayersNames="${xml((nodes ?? []).join(','))}"/></layer>`;
      return `<net name="n" version="11"><layers>${layers.map(layer).join('')}</layers></net>`;
    },
  },
  "OpenVINO's counters": {
    of: /onnx$|xml$/,
    chain: 'openvino',
    file: 'counters.csv',
    own: 'a Reorder',
    name: nodes => nodes.at(-1),
    text: layers =>
      [
        'layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);',
        ...layers.map(({ name, type, us }) => `${name};Status.EXECUTED;${type};jit;${us / 1000};${us / 1000};`),
        '',
      ].join('\n'),
  },
  "TFLite's benchmark_model": {
    of: /tflite$/,
    chain: 'xnnpack',
    file: 'tflite.txt',
    own: '[a copy]:999',
    name: (nodes, i) => `[${nodes.at(-1)}]:${i}`,
    text: layers =>
      [
        `Number of nodes executed: ${layers.length}`,
        order,
        '\t[node type]\t[first]\t[avg ms]\t[%]\t[cdf%]\t[mem KB]\t[times called]\t[Name]',
        ...layers.map(({ name, us }) => `\tANY\t${us / 1000}\t${us / 1000}\t1%\t1%\t0\t1\t${name}`),
        '',
      ].join('\n'),
  },
  'RKNN eval_perf': {
    of: /onnx$/,
    chain: 'rknn',
    file: 'rknn.txt',
    own: 'OutputOperator:last',
    name: ([first]) => `Conv:${first}`,
    text: layers =>
      [
        'ID OpType DataType Target InputShape OutputShape Cycles(DDR/NPU/Total) Time(us) MacUsage(%) WorkLoad(0/1/2) RW(KB) FullName',
        ...layers.map(
          ({ name, us }, i) => `${i + 1} Any INT8 NPU \\ (1,8,8,8) 1/2/2 ${us} \\ 100.0%/0.0%/0.0% 9 ${name}`,
        ),
        '',
      ].join('\n'),
  },
};

const networks = {
  'onnx/light_squeezenet.onnx': [],
  'onnx/light_resnet50.onnx': [],
  'models/onnx/yunet_n_320_320.onnx': [],
  'models/torch/encoder_dynamic.onnx': ['--dim', 'batch=2', '--dim', 'seq=16'],
  'models/tflite/mlperf_resnet8_int8.tflite': [],
  'models/openvino_ir/pointpillars_ov_nn.xml': [],
};

for (const [network, lengths] of Object.entries(networks))
  for (const [tool, { chain, file, own, name, text }] of Object.entries(tools).filter(([, { of }]) => of.test(network)))
    await test(`${tool} on ${network}`, { skip }, () => {
      const path = join(samples, network);
      const { out } = roofline(['analyze', path, ...lengths, `--fold=${chain}`, '-o', 'commands']);
      const main = JSON.parse(out).commands.filter(({ step }) => step === undefined);
      const layers = main.map((command, i) => {
        const nodes = [command.name, ...(command.merged?.split(' + ') ?? [])];
        return { op: command.name, type: command.type, nodes, name: name(nodes, i), us: i + 2 };
      });
      const untimed = layers.pop();
      put(file, text([...layers, { name: own, type: 'Any', us: 1 }]));
      const run = roofline(['analyze', path, file, ...lengths, '-o', 'json']);
      assert.equal(run.status, 0, run.err);
      const { ops } = JSON.parse(run.out);
      const measured = ops.filter(({ time_s }) => time_s !== null);
      assert.equal(measured.length, layers.length + 1);
      for (const { op, us } of layers) {
        const found = measured.find(({ name: of }) => of === op);
        assert.ok(Math.abs(found?.time_s * 1e6 - us) < 1e-6, `${op}: ${found?.time_s}`);
        assert.ok(found.predicted_time_s >= 0, op);
      }
      assert.ok(!measured.some(({ name: of }) => of === untimed.op));
      assert.match(
        run.err,
        new RegExp(`${layers.length} of \\d+ operations of .* have their times from ${file}, by name`),
      );
      assert.match(run.err, new RegExp(`(has|have) no time in ${file}: `));
      assert.ok(run.err.includes(`1 of ${file} has no node in `), run.err);
    });
