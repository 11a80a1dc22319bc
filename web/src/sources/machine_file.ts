// A machine file opened alone becomes the what-if if the open run is of another machine, else the machine itself.
import { batch, signal } from '@preact/signals';
import { machine, panelFrame } from '../core/engine';
import type { Machine } from '../core/machine_document';
import { changeWhatIf, chooseMachine, settings } from '../core/settings';
import { machineName } from '../machine/machine_options';

/** The machine that was taken as a what-if, and the one that the open run keeps. */
export const takenAsWhatIf = signal<{ machine: Machine; run: string } | null>(null);

/** Makes it the what-if if the open run was measured on another machine; returns whether it did. */
export function takeAsWhatIf(taken: Machine): boolean {
  const now = machine.peek();
  const json = panelFrame.peek()?.json;
  if (!now || !json || !json.all.timed_ops) return false;
  const inDoubt = json.machine_basis === 'assumed' || json.asks_for_machine;
  const same = taken.id === now.id || taken.id.startsWith(`${now.id}-`); // the same machine, partly measured
  if (inDoubt || same) return false;
  changeWhatIf({ machine: taken });
  takenAsWhatIf.value = { machine: taken, run: machineName(now) };
  return true;
}

/** Whether the what-if is still that machine. */
export const isStillWhatIf = (taken: Machine) => {
  const now = settings.value.whatif?.machine;
  return typeof now === 'object' && (now as Machine).id === taken.id;
};

/** Makes it the machine of the open run instead. */
export function ranOn(taken: Machine) {
  batch(() => {
    takenAsWhatIf.value = null;
    changeWhatIf({ machine: undefined });
    chooseMachine(taken);
  });
}
