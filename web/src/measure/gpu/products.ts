// The shaders of matrix products. One generator writes the shaders' own product in every format, another that of the matrix units.
import type { Format } from '../tasks';
import { ENABLE, matrixTypes, SUBGROUPS, type MatrixUnits, type UnitFormat } from './matrix_units';

export const SIZES = `
override rows: u32;
override columns: u32;
override depth: u32;`;
export const GROUP = 256; // threads of a workgroup

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

const buffers = (stored: string, result: string) => `
@group(0) @binding(0) var<storage, read> a: array<${stored}>;
@group(0) @binding(1) var<storage, read> b: array<${stored}>;
@group(0) @binding(2) var<storage, read_write> c: array<${result}>;`;

const each = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join('\n');

/**
 * Tiles of `tile` x `tile` of the result per workgroup, with operands of `step` elements of k in workgroup memory; a thread has tile / 16 rows
 * and as many columns, four side by side.
 */
export function productShader(format: Format, tile: number, step: number): string {
  const { enable, stored, sum, add, result, finish } = NUMBERS[format];
  const side = tile / 16;
  const column = (j: number) => `at.x * 4u + ${64 * (j >> 2) + (j & 3)}u`;
  return `${enable}${SIZES}${buffers(stored, result)}
var<workgroup> left: array<${stored}, ${tile * step}>;
var<workgroup> right: array<${stored}, ${tile * step}>;
@compute @workgroup_size(16, 16) fn main(@builtin(workgroup_id) tile: vec3u, @builtin(local_invocation_id) at: vec3u,
                                         @builtin(local_invocation_index) thread: u32) {
  let row = tile.y * ${tile}u;
  let column = tile.x * ${tile}u;
  ${each(side, i => each(side, j => `var s${i}_${j}: ${sum};`))}
  for (var p = 0u; p < depth; p += ${step}u) {
    for (var i = thread; i < ${tile * step}u; i += ${GROUP}u) {
      let y = row + i / ${step}u;
      let q = p + i % ${step}u;
      left[(i % ${step}u) * ${tile}u + i / ${step}u] = select(${stored}(0), a[min(y, rows - 1) * depth + min(q, depth - 1)], y < rows && q < depth);
      let x = column + i % ${tile}u;
      let r = p + i / ${tile}u;
      right[i] = select(${stored}(0), b[min(r, depth - 1) * columns + min(x, columns - 1)], x < columns && r < depth);
    }
    workgroupBarrier();
    for (var q = 0u; q < ${step}u; q++) {
      ${each(side, i => `let a${i} = left[q * ${tile}u + at.y * ${side}u + ${i}u];`)}
      ${each(side, j => `let b${j} = right[q * ${tile}u + ${column(j)}];`)}
      ${each(side, i => each(side, j => add(`s${i}_${j}`, `a${i}`, `b${j}`)))}
    }
    workgroupBarrier();
  }
  ${each(side, i =>
    each(
      side,
      j => `{
    let y = row + at.y * ${side}u + ${i}u;
    let x = column + ${column(j)};
    if (y < rows && x < columns) { c[y * columns + x] = ${finish(`s${i}_${j}`)}; }
  }`,
    ),
  )}
}`;
}

