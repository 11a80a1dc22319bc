// Writes the sample inputs beside it: node presets/samples/make.mjs. Needs build/native/roofline, whose bounds the synthetic times start from.
// A synthetic sample says so: real layer shapes, times made by the rule in its description. A measured one says how: its file is kept, not made.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { profile } from './profile.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const roofline = fileURLToPath(new URL('../../build/native/roofline', import.meta.url));

/** Adds time_ns = bound on npu-32t50 times the op's factor, to the nearest 10 ns. `_factor` and `_traffic` stay out of the file. */
function timed(ops) {
  const bare = ops.map(({ _factor, _traffic, ...op }) => op);
  const analysis = JSON.parse(
    execFileSync(roofline, ['analyze', '-', '--machine', 'npu-32t50', '-o', 'json'], {
      input: JSON.stringify(bare),
      stdio: ['pipe', 'pipe', 'ignore'],
      maxBuffer: 1 << 28,
    }),
  );
  return ops.map(({ _factor, _traffic, ...op }, i) => {
    const { predicted_time_s, bytes } = analysis.ops[i];
    const time_ns = Math.round((predicted_time_s * 1e9 * _factor) / 10) * 10;
    return _traffic ? { ...op, time_ns, hw_bytes: Math.round(bytes * _traffic) } : { ...op, time_ns };
  });
}

/** ResNet-50, eight 224 x 224 images, INT8, in the 5-D shapes of NPU tool chains: [N, C, D, H, W]. */
function resnet50() {
  const ops = [];
  const conv = (name, size, channels, out, kernel, stride, factor, traffic) =>
    ops.push({
      type: 'ID_CONV',
      name,
      data_type: 'INT8',
      input_shape: [8, channels, 1, size, size],
      output_channels: out,
      kernel_size: [1, kernel, kernel],
      stride: [1, stride, stride],
      padding: [0, (kernel - 1) / 2, (kernel - 1) / 2],
      _factor: factor,
      _traffic: traffic,
    });
  conv('conv1', 224, 3, 64, 7, 2, 7.5);
  ops.push({
    type: 'MaxPool',
    name: 'maxpool',
    data_type: 'INT8',
    input_shape: [8, 64, 1, 112, 112],
    kernel_size: [1, 3, 3],
    stride: [1, 2, 2],
    padding: [0, 1, 1],
    _factor: 2.4,
  });
  let size = 56,
    channels = 64;
  [
    [64, 3],
    [128, 4],
    [256, 6],
    [512, 3],
  ].forEach(([width, blocks], stage) => {
    for (let block = 0; block < blocks; ++block) {
      const stride = block === 0 && stage > 0 ? 2 : 1,
        name = `layer${stage + 1}.${block}`;
      if (block === 0)
        conv(`${name}.downsample`, size, channels, 4 * width, 1, stride, stage > 0 ? 4.2 : 1.6, stage > 0 ? 2.1 : 0);
      conv(`${name}.conv1`, size, channels, width, 1, 1, 1.25);
      conv(`${name}.conv2`, size, width, width, 3, stride, stage === 3 ? 2.9 : 1.35);
      size /= stride;
      conv(`${name}.conv3`, size, width, 4 * width, 1, 1, 1.3);
      channels = 4 * width;
      ops.push({
        type: 'ID_ADD',
        name: `${name}.add`,
        data_type: 'INT8',
        input_self: [8, channels, 1, size, size],
        input_other: [8, channels, 1, size, size],
        _factor: 1.15,
      });
      ops.push({
        type: 'ReLU',
        name: `${name}.relu`,
        data_type: 'INT8',
        input_shape: [8, channels, 1, size, size],
        _factor: 1.1,
      });
    }
  });
  ops.push({
    type: 'GlobalAveragePool',
    name: 'avgpool',
    data_type: 'INT8',
    input_shape: [8, 2048, 1, 7, 7],
    _factor: 5,
  });
  ops.push({
    type: 'ID_ADDMM',
    name: 'fc',
    data_type: 'INT8',
    input_input: [1, 1, 1, 1, 1000],
    input_mat1: [1, 1, 1, 8, 2048],
    input_mat2: [1, 1, 1, 2048, 1000],
    _factor: 1.08,
  });
  return timed(ops);
}

