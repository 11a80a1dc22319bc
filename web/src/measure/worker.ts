// One core of the processor: a worker with its own kernels and memory.
import { expose } from 'comlink';
import { now, PROBES, startKernels, type Kernels } from './module';
import { shareOf, type Share } from './cpu_share';
import { isRelaxed, Relaxed, type RelaxedProbe } from './relaxed';
import type { Task } from './tasks';

export type Probe = (typeof PROBES)[number] | RelaxedProbe;

let kernels: Kernels;
let relaxed: Relaxed | null = null;
let share: Share | null = null; // of the operator that is run
let memory = 0; // of the probes that walk

const coreWorker = {
  /** `relaxedWasm`: null where the browser has no relaxed SIMD. Returns the probes in relaxed SIMD whose results are wrong. */
  async start(wasm: ArrayBuffer, relaxedWasm: ArrayBuffer | null): Promise<RelaxedProbe[]> {
    kernels = await startKernels(wasm);
    relaxed = relaxedWasm && (await Relaxed.start(relaxedWasm, kernels));
    return relaxed?.wrong ?? [];
  },

  /** Allocates memory for working sets of up to `bytes`; false: there is not enough. */
  allocate(bytes: number): boolean {
    kernels.release(memory);
    memory = kernels.allocate(bytes);
    return memory !== 0;
  },

  clock: now,

  /** This core's share of an operator: operands, packed where the kernel wants them so, and a first run, which is checked. */
  prepare(task: Task, core: number, cores: number) {
    share?.release();
    share = shareOf(kernels, relaxed, task, core, cores);
    share?.run();
    share?.check();
  },

  /** Seconds that `count` runs take from `start` on, by this worker's clock; 0: this core has no share. */
  time(start: number, count: number): number {
    if (!share) return 0;
    while (now() < start);
    const began = now();
    for (let i = 0; i < count; ++i) share.run();
    return now() - began;
  },

  /** Operations or bytes per second from `start` until `end` by this worker's clock; negative: it began late, so that it did not overlap with the others. */
  sample: (probe: Probe, bytes: number, start: number, end: number) =>
    isRelaxed(probe)
      ? relaxed!.sample(probe, start, end)
      : kernels.sample(PROBES.indexOf(probe), memory, bytes, start, end),
};
export type CoreWorker = typeof coreWorker;

expose(coreWorker);
