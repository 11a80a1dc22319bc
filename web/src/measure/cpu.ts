// The processor: its peaks by one core and by all, and bandwidth over working sets.
import { bytesOf } from '../core/assets';
import { Cores, SMALLEST_SET, START_S } from './cores';
import { levelsOf, sizeText, type Level, type MeasuredSet } from './levels';
import { startKernels } from './module';
import { clockStep, throttled, throwIfCancelled, watchDisturbances, type Best, type Run } from './probing';
import type { Probe } from './worker';

export interface MeasuredPeak {
  format: 'fp64' | 'fp32' | 'int8';
  probe: Probe; // the fastest, by which `all` and `one` are measured
  all: Best;
  one: Best;
  plain: Best; // of all cores without relaxed SIMD
}

export interface MeasuredCpu {
  cores: number;
  peaks: MeasuredPeak[];
  curve: MeasuredSet[];
  levels: Level[]; // innermost first
  write: Best;
  copy: Best;
  remarks: string[];
}

/** The probes of each format's peak, the one without relaxed SIMD first. */
const ARITHMETIC = [
  ['fp64', ['fp64', 'relaxed_fp64']],
  ['fp32', ['fp32', 'relaxed_fp32']],
  ['int8', ['int8', 'relaxed_int8', 'relaxed_int8_by_pairs']],
] as const satisfies [MeasuredPeak['format'], [MeasuredPeak['format'], ...Probe[]]][];

const LARGEST_SET = 512 * 2 ** 20; // bytes, of all cores together
const LARGEST_OF_ONE = 256 * 2 ** 20; // what a browser gives a worker without complaint
const BUDGET_S = 6; // of all windows

/** Measures the processor; rejects with Cancelled, or with the worker's end. */
export async function measureCpu(run: Run): Promise<MeasuredCpu> {
  const cores = Math.max(1, navigator.hardwareConcurrency || 1);
  run.report({ what: 'starting', done: 0 });
  const wasm = await bytesOf('measure.wasm');
  throwIfCancelled(run.signal);
  const kernels = await startKernels(wasm);
  const disturbances = watchDisturbances();
  const workers = await Cores.start(cores, wasm, run);
  try {
    run.report({ what: 'taking memory', done: 0 });
    const largest = await workers.allocate(Math.min(LARGEST_OF_ONE, Math.max(SMALLEST_SET, LARGEST_SET / cores)));
    const sets: number[] = [];
    for (let i = 0; kernels.working_set(i) <= largest; ++i) sets.push(kernels.working_set(i));

    const window_s = Math.max(0.005, 40 * clockStep());
    const arithmetic = ARITHMETIC.map(([format, probes]) => ({
      format,
      probes: probes.filter(one => workers.has(one)),
    }));
    const steps = arithmetic.flatMap(({ probes }) => probes).length + (cores > 1 ? 3 : 0) + sets.length + 3;
    const repeats = Math.min(20, Math.max(3, Math.floor(BUDGET_S / steps / (window_s + START_S))));
    let step = 0;
    const measure = (what: string, probe: Probe, bytes = 0, count = cores) => {
      run.report({ what, done: step++ / steps });
      return workers.rates(probe, bytes, count, window_s, repeats);
    };

    const peaks: MeasuredCpu['peaks'] = [];
    for (const { format, probes } of arithmetic) {
      const found: { probe: Probe; all: Best }[] = [];
      for (const probe of probes)
        found.push({ probe, all: await measure(`${format.toUpperCase()}, all cores`, probe) });
      const { probe, all } = found.reduce((best, other) => (other.all.rate > best.all.rate ? other : best));
      const one = cores > 1 ? await measure(`${format.toUpperCase()}, one core`, probe, 0, 1) : all;
      peaks.push({ format, probe, all, one, plain: found[0]!.all });
    }
    const curve: MeasuredSet[] = [];
    for (const bytes of sets) curve.push({ bytes, ...(await measure(`reading ${sizeText(bytes)}`, 'read', bytes)) });
    const write = await measure('writing', 'write', sets.at(-1));
    const copy = await measure('copying', 'copy', sets.at(-1));
    const fp32 = peaks.find(({ format }) => format === 'fp32')!;
    const again = await measure('FP32, all cores, again', fp32.probe);
    const remarks = [...throttled('The processor', fp32.all, again), ...(await disturbances.stop())];
    if (workers.wrong.length > 0)
      remarks.push('Some results in relaxed SIMD are wrong in this browser: those instructions are left out.');
    if (workers.apart)
      remarks.push('The cores could not be measured at the same time, because something else ran: measure again.');
    return { cores, peaks, curve, levels: levelsOf(curve, kernels), write, copy, remarks };
  } finally {
    workers.end();
    void disturbances.stop();
  }
}