/** A row times a matrix: 32 columns per workgroup, and 8 threads that share the k of each. */
export function rowTimesMatrixShader(format: Format): string {
  const { enable, stored, sum, add, result, finish } = NUMBERS[format];
  return `${enable}${SIZES}${buffers(stored, result)}
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

/**
 * The same on matrix units: the 2 x 2 subgroups of a workgroup share its tile and copy their sums to the result by way of its memory.
 * INT8 is stored as four numbers along k, so its right operand is kept column by column.
 */
export function unitProductShader(format: UnitFormat, { config, lanes }: MatrixUnits, tile: number): string {
  const { M, N, K } = config;
  const types = matrixTypes(format, config);
  const int8 = format === 'int8';
  const [stored, sum, result] = int8 ? ['i32', 'i32', 'i32'] : ['f16', 'f32', 'f16'];
  const packed = int8 ? 4 : 1; // numbers of an element
  const step = (2 * K) / packed; // elements of k
  const pad = int8 ? 4 : 8; // elements between rows, which spread them over the banks
  const [leftRow, rightRow] = [step + pad, int8 ? step + pad : tile + pad];
  const [below, across] = [tile / 2 / M, tile / 2 / N]; // products of a subgroup
  const threads = lanes * SUBGROUPS;
  const load = (type: string, from: string, majority: string, at: string, row: number) =>
    `subgroupMatrixLoad<${type}, ${majority}>(&${from}, ${packed}u * (${at}), ${packed * row}u)`;
  const rightAt = (k: number, j: number) =>
    int8 ? `(sx + ${j * N}u) * ${rightRow}u + ${(k * K) / packed}u` : `${k * K * rightRow}u + sx + ${j * N}u`;
  return `${ENABLE[format]}${SIZES}${buffers(stored, result)}
var<workgroup> left: array<${stored}, ${tile * leftRow}>;
var<workgroup> right: array<${stored}, ${int8 ? tile * rightRow : step * rightRow}>;
var<workgroup> sums: array<${sum}, ${SUBGROUPS * M * N}>;
@compute @workgroup_size(${threads}) fn main(@builtin(workgroup_id) tile: vec3u, @builtin(local_invocation_index) thread: u32,
                                             @builtin(subgroup_id) subgroup: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let row = tile.y * ${tile}u;
  let column = tile.x * ${tile}u;
  let sy = (subgroup / 2u) * ${tile / 2}u;
  let sx = (subgroup % 2u) * ${tile / 2}u;
  ${each(below, i => each(across, j => `var c${i}_${j}: ${types.sum};`))}
  for (var p = 0u; p < depth; p += ${step}u) {
    for (var i = thread; i < ${tile * step}u; i += ${threads}u) {
      let y = i / ${step}u;
      let q = i % ${step}u;
      left[y * ${leftRow}u + q] = select(${stored}(0), a[min(row + y, rows - 1) * depth + min(p + q, depth - 1)], row + y < rows && p + q < depth);
      let r = i / ${tile}u;
      let x = i % ${tile}u;
      right[${int8 ? `x * ${rightRow}u + r` : `r * ${rightRow}u + x`}] = select(${stored}(0), b[min(p + r, depth - 1) * columns + min(column + x, columns - 1)], p + r < depth && column + x < columns);
    }
    workgroupBarrier();
    ${each(
      2,
      k => `{
      ${each(below, i => `let a${i} = ${load(types.left, 'left', 'row_major', `(sy + ${i * M}u) * ${leftRow}u + ${(k * K) / packed}u`, leftRow)};`)}
      ${each(across, j => `let b${j} = ${load(types.right, 'right', int8 ? 'col_major' : 'row_major', rightAt(k, j), rightRow)};`)}
      ${each(below, i => each(across, j => `c${i}_${j} = subgroupMatrixMultiplyAccumulate(a${i}, b${j}, c${i}_${j});`))}
    }`,
    )}
    workgroupBarrier();
  }
  ${each(below, i =>
    each(
      across,
      j => `
  subgroupMatrixStore<row_major>(&sums, subgroup * ${M * N}u, c${i}_${j}, ${N}u);
  workgroupBarrier();
  for (var e = lane; e < ${M * N}u; e += ${lanes}u) {
    let y = row + sy + ${i * M}u + e / ${N}u;
    let x = column + sx + ${j * N}u + e % ${N}u;
    if (y < rows && x < columns) { c[y * columns + x] = ${result}(sums[subgroup * ${M * N}u + e]); }
  }
  workgroupBarrier();`,
    ),
  )}
}`;
}
