// Which machine's data sheet a measured GPU is compared with, before the user says which.
import { figureValue, type Machine } from '../core/machine_document';
import type { ListedMachine } from './host';

/** Architectures as WebGPU names them (Dawn's gpu_info.json), and as compilers do. */
const ARCHITECTURES: [webgpu: RegExp, compilers: RegExp][] = [
  [/\bvolta\b/, /^sm_70$/],
  [/\bturing\b/, /^sm_75$/],
  [/\bampere\b/, /^sm_8[0-7]$/],
  [/\blovelace\b/, /^sm_89$/],
  [/\bhopper\b/, /^sm_90$/],
  [/\bblackwell\b/, /^sm_1[0-2]\d$/],
  [/\bcdna-2\b/, /^gfx90a$/],
  [/\bcdna-3\b/, /^gfx94/],
  [/\bcdna-4\b/, /^gfx950$/],
];

/** What a kernel may exceed a data sheet by: clocks are not exact. */
const TOLERANCE = 0.02;

/**
 * Of the machines of the architecture in the measured one's name ("nvidia ampere by WebGPU, measured"), the one with the slowest memory
 * that is at least as fast as measured; null: the name has no architecture, or no machine is as fast.
 */
export function likelyDataSheet(measured: Machine, listed: readonly ListedMachine[]): ListedMachine | null {
  const bandwidth = figureValue(measured.memories[0]?.bandwidth);
  const compilers = ARCHITECTURES.find(([webgpu]) => webgpu.test(measured.name.toLowerCase()))?.[1];
  if (!compilers || bandwidth === null) return null;
  const possible = listed.filter(
    other => compilers.test(other.architecture) && (other.bandwidth ?? 0) * (1 + TOLERANCE) >= bandwidth,
  );
  return possible.sort((a, b) => a.bandwidth! - b.bandwidth!)[0] ?? null;
}
