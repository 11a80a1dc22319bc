// Operators that can be run here: their sizes, their operands, and the reference that their results are checked against.

export type Format = 'fp32' | 'fp16' | 'int8';
export type Place = 'cpu' | 'gpu';
export type Kind = 'product' | 'softmax' | 'layer_norm' | 'row_sums' | 'transpose' | 'add';

/** C = A B with A of rows x depth and B of depth x columns; of the other kinds an array of rows x columns. */
export interface Task {
  kind: Kind;
  type: string; // as results tables call it
  format: Format;
  rows: number;
  columns: number;
  depth: number; // of a product; else 1
}

type Parameters = Record<string, unknown>;

const PRODUCTS = ['gemm', 'matmul', 'linear', 'gemv', 'mm', 'bmm'];
const ROW_WISE: Record<string, Kind> = { softmax: 'softmax', layer_norm: 'layer_norm', sum: 'row_sums' };

const isShape = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every(length => typeof length === 'number' && length > 0);
const product = (lengths: number[]) => lengths.reduce((all, length) => all * length, 1);

/** The operator as a task, or why it cannot be run here. */
export function taskOf(
  { type, parameters }: { type: string; parameters: Parameters },
  format: Format,
  place: Place,
): Task | string {
  if (format === 'fp16' && place === 'cpu') return 'FP16 runs on the GPU only: WebAssembly has no FP16';
  const whole = (key: string, without: number) => {
    const value = parameters[key];
    return typeof value === 'number' ? value : without;
  };
  if (PRODUCTS.includes(type)) {
    const [left, right] = [parameters.input_mat1, parameters.input_mat2];
    const shapes = isShape(left) && isShape(right) && left.length === 2 && right.length === 2;
    const [m, k, n] = shapes ? [left[0]!, left[1]!, right[1]!] : [whole('m', 1), whole('k', 0), whole('n', 0)];
    if (!(m > 0 && n > 0 && k > 0)) return 'its sizes m, n and k are not all given';
    if (whole('batch', 1) !== 1 || parameters.transpose_a === true || parameters.transpose_b === true)
      return 'only single products of matrices as they are can be run here';
    if (format === 'int8' && k % 4 !== 0) return 'INT8 takes a k that is a multiple of 4';
    return { kind: 'product', type: m === 1 ? 'gemv' : 'gemm', format, rows: m, columns: n, depth: k };
  }
  if (!(type in ROW_WISE) && type !== 'transpose' && type !== 'add')
    return 'there is no kernel for it here: products, softmax, layer norm, sum, transpose and add can be run';
  const shape = isShape(parameters.input_shape) ? parameters.input_shape : parameters.input_self;
  if (!isShape(shape)) return 'its shape is not given';
  if (format !== 'fp32') return 'this operator runs here in FP32 only';
  const [rows, columns] = [product(shape.slice(0, -1)), shape.at(-1)!];
  const kind = ROW_WISE[type];
  if (kind) {
    if (Array.isArray(parameters.axis)) return 'only one axis can be reduced here';
    const axis = whole('axis', type === 'sum' && shape.length > 1 ? NaN : -1); // a sum without an axis is one of everything
    if (axis !== -1 && axis !== shape.length - 1) return 'only the last axis can be reduced here';
    return { kind, type, format, rows, columns, depth: 1 };
  }
  if (type === 'transpose' && shape.length === 2) return { kind: 'transpose', type, format, rows, columns, depth: 1 };
  if (type === 'add') {
    const other = parameters.input_other;
    if (other !== undefined && !(isShape(other) && String(other) === String(shape)))
      return 'only arrays of the same shape can be added here';
    return { kind: 'add', type, format, rows, columns, depth: 1 };
  }
  return 'only matrices can be transposed here';
}

const BYTES: Record<Format, number> = { fp32: 4, fp16: 2, int8: 1 };

/** Bytes of the operands read and the result written, each once. */
export function bytesOf({ kind, format, rows, columns, depth }: Task): number {
  const one = BYTES[format];
  if (kind === 'product') return (rows + columns) * depth * one + rows * columns * (format === 'int8' ? 4 : one);
  const out = kind === 'row_sums' ? rows : rows * columns;
  return (rows * columns * (kind === 'add' ? 2 : 1) + out) * one;
}

/**
 * Bytes that running it takes. On the processor each core has the whole left operand of a product, INT8 widened beside it, and its columns
 * of the right one both as they are and packed. For the GPU each array is in the page's memory and in its own.
 */
