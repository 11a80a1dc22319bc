// A trace as PyTorch's profiler writes it with stacks and shapes, of about so many bytes: node trace.mjs BYTES [SEED] > trace.json
// A training loop of transformer layers on an H100; four of five events are Python's own functions, as in real ones.
import { writeSync } from 'node:fs';

const most = Number(process.argv[2] ?? 200e6);
let state = Number(process.argv[3] ?? 1) >>> 0 || 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};

const TOKENS = 4096;
const HIDDEN = 4096;
const linear = (name, from, to) => ({
  name,
  op: 'aten::linear',
  within: [
    ['aten::t', [[to, from]], ['c10::BFloat16'], ['']],
    [
      'aten::addmm',
      [[to], [TOKENS, from], [from, to], [], []],
      ['c10::BFloat16', 'c10::BFloat16', 'c10::BFloat16', 'Scalar', 'Scalar'],
      ['', '', '', '1', '1'],
    ],
  ],
  dims: [[1, TOKENS, from], [to, from], [to]],
  types: ['c10::BFloat16', 'c10::BFloat16', 'c10::BFloat16'],
  kernel:
    'void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x256_32x3_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x256_32x3_tn_align8::Params)',
  us: (2 * TOKENS * from * to) / 600e6,
});
const elementwise = (op, operands, kernel) => ({
  name: op.slice(6),
  op,
  within: [],
  dims: [...Array.from({ length: operands }, () => [1, TOKENS, HIDDEN]), []],
  types: [...Array.from({ length: operands }, () => 'c10::BFloat16'), 'Scalar'],
  kernel,
  us: ((operands + 1) * 2 * TOKENS * HIDDEN) / 2.6e6,
});
const LAYER = [
  elementwise(
    'aten::native_layer_norm',
    1,
    'void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, c10::BFloat16 const*, c10::BFloat16*)',
  ),
  linear('qkv', HIDDEN, 3 * HIDDEN),
  linear('out', HIDDEN, HIDDEN),
  elementwise(
    'aten::add',
    2,
    'void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3>)',
  ),
  linear('up', HIDDEN, 4 * HIDDEN),
  elementwise(
    'aten::gelu',
    1,
    'void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}>(int, at::detail::Array<char*, 2>)',
  ),
  linear('down', 4 * HIDDEN, HIDDEN),
];
const FILES = [
  'torch/nn/modules/module.py(1751): _wrapped_call_impl',
  'torch/nn/modules/linear.py(124): forward',
  'transformers/models/llama/modeling_llama.py(311): forward',
  'torch/_ops.py(1158): __call__',
  'torch/utils/_contextlib.py(116): decorate_context',
];
const PYTHON_EACH = 26; // events of Python for every module that is called

let pending = [];
let bytes = 0;
let held = 0;
function flush() {
  const chunk = Buffer.from(pending.join(''));
  for (let at = 0; at < chunk.length; ) at += writeSync(1, chunk, at);
  bytes += chunk.length;
  pending = [];
  held = 0;
}
function put(text) {
  pending.push(text);
  held += text.length;
  if (held > 4e6) flush();
}

const PID = 5617;
let external = 1;
let correlation = 1;
let index = 0;
let pythonId = 1;
let now = 1414456661000;
let device = now + 50;
let separator = '\n';
const event = (cat, name, tid, ts, dur, args) => {
  put(
    `${separator}  {\n    "ph": "X", "cat": "${cat}", "name": ${JSON.stringify(name)}, "pid": ${tid === 7 ? 0 : PID}, "tid": ${tid},\n` +
      `    "ts": ${ts.toFixed(3)}, "dur": ${dur.toFixed(3)},\n    "args": {\n      ${args}\n    }\n  }`,
  );
  separator = ',\n';
};
const list = values => JSON.stringify(values).replaceAll(',', ', ');
const arrow = (phase, at, tid) =>
  put(
    `${separator}  {\n    "ph": "${phase}", "id": ${correlation}, "pid": ${tid === 7 ? 0 : PID}, "tid": ${tid}, "ts": ${at.toFixed(3)},\n    "cat": "ac2g", "name": "ac2g"${phase === 'f' ? ', "bp": "e"' : ''}\n  }`,
  );
const operator = (name, dims, types, values, ts, dur) =>
  event(
    'cpu_op',
    name,
    PID,
    ts,
    dur,
    `"External id": ${external++},"Record function id": 0, "Concrete Inputs": ${list(values)}, "Input type": ${list(types)}, "Input Strides": ${list(dims.map(() => []))}, "Input Dims": ${list(dims)}, "Ev Idx": ${index++}`,
  );

function call(module) {
  const start = now;
  for (let i = 0; i < PYTHON_EACH; ++i) {
    const name =
      random() < 0.4
        ? `<built-in method ${module.name} of PyCapsule object at 0x7bcc${Math.floor(random() * 2 ** 32).toString(16)}>`
        : random() < 0.3
          ? `nn.Module: Linear_${Math.floor(random() * 300)}`
          : FILES[Math.floor(random() * FILES.length)];
    event(
      'python_function',
      name,
      PID,
      start + i * 0.2,
      40 - i * 0.5,
      `"Python parent id": ${pythonId}, "Python id": ${++pythonId}, "Ev Idx": ${index++}`,
    );
  }
  now = start + PYTHON_EACH * 0.2;
  operator(
    module.op,
    module.dims,
    module.types,
    module.dims.map(() => ''),
    now,
    20,
  );
  for (const [name, dims, types, values] of module.within) operator(name, dims, types, values, (now += 1), 4);
  const launched = external - 1;
  event(
    'cuda_runtime',
    'cudaLaunchKernel',
    PID,
    now + 1.5,
    2.1,
    `"External id": ${launched}, "cbid": 211, "correlation": ${correlation}`,
  );
  arrow('s', now + 1.5, PID);
  const us = module.us * (0.95 + 0.1 * random());
  device = Math.max(device, now + 5);
  event(
    'kernel',
    module.kernel,
    7,
    device,
    us,
    `"External id": ${launched},\n      "queued": 0, "device": 0, "context": 1,\n      "stream": 7, "correlation": ${correlation},\n      "registers per thread": 24, "shared memory": 0,\n      "blocks per SM": 0.045455, "warps per SM": 0.181818,\n      "grid": [6, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %": 0`,
  );
  arrow('f', device, 7);
  correlation += 1;
  device += us + 1;
  now = start + 45;
}

put(
  '{\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {\n      "id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 84942979072,\n      "computeMajor": 9, "computeMinor": 0, "numSms": 132\n    }\n  ],\n  "record_shapes": 1, "with_stack": 1,\n  "traceEvents": [',
);
for (let layer = 0; bytes + held < most - 1e3; layer = (layer + 1) % 32) for (const module of LAYER) call(module);
put('\n  ],\n  "traceName": "trace.json",\n  "displayTimeUnit": "ms", "baseTimeNanoseconds": 1752825290000000000\n}\n');
flush();
