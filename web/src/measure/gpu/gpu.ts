// The GPU by WebGPU: peaks of its shaders, bandwidth over buffers, and what a launch takes.
import { bytesOf } from '../../core/assets';
import { Gpu, type Kernel } from './device';
import {
  unitOperands,
  unitOperations,
  unitReference,
  unitResults,
  unitsPeak,
  type MatrixUnits,
  type UnitFormat,
} from './matrix_units';
import { levelsOf, sizeText, type Level, type MeasuredSet } from '../levels';
import { startKernels } from '../module';
import {
  bestOf,
  shortestOf,
  throttled,
  throwIfCancelled,
  watchDisturbances,
  type Best,
  type Run,
  type Shortest,
} from '../probing';
import {
  bytesDot,
  bytesDotReference,
  copyWalk,
  DOT_OPERATIONS,
  multiplyAdd,
  MULTIPLY_ADD_OPERATIONS,
  multiplyAddReference,
  readWalk,
  THREADS,
  writeWalk,
} from './shaders';

type PeakFormat = 'fp32' | 'fp16' | 'int8';

export interface MeasuredGpu {
  name: string;
  clock: string;
  peaks: { format: PeakFormat; units: MatrixUnits | null; all: Best }[]; // units: of the matrix units; null: of the shaders' own arithmetic
  curve: MeasuredSet[];
  levels: Level[]; // innermost first
  write: Best;
  copy: Best;
  launch: Shortest;
  remarks: string[];
}

const REPEATS = 5;
const SUBMISSION_S = 0.02; // long against the step of any clock, short against a browser's patience
const WARM_MS = 1000; // at most, until a GPU has its clock
const FASTER = 0.97;
const LONG_DISPATCH_S = 0.1;
const SMALLEST_BUFFER = 2 ** 20;

/** Sizes of the arithmetic probes, each larger than the one before: workgroups and rounds. */
const SIZES: [workgroups: number, rounds: number][] = [
  [32, 128],
  [256, 256],
  [1024, 512],
  [2048, 1024],
  [4096, 2048],
  [8192, 4096],
];
const ENOUGH_S = 0.002; // of one dispatch: what launching takes no longer counts
const CHECKED_ROUNDS = 8;

interface Arithmetic {
  format: PeakFormat;
  units: MatrixUnits | null; // null: the shaders' own arithmetic
  code: string;
  operations: number; // of a workgroup's round
  results: number; // 32-bit numbers that a workgroup stores
  operands: Uint32Array<ArrayBuffer> | null;
  correct(results: ArrayBuffer): boolean; // the first numbers, after CHECKED_ROUNDS
}

const near = (found: number, expected: number, tolerance: number) => Math.abs(found / expected - 1) < tolerance;
const floatsNear = (tolerance: number) => (results: ArrayBuffer) =>
  [...new Float32Array(results, 0, 2)].every((found, start) =>
    near(found, multiplyAddReference(start, CHECKED_ROUNDS), tolerance),
  );

const ofShaders = (
  format: PeakFormat,
  code: string,
  threadOperations: number,
  correct: Arithmetic['correct'],
): Arithmetic => ({
  format,
  units: null,
  code,
  operations: threadOperations * THREADS,
  results: THREADS,
  operands: null,
  correct,
});

function ofUnits(gpu: Gpu, format: UnitFormat): Arithmetic[] {
  const units = gpu.matrixUnits(format);
  if (!units) return [];
  const expected = unitReference(format, units.config, 0, CHECKED_ROUNDS);
  return [
    {
      format,
      units,
      code: unitsPeak(format, units),
      operations: unitOperations(units),
      results: unitResults(units),
      operands: unitOperands(format, units.config),
      correct: results =>
        [...(format === 'fp16' ? new Float32Array(results, 0, 2) : new Int32Array(results, 0, 2))].every(
          found => found === expected,
        ),
    },
  ];
}

