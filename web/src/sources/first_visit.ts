// The three doors of a first visit: shown over the sample until one is chosen or anything else is opened.
import { effect, signal } from '@preact/signals';
import { source } from './files';
import { kept } from '../core/layout';

const taken = kept('doorsTaken', false);

export const doorsOpen = signal(false);

/** Shows the doors. Called if the page opens without a link, a report or a served file. */
export function openDoors() {
  if (taken.peek()) return;
  doorsOpen.value = true;
  const sample = source.peek();
  const stop = effect(() => {
    if (source.value === sample && doorsOpen.value) return;
    closeDoors();
    queueMicrotask(() => stop());
  });
}

/** Hides the doors for good. */
export function closeDoors() {
  doorsOpen.value = false;
  taken.value = true;
}
