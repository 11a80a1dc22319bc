// One core of the processor: a worker with its own kernels and memory.
import { expose } from 'comlink';
import { now, startKernels, type Kernels } from './module';
import { shareOf, type Share } from './cpu_share';
import type { Task } from './tasks';

export const PROBES = ['fp64', 'fp32', 'int8', 'read', 'write', 'copy'] as const;
export type Probe = (typeof PROBES)[number];

let kernels: Kernels;
let share: Share | null = null; // of the operator that is run
let memory = 0; // of the probes that walk

export const coreWorker = {
  async start(wasm: ArrayBuffer) {
    kernels = await startKernels(wasm);
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
    share = shareOf(kernels, task, core, cores);
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
    kernels.sample(PROBES.indexOf(probe), memory, bytes, start, end),
};
export type CoreWorker = typeof coreWorker;

expose(coreWorker);
