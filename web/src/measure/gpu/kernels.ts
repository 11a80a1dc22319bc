// The shader of each operator, its grid, and the lengths that it is compiled for.
import type { Kind, Task } from '../tasks';
import type { MatrixUnits, UnitFormat } from './matrix_units';
import { GROUP, productShader, rowTimesMatrixShader, SIZES, unitProductShader } from './products';

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

interface Shader {
  code: string;
  workgroups: [number, number];
  constants: Record<string, number>;
  tile: number | null; // rows and columns of the result that a workgroup of a product computes
}

const over = (length: number, step: number) => Math.ceil(length / step);
const LARGE = { tile: 128, step: 8, fewest: 128 }; // with fewer workgroups than that, small tiles keep more of the GPU busy
const SMALL = { tile: 64, step: 16 };

/** `units`: on these matrix units, if it is a product. */
export function shaderOf(task: Task, units: MatrixUnits | null): Shader {
  const { kind, format, rows, columns } = task;
  const depth = format === 'int8' ? task.depth / 4 : task.depth;
  const constants = { rows, columns, depth };
  if (kind === 'product' && rows === 1)
    return { code: rowTimesMatrixShader(format), workgroups: [over(columns, 32), 1], constants, tile: null };
  if (kind === 'product') {
    const large = !units && over(columns, LARGE.tile) * over(rows, LARGE.tile) >= LARGE.fewest;
    const { tile, step } = large ? LARGE : SMALL;
    const code = units ? unitProductShader(format as UnitFormat, units, tile) : productShader(format, tile, step);
    return { code, workgroups: [over(columns, tile), over(rows, tile)], constants, tile };
  }
  const grids: Record<Exclude<Kind, 'product'>, [number, number]> = {
    row_sums: [Math.min(rows, ROWS_ACROSS), over(rows, ROWS_ACROSS)],
    softmax: [Math.min(rows, ROWS_ACROSS), over(rows, ROWS_ACROSS)],
    layer_norm: [Math.min(rows, ROWS_ACROSS), over(rows, ROWS_ACROSS)],
    transpose: [over(columns, 16), over(rows, 16)],
    add: [Math.min(4096, over(rows * columns, GROUP)), 1],
  };
  return { code: SHADERS[kind], workgroups: grids[kind], constants, tile: null };
}
