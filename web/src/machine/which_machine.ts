// Asks which machine ran the open file: the likely ones, and those whose roof it exceeds or that lack its formats.
import type { WhichMachineJson } from '../../../wasm/session';
import { useBackgroundAnswer } from '../core/ask';
import { view } from '../core/view';
import { myMachines, optionOf } from './machine_options';

const MOST = 3; // candidates

/** Null until it is answered, and if nothing is asked. Machines of "unlikely" are named by their option ids. */
export function useWhichMachine(asks: boolean): WhichMachineJson | null {
  const { level, infeed } = view.value;
  const scope = JSON.stringify([level, infeed]); // independent of what sliders change
  const own = myMachines.value.map(machine => ({ ...machine, id: optionOf(machine.id) }));
  const reply = useBackgroundAnswer<WhichMachineJson>(
    'which_machine',
    asks ? { most: MOST, own } : null,
    undefined,
    scope,
  );
  return asks && reply && !('error' in reply) ? reply.json : null;
}
