// Runs an operator on the processor or the GPU: operands, a first run whose results are checked, and then its time.
import { bytesOf as fileBytes } from '../core/assets';
import { si } from '../format';
import { Cores } from './cores';
import { timed } from './gpu/gpu';
import { Gpu } from './gpu/device';
import { shaderOf } from './gpu/kernels';
import type { Run, Shortest } from './probing';
import { checkResult, flopsOf, leftAt, memoryOf, rightAt, type Place, type Task } from './tasks';

export interface Measured {
  task: Task;
  place: Place;
  time: Shortest;
  launch_s: number | null; // of an empty kernel, where it is launched
  tile: number | null; // rows and columns that a workgroup of a product on the GPU computes
}

const MOST_FLOPS: Record<Place, number> = { cpu: 2e11, gpu: 4e12 };
const MOST_BYTES = 2 ** 30;
const REPEATS = 5;

/** Rejects with what is wrong: too large, no memory, a wrong result, no GPU, the loss of a device, or Cancelled. */
export async function runTasks(tasks: Task[], place: Place, run: Run, onMeasured: (measured: Measured) => void) {
  const total = tasks.length;
  const report = (task: Task, i: number) =>
    run.report({
      what: `${task.rows} x ${task.columns}${task.kind === 'product' ? ` x ${task.depth}` : ''}`,
      done: i / total,
    });
  const count = Math.max(1, navigator.hardwareConcurrency || 1);
  for (const task of tasks) {
    const bytes = memoryOf(task, place, count);
    if ((flopsOf(task) ?? 0) > MOST_FLOPS[place] || bytes > MOST_BYTES)
      throw new Error(
        `it is too large to be run in a page: ${si(flopsOf(task) ?? 0, 'FLOP')} of at most ${si(MOST_FLOPS[place], 'FLOP')}, ${si(bytes, 'B')} of at most ${si(MOST_BYTES, 'B')}. Choose smaller sizes`,
      );
  }
  if (place === 'cpu') {
    const cores = await Cores.start(count, await fileBytes('measure.wasm'), run);
    try {
      for (const [i, task] of tasks.entries()) {
        report(task, i);
        await cores.prepare(task);
        onMeasured({ task, place, time: await cores.time(REPEATS), launch_s: null, tile: null });
      }
    } finally {
      cores.end();
    }
    return;
  }
  const gpu = await Gpu.start(run);
  try {
    const launch_s = (await timed(gpu, await gpu.emptyKernel())).seconds;
    for (const [i, task] of tasks.entries()) {
      report(task, i);
      onMeasured({ task, place, launch_s, ...(await onGpu(gpu, task)) });
    }
  } finally {
    gpu.end();
  }
}

/** The operands of a task as the shaders read them: INT8 as four numbers along k in 32 bits. */
export function operandsOf(task: Task): ArrayBufferView<ArrayBuffer>[] {
  const { kind, format, rows, columns, depth } = task;
  const count = kind === 'product' ? rows * depth : rows * columns;
  const others = kind === 'product' ? depth * columns : kind === 'add' ? count : 0;
  if (format === 'int8') {
    const left = Int8Array.from({ length: count }, (_, i) => leftAt(task, i));
    const right = new Int8Array(others);
    for (let p = 0; p < depth; ++p)
      for (let j = 0; j < columns; ++j) right[((p >> 2) * columns + j) * 4 + (p & 3)] = rightAt(task, p * columns + j);
    return [left, right];
  }
  const numbers = (length: number, at: (task: Task, i: number) => number) =>
    format === 'fp16'
      ? Uint16Array.from({ length }, (_, i) => halfOf(at(task, i)))
      : Float32Array.from({ length }, (_, i) => at(task, i));
  return others > 0 ? [numbers(count, leftAt), numbers(others, rightAt)] : [numbers(count, leftAt)];
}

/** The bits of a number in FP16: 0, or one of normal size that FP16 has exactly, as eighths from -1 to 1 are. */
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = Math.abs(value) / 2 ** exponent - 1;
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.round(fraction * 1024);
}

/** The number of FP16's bits. */
function fromHalf(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  const size =
    exponent === 0
      ? fraction * 2 ** -14
      : exponent === 31
        ? fraction
          ? NaN
          : Infinity
        : (1 + fraction) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}

async function onGpu(gpu: Gpu, task: Task): Promise<Pick<Measured, 'time' | 'tile'>> {
  const { kind, format, rows, columns } = task;
  if (format === 'fp16' && !gpu.halfFloats) throw new Error('this browser offers no FP16 in shaders (shader-f16)');
  if (format === 'int8' && !gpu.dotsOfBytes)
    throw new Error('this browser offers no products of packed bytes in shaders');
  const count = kind === 'row_sums' ? rows : rows * columns;
  const size = Math.ceil((count * (format === 'fp16' ? 2 : 4)) / 4) * 4;
  const operands = operandsOf(task);
  for (const bytes of [size, ...operands.map(({ byteLength }) => byteLength)])
    if (bytes > gpu.largestBuffer)
      throw new Error(`an operand of ${bytes} bytes is above this GPU's limit of ${gpu.largestBuffer}`);
  const buffers: GPUBuffer[] = [];
  for (const operand of operands) buffers.push(await gpu.filled(operand));
  const result = await gpu.buffer(Math.max(16, size));
  if (!result) throw new Error(`the GPU has no memory for a result of ${size} bytes`);
  const units = format === 'fp32' ? null : gpu.matrixUnits(format);
  const { code, workgroups, constants, tile } = shaderOf(task, units);
  const kernel = await gpu.kernel(code, [...buffers, result], workgroups, constants);
  await gpu.time(kernel, 1);
  const bytes = await gpu.read(result, Math.max(16, size));
  const numbers =
    format === 'fp16' ? new Uint16Array(bytes) : format === 'int8' ? new Int32Array(bytes) : new Float32Array(bytes);
  checkResult(task, place => (format === 'fp16' ? fromHalf(numbers[place]!) : numbers[place]!));
  const time = await timed(gpu, kernel);
  for (const buffer of [...buffers, result]) gpu.release(buffer);
  return { time, tile };
}

/** The share of the tiles' elements that a product's result fills; null: no tiles. */
export const tileFit = ({ task: { rows, columns }, tile }: Measured) =>
  tile === null ? null : (rows * columns) / (Math.ceil(rows / tile) * Math.ceil(columns / tile) * tile * tile);