/** A 12-layer encoder (hidden 768, 384 tokens) in FP16 with INT8 feed-forward weights. */
function encoder() {
  const ops = [],
    tokens = 384,
    hidden = 768,
    heads = 12;
  for (let layer = 0; layer < 12; ++layer) {
    const at = name => `encoder.${layer}.${name}`;
    const mm = (name, k, n, factor, extra = {}) =>
      ops.push({
        type: 'ID_ADDMM',
        name: at(name),
        data_type: 'FP16',
        input_input: [n],
        input_mat1: [1, tokens, k],
        input_mat2: [k, n],
        ...extra,
        _factor: factor,
      });
    ops.push({
      type: 'LayerNorm',
      name: at('attention.norm'),
      data_type: 'FP16',
      input_shape: [1, tokens, hidden],
      _factor: 2.2,
    });
    for (const head of ['query', 'key', 'value']) mm(`attention.${head}`, hidden, hidden, 1.5);
    ops.push({
      type: 'Transpose',
      name: at('attention.key_transpose'),
      data_type: 'FP16',
      input_shape: [1, heads, tokens, 64],
      _factor: 3.4,
    });
    ops.push({
      type: 'BatchMatMul',
      name: at('attention.scores'),
      data_type: 'FP16',
      input_mat1: [1, heads, tokens, 64],
      input_mat2: [1, heads, 64, tokens],
      _factor: 1.8,
    });
    ops.push({
      type: 'Softmax',
      name: at('attention.softmax'),
      data_type: 'FP16',
      input_shape: [1, heads, tokens, tokens],
      _factor: layer === 3 ? 9 : 2.7,
    });
    ops.push({
      type: 'BatchMatMul',
      name: at('attention.context'),
      data_type: 'FP16',
      input_mat1: [1, heads, tokens, tokens],
      input_mat2: [1, heads, tokens, 64],
      _factor: 1.7,
    });
    mm('attention.output', hidden, hidden, 1.5);
    ops.push({
      type: 'ID_ADD',
      name: at('attention.residual'),
      data_type: 'FP16',
      input_self: [1, tokens, hidden],
      input_other: [1, tokens, hidden],
      _factor: 1.2,
    });
    mm('feed_forward.up', hidden, 4 * hidden, 1.3, { weight_type: 'INT8' });
    ops.push({
      type: 'GELU',
      name: at('feed_forward.gelu'),
      data_type: 'FP16',
      input_shape: [1, tokens, 4 * hidden],
      _factor: 1.9,
    });
    mm('feed_forward.down', 4 * hidden, hidden, 1.3, { weight_type: 'INT8' });
    ops.push({
      type: 'ID_ADD',
      name: at('feed_forward.residual'),
      data_type: 'FP16',
      input_self: [1, tokens, hidden],
      input_other: [1, tokens, hidden],
      _factor: 1.2,
    });
  }
  return timed(ops);
}

/** One decode step of an 8-billion-parameter decoder, no times: what the machine would need at least. */
function decode() {
  const ops = [],
    hidden = 4096,
    feed = 14336,
    context = 2048;
  const gemv = (name, k, n) => ops.push({ type: 'GEMV', name, data_type: 'FP16', m: 1, k, n });
  for (let layer = 0; layer < 32; ++layer) {
    const at = name => `layers.${layer}.${name}`;
    ops.push({ type: 'RMSNorm', name: at('input_norm'), data_type: 'FP16', input_shape: [1, 1, hidden] });
    gemv(at('q_proj'), hidden, hidden);
    gemv(at('k_proj'), hidden, 1024);
    gemv(at('v_proj'), hidden, 1024);
    ops.push({
      type: 'attention',
      name: at('attention'),
      data_type: 'FP16',
      batch: 1,
      heads: 32,
      kv_heads: 8,
      head_dim: 128,
      query_length: 1,
      context,
    });
    gemv(at('o_proj'), hidden, hidden);
    gemv(at('gate_proj'), hidden, feed);
    gemv(at('up_proj'), hidden, feed);
    ops.push({ type: 'ID_MUL', name: at('act_mul'), data_type: 'FP16', input_self: [1, feed], input_other: [1, feed] });
    gemv(at('down_proj'), feed, hidden);
  }
  gemv('lm_head', hidden, 128256);
  return ops;
}

/** Rates that a database of PyTorch products has of the board, as the times of one product. */
function orinNano() {
  const row = (format, tflops) => ({
    operator: 'GEMM',
    name: `GEMM 8192 ${format}`,
    shape: '8192x8192x8192',
    format,
    measured_us: Math.round((2 * 8192 ** 3) / tflops / 1e6),
  });
  return {
    machine: 'jetson-orin-nano-super',
    results: [row('FP32', 1.31), row('TF32', 4.92), row('FP16', 10.18), row('BF16', 10.91)],
  };
}

