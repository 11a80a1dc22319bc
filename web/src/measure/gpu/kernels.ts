// The shaders of the operators. One generator writes the product in every format: tiles of 64 x 64 of the result per workgroup and 4 x 4 per
// thread, with operands of 16 steps of k in workgroup memory.
import type { Format, Kind, Task } from '../tasks';

export const TILE = 64;
const STEP = 16;
const GROUP = 256;

interface Numbers {
  enable: string;
  stored: string; // an operand's element; INT8: four of them along k
  sum: string;
  add: (sum: string, a: string, b: string) => string;
  result: string;
  finish: (sum: string) => string;
}

const NUMBERS: Record<Format, Numbers> = {
  fp32: {
    enable: '',
    stored: 'f32',
    sum: 'f32',
    add: (s, a, b) => `${s} = fma(${a}, ${b}, ${s});`,
    result: 'f32',
    finish: s => s,
  },
  // Sums of FP16 are FP32, as matrix units have them.
  fp16: {
    enable: 'enable f16;',
    stored: 'f16',
    sum: 'f32',
    add: (s, a, b) => `${s} = fma(f32(${a}), f32(${b}), ${s});`,
    result: 'f16',
    finish: s => `f16(${s})`,
  },
  int8: {
    enable: 'requires packed_4x8_integer_dot_product;',
    stored: 'u32',
    sum: 'i32',
    add: (s, a, b) => `${s} += dot4I8Packed(${a}, ${b});`,
    result: 'i32',
    finish: s => s,
  },
};

const SIZES = `
override rows: u32;
override columns: u32;
override depth: u32;`;

export function productShader(format: Format): string {
  const { enable, stored, sum, add, result, finish } = NUMBERS[format];
  return `${enable}${SIZES}
@group(0) @binding(0) var<storage, read> a: array<${stored}>;
@group(0) @binding(1) var<storage, read> b: array<${stored}>;
@group(0) @binding(2) var<storage, read_write> c: array<${result}>;
var<workgroup> left: array<${stored}, ${TILE * STEP}>;
var<workgroup> right: array<${stored}, ${TILE * STEP}>;
@compute @workgroup_size(16, 16) fn main(@builtin(workgroup_id) tile: vec3u, @builtin(local_invocation_id) at: vec3u,
                                         @builtin(local_invocation_index) thread: u32) {
  let row = tile.y * ${TILE}u;
  let column = tile.x * ${TILE}u;
  var sums: array<array<${sum}, 4>, 4>;
  for (var p = 0u; p < depth; p += ${STEP}u) {
    for (var i = thread; i < ${TILE * STEP}u; i += ${GROUP}u) {
      let y = row + i / ${STEP}u;
      let q = p + i % ${STEP}u;
      left[(i % ${STEP}u) * ${TILE}u + i / ${STEP}u] = select(${stored}(0), a[min(y, rows - 1) * depth + min(q, depth - 1)], y < rows && q < depth);
      let x = column + i % ${TILE}u;
      let r = p + i / ${TILE}u;
      right[i] = select(${stored}(0), b[min(r, depth - 1) * columns + min(x, columns - 1)], x < columns && r < depth);
    }
    workgroupBarrier();
    for (var q = 0u; q < ${STEP}u; q++) {
      for (var i = 0u; i < 4u; i++) {
        let l = left[q * ${TILE}u + at.y * 4u + i];
        for (var j = 0u; j < 4u; j++) {
          ${add('sums[i][j]', 'l', `right[q * ${TILE}u + at.x + 16u * j]`)}
        }
      }
    }
    workgroupBarrier();
  }
  for (var i = 0u; i < 4u; i++) {
    for (var j = 0u; j < 4u; j++) {
      let y = row + at.y * 4u + i;
      let x = column + at.x + 16u * j;
      if (y < rows && x < columns) { c[y * columns + x] = ${finish('sums[i][j]')}; }
    }
  }
}`;
}

/** A row times a matrix: 32 columns per workgroup, and 8 threads that share the k of each. */
export function rowTimesMatrixShader(format: Format): string {
  const { enable, stored, sum, add, result, finish } = NUMBERS[format];
  return `${enable}${SIZES}
@group(0) @binding(0) var<storage, read> a: array<${stored}>;
@group(0) @binding(1) var<storage, read> b: array<${stored}>;
@group(0) @binding(2) var<storage, read_write> c: array<${result}>;
var<workgroup> parts: array<${sum}, ${GROUP}>;
@compute @workgroup_size(32, 8) fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) at: vec3u) {
  let x = group.x * 32u + at.x;
  var sum = ${sum}(0);
  if (x < columns) {
    for (var p = at.y; p < depth; p += 8u) { ${add('sum', 'a[p]', 'b[p * columns + x]')} }
  }
  parts[at.y * 32u + at.x] = sum;
  workgroupBarrier();
  if (at.y == 0u && x < columns) {
    for (var i = 1u; i < 8u; i++) { sum += parts[i * 32u + at.x]; }
    c[x] = ${finish('sum')};
  }
}`;
}