const arithmetics = (gpu: Gpu): Arithmetic[] => [
  ofShaders('fp32', multiplyAdd('f32'), MULTIPLY_ADD_OPERATIONS, floatsNear(1e-5)),
  ...(gpu.halfFloats ? [ofShaders('fp16', multiplyAdd('f16'), MULTIPLY_ADD_OPERATIONS, floatsNear(0.01))] : []),
  ...(gpu.dotsOfBytes
    ? [
        ofShaders('int8', bytesDot, DOT_OPERATIONS, results =>
          [...new Int32Array(results, 0, 2)].every(
            (found, start) => found === bytesDotReference(start, CHECKED_ROUNDS),
          ),
        ),
      ]
    : []),
  ...ofUnits(gpu, 'fp16'),
  ...ofUnits(gpu, 'int8'),
];

/**
 * The time of one dispatch: the shortest of repeats, each of as many dispatches as make a submission. An idle GPU takes some tenths of a second
 * to reach its clock, so the repeats count from the last time that one was clearly faster.
 */
export async function timed(gpu: Gpu, kernel: Kernel, repeats = REPEATS): Promise<Shortest> {
  let count = 1;
  let seconds = await gpu.time(kernel, count);
  while (seconds < SUBMISSION_S / 2 && count < 4096) {
    count = Math.min(4096, Math.ceil(count * Math.min(16, SUBMISSION_S / seconds)));
    seconds = await gpu.time(kernel, count);
  }
  let times = [seconds / count];
  const end = performance.now() + WARM_MS;
  while (times.length < repeats) {
    const time = (await gpu.time(kernel, count)) / count;
    const faster = time < FASTER * Math.min(...times) && performance.now() < end;
    times = faster ? [time] : [...times, time];
  }
  return shortestOf(times);
}

const rateOf = (work: number, { seconds, spread }: Shortest): Best => ({
  rate: work / seconds,
  spread: spread / (1 + spread),
});

async function peak(gpu: Gpu, probe: Arithmetic): Promise<Best> {
  const largest = SIZES.at(-1)![0];
  const results = await gpu.buffer(largest * probe.results * 4);
  if (!results) throw new Error('the GPU has no memory for the results of its probes');
  const buffers = probe.operands ? [results, await gpu.filled(probe.operands)] : [results];
  const check = await gpu.kernel(probe.code, buffers, [1], { rounds: CHECKED_ROUNDS });
  await gpu.time(check, 1);
  if (!probe.correct(await gpu.read(results, 8))) throw new Error(`the GPU computes wrong results in ${probe.format}`);
  let best: Best | null = null;
  for (const [workgroups, rounds] of SIZES) {
    const kernel = await gpu.kernel(probe.code, buffers, [workgroups], { rounds });
    const once = await gpu.time(kernel, 1);
    const last = once >= ENOUGH_S || workgroups === largest;
    if (!last) continue;
    best = rateOf(workgroups * rounds * probe.operations, await timed(gpu, kernel));
    break;
  }
  for (const buffer of buffers) gpu.release(buffer);
  return best!;
}

