// The user's own numbers for the Precision view: a tensor file that was opened, and what formats make of one tensor of it.
import { batch, signal } from '@preact/signals';
import type { AccuracyJson, Fault } from '../../../wasm/session';
import type { OpenedTensors } from '../worker/messages';
import { core } from './core';
import { changeView } from './view';

export const tensorFile = signal<OpenedTensors | null>(null);
export const measured = signal<AccuracyJson | null>(null);
export const measuring = signal<string | null>(null); // the tensor being read
export const tensorFault = signal<Fault | null>(null);

/** Makes a tensor file's numbers those of the Precision view. */
export function openTensors(file: OpenedTensors) {
  batch(() => {
    tensorFile.value = file;
    measured.value = null;
    changeView({ tab: 'precision', sample: 'tensor' });
  });
  const first =
    file.tensors.find(({ readable, shape }) => readable && shape.length > 1) ??
    file.tensors.find(({ readable }) => readable) ??
    file.tensors[0];
  if (first) void measure(first.name);
}

/** Rounds one of the file's tensors to every format. */
export async function measure(name: string) {
  const from = tensorFile.value;
  const tensor = from?.tensors.find(item => item.name === name);
  if (!from || !tensor) return;
  measuring.value = name;
  const answer = await core().accuracy(from.file, tensor);
  if (tensorFile.value !== from || measuring.value !== name) return; // another one has been chosen meanwhile
  batch(() => {
    measuring.value = null;
    measured.value = 'formats' in answer ? answer : null;
    tensorFault.value = answer.error ?? null;
  });
}
