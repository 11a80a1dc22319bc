// One core of the processor: a worker with kernels and memory of its own.
import { expose } from 'comlink';
import { now, startKernels, type Kernels } from './module';

export const PROBES = ['fp64', 'fp32', 'int8', 'read', 'write', 'copy'] as const;
export type Probe = (typeof PROBES)[number];

let kernels: Kernels;
let memory = 0; // of the probes that walk

export const coreWorker = {
  async start(wasm: ArrayBuffer) {
    kernels = await startKernels(wasm);
  },

  /** Takes memory for working sets up to so many bytes; false: there is not so much. */
  allocate(bytes: number): boolean {
    kernels.release(memory);
    memory = kernels.allocate(bytes);
    return memory !== 0;
  },

  clock: now,

  /** Operations or bytes per second from `start` until `end` by this worker's clock; negative: it heard of it too late, and measured after the others. */
  sample: (probe: Probe, bytes: number, start: number, end: number) =>
    kernels.sample(PROBES.indexOf(probe), memory, bytes, start, end),
};
export type CoreWorker = typeof coreWorker;

if (typeof WorkerGlobalScope !== 'undefined') expose(coreWorker);

declare const WorkerGlobalScope: unknown;
