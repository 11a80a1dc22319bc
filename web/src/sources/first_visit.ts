// The three doors of a first visit: over the sample until one is taken, or something else is opened.
import { effect, signal } from '@preact/signals';
import { source } from './files';
import { kept } from '../core/layout';

const taken = kept('doorsTaken', false);

export const doorsOpen = signal(false);

/** Called where the page opens with nothing of anybody's: no link, no report, no served file. */
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

/** One is taken, or the person prefers the sample. */
export function closeDoors() {
  doorsOpen.value = false;
  taken.value = true;
}
