// Inputs that the tests share: made here, deterministic.

/** Two operations whose figures are easy to follow: a convolution and an element-wise product of the original tool's README. */
export const conv = {
  type: 'ID_CONV',
  name: 'conv1',
  data_type: 'INT8',
  input_shape: [1, 64, 1, 224, 224],
  output_channels: 128,
  kernel_size: [1, 3, 3],
  stride: [1, 2, 2],
  padding: [0, 1, 1],
  time_ns: 850000,
};
export const mul = {
  type: 'ID_MUL',
  name: 'scale',
  data_type: 'FP32',
  input_self: [2048],
  input_other: [2048],
  time_ns: 2100,
};
export const matmul = {
  type: 'ID_MM',
  name: 'proj',
  data_type: 'FP16',
  input_mat1: [1, 1, 1, 512, 1024],
  input_mat2: [1, 1, 1, 1024, 512],
  time_ns: 320000,
};
export const copy = { type: 'transpose', name: 'swap', data_type: 'FP16', input_shape: [64, 4096], time_ns: 30000 };

export const four = JSON.stringify([conv, mul, matmul, copy], null, 1);

/** A log of nccl-tests on A100s: a machine whose link was measured. */
export const linkLog = `# nThread 1 nGpus 2 minBytes 1 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 validation: 0
#
# Using devices
#   Rank  0 Pid 1 on host device  0 [0x00] A100-SXM4-40GB
#   Rank  1 Pid 1 on host device  1 [0x00] A100-SXM4-40GB
#
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
  8589934592    2147483648   float     sum    66018  130.12  227.70    N/A    66046  130.06  227.61    N/A
`;

function random(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Many operations of a few kinds, with times between 8 and 93% of the default machine's bound. */
export function many(count, seed = 1) {
  const next = random(seed);
  const pick = list => list[Math.floor(next() * list.length)];
  const ops = [];
  for (let i = 0; i < count; ++i) {
    const [m, n, k] = [pick([1, 16, 128, 512]), pick([512, 1024, 4096]), pick([512, 1024, 4096])];
    const bound = Math.max((2 * m * n * k) / 32e12, (m * k + k * n + m * n) / 50e9);
    const op =
      next() < 0.7
        ? {
            type: 'ID_MM',
            name: `block.${i}.matmul`,
            data_type: 'INT8',
            input_mat1: [1, 1, 1, m, k],
            input_mat2: [1, 1, 1, k, n],
            time_ns: Math.round((bound / (0.08 + 0.85 * next())) * 1e9),
          }
        : {
            type: 'ID_MUL',
            name: `block.${i}.scale`,
            data_type: 'INT8',
            input_self: [m, n],
            input_other: [m, n],
            time_ns: Math.round(((3 * m * n) / 50e9 / (0.08 + 0.85 * next())) * 1e9),
          };
    ops.push(op);
  }
  return ops;
}