/** All threads' `value`s into `all`, by halves. */
const reduce = (combine: (a: string, b: string) => string) => `
  parts[thread] = value;
  workgroupBarrier();
  for (var half = ${GROUP / 2}u; half > 0u; half /= 2u) {
    if (thread < half) { parts[thread] = ${combine('parts[thread]', 'parts[thread + half]')}; }
    workgroupBarrier();
  }
  all = parts[0];
  workgroupBarrier();`;
const plus = (a: string, b: string) => `${a} + ${b}`;

const ROWS_ACROSS = 32768; // of the grid, whose sides are limited

/** A workgroup per row. */
const rowShader = (body: string) => `${SIZES}
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;
var<workgroup> parts: array<f32, ${GROUP}>;
@compute @workgroup_size(${GROUP}) fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let row = group.x + group.y * ${ROWS_ACROSS}u;
  if (row >= rows) { return; }
  let start = row * columns;
  var value = 0f;
  var all = 0f;
  ${body}
}`;
const forEach = (body: string) => `for (var i = thread; i < columns; i += ${GROUP}u) { ${body} }`;

const SHADERS: Record<Exclude<Kind, 'product'>, string> = {
  row_sums: rowShader(`${forEach('value += source[start + i];')}${reduce(plus)}
  if (thread == 0u) { results[row] = all; }`),
  softmax: rowShader(`value = source[start];
  ${forEach('value = max(value, source[start + i]);')}${reduce((a, b) => `max(${a}, ${b})`)}
  let largest = all;
  value = 0;
  ${forEach('value += exp(source[start + i] - largest);')}${reduce(plus)}
  ${forEach('results[start + i] = exp(source[start + i] - largest) / all;')}`),
  layer_norm: rowShader(`${forEach('value += source[start + i];')}${reduce(plus)}
  let mean = all / f32(columns);
  value = 0;
  ${forEach('let d = source[start + i] - mean; value += d * d;')}${reduce(plus)}
  let scale = inverseSqrt(all / f32(columns) + 1e-5);
  ${forEach('results[start + i] = (source[start + i] - mean) * scale;')}`),
  transpose: `${SIZES}
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read_write> results: array<f32>;
var<workgroup> tile: array<array<f32, 17>, 16>;
@compute @workgroup_size(16, 16) fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) at: vec3u) {
  let start = vec2u(group.x * 16u + at.x, group.y * 16u + at.y);
  if (start.x < columns && start.y < rows) { tile[at.y][at.x] = source[start.y * columns + start.x]; }
  workgroupBarrier();
  let end = vec2u(group.y * 16u + at.x, group.x * 16u + at.y);
  if (end.x < rows && end.y < columns) { results[end.y * rows + end.x] = tile[at.x][at.y]; }
}`,
  add: `${SIZES}
@group(0) @binding(0) var<storage, read> source: array<f32>;
@group(0) @binding(1) var<storage, read> other: array<f32>;
@group(0) @binding(2) var<storage, read_write> results: array<f32>;
@compute @workgroup_size(${GROUP}) fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < rows * columns; i += groups.x * ${GROUP}u) { results[i] = source[i] + other[i]; }
}`,
};

/** The shader of a task, its grid, and the lengths that it is compiled for. */
export function shaderOf(task: Task): {
  code: string;
  workgroups: [number, number];
  constants: Record<string, number>;
} {
  const { kind, format, rows, columns } = task;
  const depth = format === 'int8' ? task.depth / 4 : task.depth;
  const constants = { rows, columns, depth };
  const over = (length: number, step: number) => Math.ceil(length / step);
  if (kind === 'product')
    return rows === 1
      ? { code: rowTimesMatrixShader(format), workgroups: [over(columns, 32), 1], constants }
      : { code: productShader(format), workgroups: [over(columns, TILE), over(rows, TILE)], constants };
  const grids: Record<Exclude<Kind, 'product'>, [number, number]> = {
    row_sums: [Math.min(rows, ROWS_ACROSS), over(rows, ROWS_ACROSS)],
    softmax: [Math.min(rows, ROWS_ACROSS), over(rows, ROWS_ACROSS)],
    layer_norm: [Math.min(rows, ROWS_ACROSS), over(rows, ROWS_ACROSS)],
    transpose: [over(columns, 16), over(rows, 16)],
    add: [Math.min(4096, over(rows * columns, GROUP)), 1],
  };
  return { code: SHADERS[kind], workgroups: grids[kind], constants };
}