export function memoryOf(task: Task, place: Place, cores: number): number {
  const { kind, format, rows, columns, depth } = task;
  if (place === 'gpu') return 2 * bytesOf(task);
  if (kind !== 'product') return bytesOf(task);
  const one = BYTES[format];
  return cores * rows * depth * (one + (format === 'int8' ? 2 : 0)) + 2 * depth * columns * one + rows * columns * 4;
}

/** FLOPs of a product, a multiply-add counted as two; null: of the other kinds, which memory limits. */
export const flopsOf = ({ kind, rows, columns, depth }: Task) =>
  kind === 'product' ? 2 * rows * columns * depth : null;

// --- operands: the number at an index, from 0 to 16 for the left operand of INT8, else from -1 to 1 in eighths, exact in every format

const pattern = (i: number, seed: number) => (Math.imul(i + seed * 7919, 0x9e3779b1) >>> 16) % 17;

export const leftAt = (task: Task, i: number) => (task.format === 'int8' ? pattern(i, 1) : (pattern(i, 1) - 8) / 8);
export const rightAt = (task: Task, i: number) =>
  task.format === 'int8' ? pattern(i, 2) - 8 : (pattern(i, 2) - 8) / 8;

/** What the reference says of one element of the result, and how far a result may be off. In double precision. */
export function expectedAt(task: Task, row: number, column: number): { value: number; tolerance: number } {
  const { kind, format, columns, depth } = task;
  const rounding = format === 'fp16' ? 2 ** -10 : 2 ** -22;
  const at = (i: number) => leftAt(task, row * columns + i);
  if (kind === 'product') {
    let value = 0;
    let magnitude = 0;
    for (let p = 0; p < depth; ++p) {
      const term = leftAt(task, row * depth + p) * rightAt(task, p * columns + column);
      value += term;
      magnitude += Math.abs(term);
    }
    if (format === 'int8') return { value, tolerance: 0 };
    return { value, tolerance: rounding * Math.abs(value) + 2 ** -22 * magnitude };
  }
  if (kind === 'add') return { value: at(column) + rightAt(task, row * columns + column), tolerance: 0 };
  if (kind === 'transpose') return { value: at(column), tolerance: 0 };
  let sum = 0;
  let magnitude = 0;
  let largest = -Infinity;
  for (let i = 0; i < columns; ++i) {
    sum += at(i);
    magnitude += Math.abs(at(i));
    largest = Math.max(largest, at(i));
  }
  if (kind === 'row_sums') return { value: sum, tolerance: 2 ** -20 * (magnitude + 1) };
  let total = 0;
  for (let i = 0; i < columns; ++i)
    total += kind === 'softmax' ? Math.exp(at(i) - largest) : (at(i) - sum / columns) ** 2;
  const value =
    kind === 'softmax'
      ? Math.exp(at(column) - largest) / total
      : (at(column) - sum / columns) / Math.sqrt(total / columns + 1e-5);
  return { value, tolerance: kind === 'softmax' ? 1e-5 * value : 1e-5 * (Math.abs(value) + 1) };
}

/** Elements to check: corners and others spread over the result. */
export function samplesOf({ kind, rows, columns }: Task): [row: number, column: number][] {
  const width = kind === 'row_sums' ? 1 : columns;
  const spread = Array.from({ length: 30 }, (_, i): [number, number] => [
    Math.floor((i * 0.6180339887 * rows) % rows),
    Math.floor((i * 0.7548776662 * width * 7) % width),
  ]);
  return [[0, 0], [0, width - 1], [rows - 1, 0], [rows - 1, width - 1], ...spread];
}

/** Where an element of the result is. */
export const placeOf = ({ kind, rows, columns }: Task, row: number, column: number) =>
  kind === 'row_sums' ? row : kind === 'transpose' ? column * rows + row : row * columns + column;

/** Rejects a result that differs from the reference by more than its format rounds. `at`: the result's number there. */
export function checkResult(task: Task, at: (place: number) => number, samples = samplesOf(task)) {
  for (const [row, column] of samples) {
    const { value, tolerance } = expectedAt(task, row, column);
    const found = at(placeOf(task, row, column));
    if (!(Math.abs(found - value) <= tolerance))
      throw new Error(`wrong result in row ${row}, column ${column}: ${found}; expected ${value}`);
  }
}
