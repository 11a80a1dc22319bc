// The processor by one worker per core. Workers share no memory: each has its own kernels and working sets, and they start by the clock.
import { wrap, type Remote } from 'comlink';
import { bytesOf, urlOf } from '../core/assets';
import { levelsOf, sizeText, type Level, type MeasuredSet } from './levels';
import { now, startKernels } from './module';
import {
  bestOf,
  clockStep,
  sleep,
  throwIfCancelled,
  unlessCancelled,
  watchDisturbances,
  type Best,
  type Run,
} from './probing';
import type { CoreWorker, Probe } from './worker';

export interface MeasuredCpu {
  cores: number;
  peaks: { format: 'fp64' | 'fp32' | 'int8'; all: Best; one: Best }[];
  curve: MeasuredSet[];
  levels: Level[]; // innermost first
  write: Best;
  copy: Best;
  remarks: string[];
}

const LARGEST_SET = 512 * 2 ** 20; // bytes, of all cores together
const LARGEST_OF_ONE = 256 * 2 ** 20; // what a browser gives a worker without complaint
const SMALLEST_SET = 16 * 1024;
const BUDGET_S = 6; // of all windows
const DEADLINE_S = 8; // from then on each probe has one window
const START_S = 0.004; // until every worker has heard, where the computer is idle
const LONGEST_START_S = 0.064;

interface Core {
  remote: Remote<CoreWorker>;
  ahead_s: number; // of its clock, of the page's
}

/** How far a worker's clock is ahead of the page's, by the quickest of several answers. */
async function clockAhead(remote: Remote<CoreWorker>): Promise<number> {
  let quickest = Infinity;
  let ahead = 0;
  for (let i = 0; i < 8; ++i) {
    const asked = now();
    const there = await remote.clock();
    const took = now() - asked;
    if (took < quickest) [quickest, ahead] = [took, there - asked - took / 2];
  }
  return ahead;
}

/** Workers that do the same at the same time. */
class Cores {
  /** At some step the cores never ran at the same time. */
  apart = false;
  private readonly deadline = now() + DEADLINE_S;

  private constructor(
    private readonly workers: Worker[],
    private readonly cores: Core[],
    private readonly failed: Promise<never>,
    private readonly run: Run,
  ) {}

  static async start(count: number, wasm: ArrayBuffer, run: Run): Promise<Cores> {
    const url = await urlOf('measure_worker.js', 'text/javascript');
    const workers = Array.from({ length: count }, () => new Worker(url));
    const failed = new Promise<never>((_, reject) => {
      for (const worker of workers)
        worker.addEventListener('error', event =>
          reject(new Error(`a worker ended: ${event.message || 'the browser stopped it'}`)),
        );
    });
    failed.catch(() => {}); // whoever waits hears of it
    const cores = workers.map((worker): Core => ({ remote: wrap<CoreWorker>(worker), ahead_s: 0 }));
    const all = new Cores(workers, cores, failed, run);
    try {
      await all.wait(Promise.all(cores.map(core => core.remote.start(wasm))));
      for (const core of cores) core.ahead_s = await all.wait(clockAhead(core.remote));
    } catch (error) {
      all.end();
      throw error;
    }
    return all;
  }

  end() {
    for (const worker of this.workers) worker.terminate();
  }

  /** Gives each core as much memory as it can have, up to `most` bytes; returns how much. */
  async allocate(most: number): Promise<number> {
    for (let bytes = most; bytes >= SMALLEST_SET; bytes /= 2)
      if ((await this.wait(Promise.all(this.cores.map(core => core.remote.allocate(bytes))))).every(Boolean))
        return bytes;
    throw new Error('there is no memory for the smallest working set');
  }

  /** The rate of a probe on the first `count` cores, added over them, in each of several windows. */
  async rates(probe: Probe, bytes: number, count: number, window_s: number, repeats: number): Promise<Best> {
    const all: number[] = [];
    const together: number[] = [];
    for (let lead_s = START_S; all.length === 0 || (all.length < repeats && now() < this.deadline); ) {
      const start = now() + lead_s;
      const asked = this.cores
        .slice(0, count)
        .map(({ remote, ahead_s }) => remote.sample(probe, bytes, start + ahead_s, start + ahead_s + window_s));
      const samples = await this.wait(Promise.all(asked));
      const sum = samples.reduce((total, one) => total + Math.abs(one), 0);
      all.push(sum);
      if (samples.every(one => one > 0)) together.push(sum);
      else lead_s = Math.min(2 * lead_s, LONGEST_START_S); // some core heard of it too late
    }
    this.apart ||= together.length === 0;
    return bestOf(together.length > 0 ? together : all);
  }

  private wait<T>(promise: Promise<T>): Promise<T> {
    return unlessCancelled(this.run.signal, Promise.race([promise, this.failed]));
  }
}

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

    const window_s = Math.max(0.012, 40 * clockStep());
    const steps = 3 * 2 + sets.length + 2;
    const repeats = Math.min(10, Math.max(3, Math.floor(BUDGET_S / steps / (window_s + START_S))));
    let step = 0;
    const measure = (what: string, probe: Probe, bytes = 0, count = cores) => {
      run.report({ what, done: step++ / steps });
      return workers.rates(probe, bytes, count, window_s, repeats);
    };

    const peaks: MeasuredCpu['peaks'] = [];
    for (const format of ['fp64', 'fp32', 'int8'] as const) {
      const all = await measure(`${format.toUpperCase()}, all cores`, format);
      peaks.push({ format, all, one: await measure(`${format.toUpperCase()}, one core`, format, 0, 1) });
    }
    const curve: MeasuredSet[] = [];
    for (const bytes of sets) curve.push({ bytes, ...(await measure(`reading ${sizeText(bytes)}`, 'read', bytes)) });
    const write = await measure('writing', 'write', sets.at(-1));
    const copy = await measure('copying', 'copy', sets.at(-1));
    const remarks = await disturbances.stop();
    if (workers.apart)
      remarks.push('The cores could not be measured at the same time, because something else ran: measure again.');
    return { cores, peaks, curve, levels: levelsOf(curve, kernels), write, copy, remarks };
  } finally {
    workers.end();
    void disturbances.stop();
    await sleep(0);
  }
}
