// Small profiles in profilers' binary formats, made by hand. tests/data holds them as files, for the core's tests and for fuzzing:
//   node tests/cli/formats/profiles.mjs    writes them again
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { double, float, message } from './wire.mjs';

const data = join(fileURLToPath(import.meta.url), '../../../data');

// --- Nsight Compute ------------------------------------------------------------------------------------------------------------------

const sized = bytes => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, bytes]);
};

/// A report of blocks; each is { sources, results, strings } with messages in them.
export const report = blocks =>
  Buffer.concat([
    Buffer.from('NVR\0'),
    sized(message([1, 7])),
    ...blocks.flatMap(({ sources = [], results = [], strings }) => {
      const payload = Buffer.concat([...sources, ...results].map(sized));
      const table = strings ? [[4, message(...strings.map(text => [1, text]))]] : [];
      return [sized(message([1, sources.length], [2, results.length], ...table, [5, payload.length])), payload];
    }),
  ]);

const extent = (x, y, z) => message([1, x], [2, y], [3, z]);
/// A launch of a kernel with [metric, value] pairs; `strings` holds the metrics' names.
export const launch = (strings, kernel, grid, block, metrics) =>
  message(
    [6, kernel.replace(/^void /, '').replace(/[<(].*/, '')],
    [7, kernel],
    [10, extent(...grid)],
    [11, extent(...block)],
    ...metrics.map(([name, value]) => [13, message([1, strings.indexOf(name)], [2, message(value)])]),
  );

const text = value => [1, value];
const f32 = value => [2, float(value)];
const f64 = value => [3, double(value)];
const u32 = value => [4, value];
const u64 = value => [5, value];

const device = [
  ['device__attribute_display_name', text('NVIDIA A100-SXM4-80GB')],
  ['device__attribute_compute_capability_major', u32(8)],
  ['device__attribute_compute_capability_minor', u32(0)],
  ['device__attribute_multiprocessor_count', u32(108)],
  ['device__attribute_clock_rate', u32(1410000)],
];
const sass = (precision, operation) => `smsp__sass_thread_inst_executed_op_${precision}${operation}_pred_on.sum`;
const first = [
  ...device,
  ['gpu__time_duration.sum', u64(100_000)],
  ['dram__bytes_read.sum', f64(60_000_000)],
  ['dram__bytes_write.sum', f64(40_000_000)],
  ['lts__t_bytes.sum', f64(150_000_000)],
  ['l1tex__t_bytes.sum', f64(400_000_000)],
  ['lts__t_bytes.sum.peak_sustained', f64(5120)],
  ['lts__cycles_elapsed.avg.per_second', f64(1e9)],
  ['l1tex__t_bytes.sum.peak_sustained', f64(13824)],
  ['l1tex__cycles_elapsed.avg.per_second', f64(1.25e9)],
  [sass('f', 'add'), u64(1_000_000)],
  [sass('f', 'mul'), u64(2_000_000)],
  [sass('f', 'fma'), u64(300_000_000)],
  ['sm__inst_executed_pipe_tensor.sum', u64(0)],
  ['profiler__replayer_passes', u32(9)],
];
const second = [
  ...device,
  ['gpu__time_duration.sum', f64(50_000)],
  ['sm__cycles_elapsed.avg.per_second', f32(1.0625e9)],
  ['dram__bytes.sum.per_second', f64(4e11)],
  ['sm__ops_path_tensor_src_bf16_dst_fp32.sum', u64(2_000_000_000)],
  ['sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32.sum', u64(2_000_000_000)],
];
export const strings = [...new Set([...first, ...second].map(([name]) => name))];
export const kernels = report([
  { strings, sources: [message([1, 'a cubin'])] },
  {
    sources: [message([1, 'another'])],
    results: [launch(strings, 'void add<float>(const float *, float *)', [1024, 1, 1], [256, 1, 1], first)],
  },
  { results: [launch(strings, 'gemm(int)', [8, 8, 1], [128, 1, 1], second)] },
]);

// --- XLA -----------------------------------------------------------------------------------------------------------------------------

/// A plane of { id, name, stats, kinds, lines }. Names of statistics get numbers as they occur.
export function plane({ id, name, stats = {}, kinds = {}, lines = {} }) {
  const names = [];
  const number = word => {
    if (!names.includes(word)) names.push(word);
    return names.indexOf(word) + 1;
  };
  const stat = ([word, value]) => {
    const kind = typeof value === 'string' ? 5 : value instanceof Uint8Array ? 6 : value.wire ? 2 : 3;
    return message([1, number(word)], [kind, value]);
  };
  const stated = values => Object.entries(values).map(stat);
  const kindNames = Object.keys(kinds);
  const timed = Object.entries(lines).map(([line, events], i) => [
    3,
    message(
      [1, i + 1],
      [2, line],
      [3, 1_700_000_000_000_000_000n],
      ...events.map(([kind, begin, duration, own = {}]) => [
        4,
        message([1, kindNames.indexOf(kind) + 1], [2, begin], [3, duration], ...stated(own).map(s => [4, s])),
      ]),
    ),
  ]);
  const described = Object.entries(kinds).map(([kind, values], i) => [
    4,
    message(
      [1, i + 1],
      [2, message([1, i + 1], [2, `%${kind} = f32[8]{0} op()`], [4, kind], ...stated(values).map(s => [5, s]))],
    ),
  ]);
  const ofPlane = stated(stats).map(s => [6, s]);
  const named = names.map((word, i) => [5, message([1, i + 1], [2, message([1, i + 1], [2, word])])]);
  return message([1, id], [2, name], ...timed, ...described, ...named, ...ofPlane);
}

export const space = planes => message(...planes.map(bytes => [1, bytes]));

const READ = 1;
const WRITE = 2;
const HBM = 1;
const VMEM = 3;
const accesses = (...list) =>
  message(...list.map(([way, memory, bytes]) => [1, message([1, way], [2, memory], [3, bytes])]));

const peaks = {
  device_type_string: 'TPU v5 lite',
  peak_teraflops_per_second: double(197),
  peak_hbm_bw_gigabytes_per_second: double(819),
  peak_vmem_rd_bw_gigabytes_per_second: double(10_000),
  peak_vmem_wr_bw_gigabytes_per_second: double(5_000),
  has_megacore: 0,
};
const kinds = {
  'while.1': { hlo_category: 'while', program_id: 12345678901234567890n, flops: 0, bytes_accessed: 0 },
  'fusion.2': {
    hlo_category: 'convolution fusion',
    program_id: 12345678901234567890n,
    flops: 1_000_000_000,
    model_flops: 900_000_000,
    bytes_accessed: 3_000_000,
    memory_access_breakdown: accesses(
      [READ, HBM, 1_000_000],
      [WRITE, HBM, 500_000],
      [READ, VMEM, 1_200_000],
      [WRITE, VMEM, 300_000],
    ),
    tf_op: 'jit(f)/dot_general:',
    source: 'model.py:7',
  },
  'copy.3': {
    hlo_category: 'copy',
    program_id: 12345678901234567890n,
    flops: 0,
    bytes_accessed: 2_000_000,
    memory_access_breakdown: accesses(),
  },
  0: {},
  1: {},
};
const us = 1_000_000; // picoseconds
const core = id =>
  plane({
    id,
    name: `/device:TPU:${id}`,
    stats: peaks,
    kinds,
    lines: {
      Steps: [
        ['0', 0, 100 * us],
        ['1', 100 * us, 100 * us],
      ],
      'XLA Ops': [
        ['while.1', 10 * us, 60 * us],
        ['fusion.2', 20 * us, 20 * us, { device_offset_ps: 20 * us, device_duration_ps: 19 * us }],
        ['fusion.2', 45 * us, 20 * us, { device_offset_ps: 45 * us, device_duration_ps: 21 * us }],
        ['copy.3', 110 * us, 5 * us],
        ['fusion.2', 120 * us, 20 * us],
      ],
      'XLA Modules': [['while.1', 0, 200 * us]],
    },
  });
export const operations = space([
  plane({ id: 9, name: '/host:CPU', kinds: { 'not read': {} }, lines: { python: [['not read', 0, 5]] } }),
  core(0),
  core(1),
  plane({ id: 4, name: '/device:TPU:0 SparseCore 0' }),
]);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(data, 'kernels.ncu-rep'), kernels);
  writeFileSync(join(data, 'operations.xplane.pb'), operations);
}
