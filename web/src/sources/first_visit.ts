// The three doors of a first visit: shown over the sample until one is chosen, anything else is opened, or a click is outside them.
import { effect, signal } from '@preact/signals';
import { source } from './opened';
import { registries } from './source_files';
import { kept } from '../core/layout';
import { settingsText } from '../core/settings';
import { tensorFile } from '../precision/tensors';

const taken = kept('doorsTaken', false);

export const doorsOpen = signal(false);

let begun = false; // something was clicked or typed while the page opened
for (const type of ['pointerdown', 'keydown', 'drop'])
  addEventListener(type, () => (begun = true), { capture: true, once: true });

/** Shows the doors, unless the user has already acted. Called if the page opens without a link, a report or a served file. */
export function openDoors() {
  if (taken.peek() || begun) return;
  doorsOpen.value = true;
  const openable = [source, settingsText, registries, tensorFile]; // what a file can change
  const before = openable.map(item => item.peek());
  const stop = effect(() => {
    if (openable.map(item => item.value).every((value, i) => value === before[i]) && doorsOpen.value) return;
    closeDoors();
    queueMicrotask(() => stop());
  });
  const closeIfOutside = ({ target }: PointerEvent) => {
    if ((target as Element).closest('.doors, .notices')) return; // notices are above the doors
    removeEventListener('pointerdown', closeIfOutside, true);
    closeDoors();
  };
  addEventListener('pointerdown', closeIfOutside, true);
}

/** Hides the doors for good. */
export function closeDoors() {
  doorsOpen.value = false;
  taken.value = true;
}