const tableText = ({ results, ...rest }) =>
  `{${Object.entries(rest)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)},\n `)
    .join('')}"results": [\n${results.map(row => `  ${JSON.stringify(row)}`).join(',\n')}\n]}\n`;

/** Matrix products of three models' layers as a benchmark's CSV; its times are bounds on npu-32t50 times a factor. */
function kernels() {
  const layers = [
    ['qkv_proj', 3, 1],
    ['o_proj', 1, 1],
    ['mlp_up', 4, 1],
    ['mlp_down', 1, 4],
  ];
  const rows = [];
  for (const [model, hidden] of [
    ['small-1b', 2048],
    ['medium-7b', 4096],
    ['large-13b', 5120],
  ])
    for (const [layer, out, into] of layers)
      for (const dtype of ['fp16', 'int8'])
        for (const batch of [1, 16, 256])
          rows.push({
            type: 'gemm',
            name: `${model}.${layer}_${batch}_${dtype}`,
            m: batch,
            n: out * hidden,
            k: into * hidden,
            data_type: dtype,
            _factor: (batch === 16 ? 2.6 : 1.3) * (layer === 'mlp_down' ? 1.5 : 1),
            model,
            batch,
          });
  const bare = rows.map(({ _factor, model, batch, ...op }) => ({ ...op, _factor }));
  const times = timed(bare);
  const lines = rows.map(
    ({ name, m, n, k, data_type, batch, model }, i) =>
      `${name},${m},${n},${k},${data_type},${batch},${model},${(times[i].time_ns / 1000).toFixed(2)},${((2 * m * n * k) / times[i].time_ns / 1000).toFixed(4)}`,
  );
  return `name,M,N,K,dtype,batch,model,time_us,tflops\n${lines.join('\n')}\n`;
}

const samples = [
  {
    id: 'resnet-50',
    title: 'ResNet-50, INT8, batch 8',
    line: '88 layers on a 32 TOPS NPU. Synthetic.',
    make: resnet50,
    synthetic: true,
    text: "Synthetic. The layers of ResNet-50 for a batch of eight 224 x 224 images on a 32 TOPS, 50 GB/s NPU. Each time is the op's roofline bound times a factor by its kind: 1.1 to 1.6 for well tiled ops, more for the first convolution (7.5), strided 1x1 convolutions (4.2, with 2.1x the memory traffic) and the last stage's 3x3 (2.9).",
  },
  {
    id: 'encoder',
    title: 'Transformer encoder, FP16 and INT8',
    line: 'Twelve layers of 384 tokens on the same NPU. Synthetic.',
    make: encoder,
    synthetic: true,
    text: "Synthetic. Twelve encoder layers, 384 tokens, hidden size 768, on the same NPU; the feed-forward weights are INT8. Each time is the op's roofline bound times a factor by its kind, from 1.2 (additions) to 3.4 (transposes); the softmax of layer 3 takes 9 times its bound.",
  },
  {
    id: 'decode',
    title: 'LLM decode step, predicted',
    line: 'One token of an 8-billion-parameter model, without times. Synthetic.',
    make: decode,
    synthetic: true,
    text: 'Synthetic, without times. One token of an 8-billion-parameter decoder at a context of 2,048: every op is predicted and sits on its roof.',
  },
  {
    id: 'training-profile',
    title: 'Training profile, TPU',
    line: 'Three steps on four cores, several memories, as XProf exports it. Synthetic.',
    make: profile,
    synthetic: true,
    text: "Synthetic, as XProf's Roofline Model exports it. Twelve layers trained for three steps on four cores of a device with 900 TFLOP/s, 1,500 GiB/s of HBM and 16,000 GiB/s read, 8,000 GiB/s write of VMEM, and an evaluation beside. Each time is the op's bound times a factor by its kind, from 1.25 to 9; an asynchronous copy lies 50 times above its roof.",
  },
  {
    id: 'orin-nano',
    title: 'Matrix products on a Jetson Orin Nano Super, measured',
    line: 'The best rates of square products in four formats. Measured by others.',
    make: orinNano,
    text: 'Measured by others: the best rate of square products in PyTorch, n = 1,024 to 10,240, in four formats (zzc0721/torch-performance-test-data). It does not say at which n: the times are those of n = 8,192 at these rates. See Predicted vs measured, under More.',
  },
  {
    id: 'cpu-gemm',
    title: 'Matrix products on a CPU, measured',
    line: 'One thread of an Intel Xeon, FP32 and INT8. Measured by us.',
    make: null,
    text: 'Measured by tools/measure/gemm_cpu on a virtual machine that others used at the same time: one thread of an Intel Xeon with AVX-512 and VNNI, FP32 and INT8, the fastest of 60 runs of each shape, by processor time. The machine is the one it measured: multiply-adds in registers and STREAM triad, which does not count the line that a write reads first, so that products which only read can be up to a fifth above its roof. See Predicted vs measured, under More.',
  },
  {
    id: 'kernels',
    file: 'kernels-synthetic.csv',
    title: 'Matrix products of a benchmark, CSV',
    line: '72 products of three models in two formats, as a benchmark writes them. Synthetic.',
    make: kernels,
    synthetic: true,
    text: "Synthetic. 72 matrix products of three models' layers in two formats and three batch sizes, as a kernel benchmark writes them. Each time is the roofline bound on the 32 TOPS, 50 GB/s NPU times 1.3, or 2.6 at batch 16, half as much again for the down projection.",
  },
];
/** The file name of a made-up sample says so; exports and reports keep it. */
const fileOf = ({ id, synthetic, file = `${id}${synthetic ? '-synthetic' : ''}.json` }) => file;
for (const sample of samples) {
  if (!sample.make) continue; // measured: kept as it is
  const content = sample.make();
  const text =
    typeof content === 'string'
      ? content
      : Array.isArray(content)
        ? `{"machine": "npu-32t50", "ops": [\n${content.map(op => JSON.stringify(op)).join(',\n')}\n]}\n`
        : tableText(content);
  writeFileSync(folder + fileOf(sample), text);
}
writeFileSync(
  `${folder}index.json`,
  `${JSON.stringify(
    samples.map(({ make: _, id, ...rest }) => ({ id, file: fileOf({ id, ...rest }), ...rest })),
    null,
    2,
  )}\n`,
);
