// The user's own tensors for the Accuracy view: the opened file, and the accuracy of each format for one of its tensors.
import { batch, signal } from '@preact/signals';
import type { AccuracyJson, Fault } from '../../../wasm/session';
import type { OpenedTensors } from '../worker/messages';
import { count, plural } from '../format';
import { core } from '../core/core';
import { changeView } from '../core/view';

export const tensorFile = signal<OpenedTensors | null>(null);
export const measured = signal<AccuracyJson | null>(null);
export const measuring = signal<string | null>(null); // the tensor being read
export const tensorFault = signal<Fault | null>(null);

/** SQNR of each format for the tensors named after layers, in dB; null: exact. Null as a whole until measured. */
export const layerTensors = signal<Record<string, Record<string, number | null>> | null>(null);
/** Why some tensors of the layers, or all, were not measured. */
export const layersNote = signal('');
export const measuringLayers = signal<{ done: number; total: number } | null>(null);

/** Uses a tensor file's numbers in the Accuracy view. */
export function openTensors(file: OpenedTensors, { keepView = false, tensor = '' } = {}) {
  batch(() => {
    tensorFile.value = file;
    measured.value = null;
    layerTensors.value = null;
    layersNote.value = '';
    if (!keepView) changeView({ tab: 'precision', sample: 'tensor' });
  });
  const first =
    file.tensors.find(({ name }) => name === tensor) ??
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
  const answer = await core()
    .accuracy(from.file, tensor)
    .catch((cause: Error) => ({ error: { message: cause.message, line: 0, column: 0, path: name } }));
  if (tensorFile.value !== from || measuring.value !== name) return; // another tensor was chosen in between
  batch(() => {
    measuring.value = null;
    measured.value = 'formats' in answer ? answer : null;
    tensorFault.value = answer.error ?? null;
  });
}

/** Rounds the tensors named after these layers, with or without ".weight", one at a time. */
export async function measureLayers(layers: string[]) {
  const from = tensorFile.value;
  if (!from || measuringLayers.value) return;
  const wanted = new Set(layers.map(withoutWeight));
  const tensors = from.tensors.filter(({ name, readable }) => readable && wanted.has(withoutWeight(name)));
  layersNote.value =
    tensors.length > 0
      ? ''
      : `None of the ${plural(from.tensors.length, 'tensor')} in ${from.file.name} has a layer’s name.`;
  if (tensors.length === 0) return;
  const found: Record<string, Record<string, number | null>> = {};
  const unread: string[] = [];
  try {
    for (const [done, tensor] of tensors.entries()) {
      measuringLayers.value = { done, total: tensors.length };
      const answer = await core().accuracy(from.file, tensor);
      if (tensorFile.value !== from) break; // another file is open
      if ('formats' in answer) found[tensor.name] = keptOf(answer);
      else unread.push(`${tensor.name}: ${answer.error.message}`);
    }
  } finally {
    batch(() => {
      measuringLayers.value = null;
      if (tensorFile.value !== from) return;
      layerTensors.value = found;
      layersNote.value =
        unread.length > 0
          ? `${count(unread.length)} of ${plural(tensors.length, 'tensor')} could not be read. ${unread[0]}`
          : '';
    });
  }
}

const withoutWeight = (name: string) => name.replace(/\.weight$/, '');

/** SQNR by format in dB, as the core's questions expect it; formats of unknown accuracy are left out. */
export const keptOf = ({ formats }: AccuracyJson): Record<string, number | null> =>
  Object.fromEntries(
    formats
      .filter(({ sqnr_db, exact }) => exact.length > 0 || sqnr_db.tensor !== null)
      .map(({ id, sqnr_db, exact }) => [id, exact.length > 0 ? null : sqnr_db.tensor]),
  );
