// How far a measured time is from the bound of the measured machine, and why.
import { figureValue, type Machine } from '../core/machine_document';
import { percent, seconds } from '../format';
import { tileFit, type Measured } from './run_task';
import { bytesOf, flopsOf } from './tasks';

interface Gap {
  bound: number; // seconds
  limit: string; // what sets it: a format's peak or the memory
  share: number; // bound / measured time
  reason: string;
}

const NEAR = 0.7;

/** Null: the machine has no figure for the format, or there is no machine. */
export function gapOf(measured: Measured, machine: Machine | null): Gap | null {
  const { task, time } = measured;
  const memory = machine?.memories[0];
  const bandwidth = figureValue(memory?.bandwidth);
  const flops = flopsOf(task);
  const peak = flops === null ? null : figureValue(machine?.peaks.matrix?.[task.format]);
  if (!memory || bandwidth === null || (flops !== null && peak === null)) return null;
  const moving = bytesOf(task) / bandwidth;
  const computing = flops === null ? 0 : flops / peak!;
  const bound = Math.max(moving, computing);
  const share = bound / time.seconds;
  return {
    bound,
    limit: computing > moving ? `${task.format.toUpperCase()} peak` : memory.name,
    share,
    reason: reasonOf(measured, share, computing > moving),
  };
}

function reasonOf(measured: Measured, share: number, computeBound: boolean): string {
  const { time, launch_s } = measured;
  if (share > 1)
    return computeBound
      ? 'Above the roof: the peak was measured while something else ran. Measure again.'
      : 'Its operands stay in the cache from run to run, so the memory roof does not apply.';
  if (launch_s !== null && launch_s > time.seconds / 3) return `Launching alone takes ${seconds(launch_s)}.`;
  const fit = tileFit(measured);
  if (fit !== null && fit < NEAR) return `Its tiles of ${measured.tile} x ${measured.tile} are ${percent(fit)} full.`;
  if (share >= NEAR) return 'Near the roof.';
  return computeBound ? 'The kernel reaches no more of the peak.' : 'The kernel reaches no more of the bandwidth.';
}