/** Walks over buffers of doubling sizes, and writes and copies the largest. */
async function bandwidths(gpu: Gpu, run: Run) {
  let size = 2 ** Math.floor(Math.log2(gpu.largestBuffer));
  let memory = await gpu.buffer(size);
  while (!memory && size > SMALLEST_BUFFER) memory = await gpu.buffer((size /= 2));
  const results = await gpu.buffer(4096 * THREADS * 4);
  if (!memory || !results) throw new Error(`the GPU has no memory for ${sizeText(size)}`);

  const walk = async (code: string, buffers: GPUBuffer[], bytes: number) => {
    const vectors = bytes / 16;
    const workgroups = Math.min(4096, Math.ceil(vectors / THREADS / 4));
    const threads = workgroups * THREADS;
    return { kernel: await gpu.kernel(code, buffers, [workgroups], { vectors, threads }), vectors, threads };
  };
  const ones = await walk(writeWalk, [memory], size);
  await gpu.time(ones.kernel, 1);

  const curve: MeasuredSet[] = [];
  for (let bytes = SMALLEST_BUFFER; bytes <= size; bytes *= 2) {
    run.report({
      what: `GPU: reading ${sizeText(bytes)}`,
      done: 0.5 + (0.3 * curve.length) / Math.log2(size / SMALLEST_BUFFER),
    });
    const { kernel, vectors, threads } = await walk(readWalk, [memory, results], bytes);
    const time = await timed(gpu, kernel, 3);
    const sum = new Float32Array(await gpu.read(results, 4))[0];
    if (sum !== 4 * Math.ceil(vectors / threads)) throw new Error('the GPU does not read what was written');
    curve.push({ bytes, ...rateOf(bytes, time) });
    if (time.seconds > LONG_DISPATCH_S) break; // the next would be twice as long
  }
  const walked = curve.at(-1)!.bytes;
  run.report({ what: 'GPU: writing', done: 0.85 });
  const write = rateOf(walked, await timed(gpu, (await walk(writeWalk, [memory], walked)).kernel, 3));
  run.report({ what: 'GPU: copying', done: 0.9 });
  const half = await gpu.buffer(walked / 2);
  const copy = half
    ? rateOf(walked, await timed(gpu, (await walk(copyWalk, [memory, half], walked / 2)).kernel, 3))
    : bestOf([]);
  return { curve, write, copy };
}

/** Measures the GPU; rejects with NoGpu, Cancelled, or the loss of the device. */
export async function measureGpu(run: Run): Promise<MeasuredGpu> {
  run.report({ what: 'GPU: asking the browser', done: 0 });
  const gpu = await Gpu.start(run);
  const disturbances = watchDisturbances();
  try {
    const kernels = await startKernels(await bytesOf('measure.wasm'));
    const peaks: MeasuredGpu['peaks'] = [];
    const probes = arithmetics(gpu);
    for (const probe of probes) {
      throwIfCancelled(run.signal);
      const { format, units } = probe;
      const what = `GPU: ${format.toUpperCase()}${units ? ' on matrix units' : ''}`;
      run.report({ what, done: 0.05 + (0.4 * peaks.length) / probes.length });
      peaks.push({ format, units, all: await peak(gpu, probe) });
    }
    const { curve, write, copy } = await bandwidths(gpu, run);
    run.report({ what: 'GPU: launching', done: 0.95 });
    const launch = await timed(gpu, await gpu.emptyKernel());
    run.report({ what: 'GPU: FP32, again', done: 0.98 });
    const again = await peak(gpu, probes[0]!);
    const levels = levelsOf(curve, kernels);
    const cache = levels.at(-2)?.last ?? 0;
    return {
      name: gpu.name,
      clock: gpu.clock,
      peaks,
      curve,
      levels,
      write,
      copy,
      launch,
      remarks: [
        ...(gpu.halfFloats ? [] : ['This browser offers no FP16 in shaders (shader-f16), so it is not measured.']),
        ...(gpu.dotsOfBytes
          ? []
          : ['This browser offers no products of packed bytes in shaders, so INT8 is not measured.']),
        ...(cache > 0 && curve.at(-1)!.bytes >= 4 * cache
          ? []
          : [
              cache > 0
                ? `The largest buffer (${sizeText(curve.at(-1)!.bytes)}) is less than 4x the cache: the bandwidth of DRAM may include the cache's.`
                : `No step of a cache was found up to ${sizeText(curve.at(-1)!.bytes)}: the bandwidth of DRAM may be a cache's.`,
            ]),
        ...throttled('The GPU', peaks[0]!.all, again),
        ...(await disturbances.stop()),
      ],
    };
  } finally {
    void disturbances.stop();
    gpu.end();
  }
}
