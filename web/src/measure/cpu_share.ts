// One core's share of an operator: columns of a product, rows of the others.
import type { Kernels } from './module';
import type { Relaxed } from './relaxed';
import { checkResult, leftAt, placeOf, rightAt, samplesOf, type Task } from './tasks';

export interface Share {
  run(): void;
  /** Throws where the result of the last run is wrong. */
  check(): void;
  release(): void;
}

/** The part [from, to) of `count` things that a core of several has, in whole steps. */
export function partOf(count: number, step: number, core: number, cores: number): [from: number, to: number] {
  const steps = Math.ceil(count / step);
  const border = (of: number) => Math.min(count, Math.floor((steps * of) / cores) * step);
  return [border(core), border(core + 1)];
}

const ROW_STEP = 16; // floats, of the kernels that go row by row

/** Null: this core has nothing to do. Throws where there is no memory, or the kernels do not take the sizes. */
export function shareOf(
  kernels: Kernels,
  relaxed: Relaxed | null,
  task: Task,
  core: number,
  cores: number,
): Share | null {
  const taken: number[] = [];
  const take = (bytes: number) => {
    const at = kernels.allocate(bytes);
    if (at === 0) throw new Error(`there is no memory for ${bytes} bytes of operands`);
    taken.push(at);
    return at;
  };
  const release = () => {
    for (const at of taken.splice(0)) kernels.release(at);
  };
  try {
    const made =
      task.kind === 'product'
        ? productShare(kernels, relaxed, task, core, cores, take)
        : rowShare(kernels, task, core, cores, take);
    return made && { ...made, release };
  } catch (error) {
    release();
    throw error;
  }
}

type Take = (bytes: number) => number;
type Made = Omit<Share, 'release'> | null;

/** Columns are filled up with zeros to whole panels. */
function productShare(
  kernels: Kernels,
  relaxed: Relaxed | null,
  task: Task,
  core: number,
  cores: number,
  take: Take,
): Made {
  const { format } = task;
  if (format === 'fp16') throw new Error('WebAssembly has no FP16: it runs on a GPU only');
  const { rows: m, columns, depth: k } = task;
  const panel = kernels.panel_columns();
  const [first, end] = partOf(columns, panel, core, cores);
  if (first === end) return null;
  const n = Math.ceil((end - first) / panel) * panel;
  const bytes = format === 'int8';
  const fast = relaxed?.takes(format, m) ? relaxed : null;
  const size = bytes ? 1 : 4;
  const [a, b, packed, c] = [take(m * k * size), take(k * n * size), take(k * n * size), take(m * n * 4)];
  const scratch = bytes && !fast ? take(m * k * 2) : 0;
  const { buffer } = kernels.memory;
  const left = bytes ? new Uint8Array(buffer, a, m * k) : new Float32Array(buffer, a, m * k);
  const right = bytes ? new Int8Array(buffer, b, k * n) : new Float32Array(buffer, b, k * n);
  for (let i = 0; i < m * k; ++i) left[i] = leftAt(task, i);
  for (let p = 0; p < k; ++p)
    for (let j = 0; j < n; ++j) right[p * n + j] = first + j < end ? rightAt(task, p * columns + first + j) : 0;
  if (!bytes) kernels.pack_fp32(b, packed, n, k);
  else if (!fast) kernels.pack_int8(b, packed, n, k);
  else packByFours(new Int8Array(buffer, b, k * n), new Int8Array(buffer, packed, k * n), panel, n, k);
  const runs = {
    fp32: () => kernels.product_fp32(a, packed, c, m, n, k),
    int8: () => kernels.product_int8(a, packed, c, m, n, k, scratch),
  };
  return {
    run: fast ? () => fast.product(format, a, packed, c, m, n, k) : runs[format],
    check() {
      const Numbers = bytes ? Int32Array : Float32Array;
      const result = new Numbers(kernels.memory.buffer, c, m * n);
      const mine = samplesOf({ ...task, columns: end - first }).map(([row, j]): [number, number] => [row, first + j]);
      checkResult(task, place => result[Math.floor(place / columns) * n + (place % columns) - first]!, mine);
    },
  };
}

/** Packs B in panels of columns, four rows of each column together, as the kernel in relaxed SIMD reads it. */
function packByFours(b: Int8Array, packed: Int8Array, panel: number, n: number, k: number) {
  for (let p = 0; p < k; ++p)
    for (let j = 0; j < n; ++j) {
      const first = Math.floor(j / panel) * panel; // of the panel
      packed[first * k + (p - (p % 4)) * panel + (j - first) * 4 + (p % 4)] = b[p * n + j]!;
    }
}

function rowShare(kernels: Kernels, task: Task, core: number, cores: number, take: Take): Made {
  const { kind, columns } = task;
  if (columns % ROW_STEP !== 0)
    throw new Error(`the kernels here take a last length that is a multiple of ${ROW_STEP}`);
  const [first, end] = partOf(task.rows, 1, core, cores);
  const rows = end - first;
  if (rows === 0) return null;
  const count = rows * columns;
  const part: Task = { ...task, rows };
  const [from, to] = [take(count * 4), take((kind === 'row_sums' ? rows : count) * 4)];
  const other = kind === 'add' ? take(count * 4) : 0;
  const left = new Float32Array(kernels.memory.buffer, from, count);
  for (let i = 0; i < count; ++i) left[i] = leftAt(task, first * columns + i);
  if (other) {
    const right = new Float32Array(kernels.memory.buffer, other, count);
    for (let i = 0; i < count; ++i) right[i] = rightAt(task, first * columns + i);
  }
  const runs: Record<typeof kind, () => void> = {
    softmax: () => kernels.softmax(from, to, rows, columns),
    layer_norm: () => kernels.layer_norm(from, to, rows, columns),
    row_sums: () => kernels.row_sums(from, to, rows, columns),
    transpose: () => kernels.transpose(from, to, rows, columns),
    add: () => kernels.add(from, other, to, count),
    product: () => {},
  };
  return {
    run: runs[kind],
    check() {
      const result = new Float32Array(kernels.memory.buffer, to, kind === 'row_sums' ? rows : count);
      for (const [row, column] of samplesOf(part))
        checkResult(task, () => result[placeOf(part, row, column)]!, [[first + row, column]]);
    },
  };
}
