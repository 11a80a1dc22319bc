// Workers, one per core. They share no memory: each has its own kernels and working sets, and they start together by their clocks.
import { wrap, type Remote } from 'comlink';
import { bytesOf, urlOf } from '../core/assets';
import { now } from './module';
import { bestOf, shortestOf, unlessCancelled, type Best, type Run, type Shortest } from './probing';
import { isRelaxed, type RelaxedProbe } from './relaxed';
import type { Task } from './tasks';
import type { CoreWorker, Probe } from './worker';

export const SMALLEST_SET = 16 * 1024; // bytes, of one core
export const START_S = 0.004; // from the message to the window: enough on an idle computer
const LONGEST_START_S = 0.064;
const DEADLINE_S = 8; // from then on each probe has one window
const RUN_S = 0.03; // of one timing: long against the step of the clock

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

/** relaxed.wasm; null: this browser has no relaxed SIMD. */
async function relaxedWasm(): Promise<ArrayBuffer | null> {
  const wasm = await bytesOf('relaxed.wasm');
  return WebAssembly.validate(wasm) ? wasm : null;
}

/** Workers that do the same at the same time. */
export class Cores {
  /** At some step the cores never ran at the same time. */
  apart = false;
  /** Probes in relaxed SIMD whose results are wrong. */
  wrong: RelaxedProbe[] = [];
  private readonly deadline = now() + DEADLINE_S;

  private constructor(
    private readonly workers: Worker[],
    private readonly cores: Core[],
    private readonly failed: Promise<never>,
    private readonly relaxed: ArrayBuffer | null,
    private readonly run: Run,
  ) {}

  static async start(count: number, wasm: ArrayBuffer, run: Run): Promise<Cores> {
    const url = await urlOf('measure_worker.js', 'text/javascript');
    const relaxed = await relaxedWasm();
    const workers = Array.from({ length: count }, () => new Worker(url));
    const failed = new Promise<never>((_, reject) => {
      for (const worker of workers)
        worker.addEventListener('error', event =>
          reject(new Error(`a worker ended: ${event.message || 'the browser stopped it'}`)),
        );
    });
    failed.catch(() => {}); // wait() reports it
    const cores = workers.map((worker): Core => ({ remote: wrap<CoreWorker>(worker), ahead_s: 0 }));
    const all = new Cores(workers, cores, failed, relaxed, run);
    try {
      all.wrong = (await all.wait(Promise.all(cores.map(core => core.remote.start(wasm, relaxed))))).flat();
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

  /** Whether this browser has what the probe runs, and its results are right. */
  has(probe: Probe): boolean {
    return !isRelaxed(probe) || (this.relaxed !== null && !this.wrong.includes(probe));
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
      else lead_s = Math.min(2 * lead_s, LONGEST_START_S); // a core got its message too late
    }
    this.apart ||= count > 1 && together.length === 0;
    return bestOf(together.length > 0 ? together : all);
  }

  /**
   * Prepares an operator, with its share on each core, and checks the results. Rejects where there is no memory or a result is wrong.
   */
  async prepare(task: Task) {
    await this.wait(Promise.all(this.cores.map(({ remote }, i) => remote.prepare(task, i, this.cores.length))));
  }

  /** The time of the operator that was prepared: the shortest of repeats, each until the last core is done. */
  async time(repeats: number): Promise<Shortest> {
    let count = 1;
    const once = async () => {
      const start = now() + LONGEST_START_S;
      const asked = this.cores.map(({ remote, ahead_s }) => remote.time(start + ahead_s, count));
      return Math.max(...(await this.wait(Promise.all(asked)))) / count;
    };
    let seconds = await once();
    while (seconds * count < RUN_S / 2 && count < 1e6) {
      count = Math.ceil(count * Math.min(32, RUN_S / Math.max(seconds * count, 1e-4)));
      seconds = await once();
    }
    const times = [seconds];
    while (times.length < repeats && (times.length < 3 || now() < this.deadline)) times.push(await once());
    return shortestOf(times);
  }

  private wait<T>(promise: Promise<T>): Promise<T> {
    return unlessCancelled(this.run.signal, Promise.race([promise, this.failed]));
  }
}
