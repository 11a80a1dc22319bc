// What is open, what is being read, and what was wrong with the files.
import { computed, signal } from '@preact/signals';
import type { NetworkChoices } from '../../../wasm/session';
import type { FileFault, InputFile, Opened, Progress } from '../worker/messages';
import type { Source } from '../share/link';
import { faultOf } from '../core/faults';
import { selected, viewState } from '../core/view';

export interface Sample {
  id: string;
  file: string;
  title: string;
  line: string; // what it is, at a glance
  text: string; // the same with its source
  synthetic?: true; // made up: its times are not measured
}

export const samples = signal<Sample[]>([]);
export const opened = signal<Opened | null>(null);
export const source = signal<Source | null>(null); // the same object while the same file is open, even if it is read again
export const followed = signal<Source | null>(null); // the source whose files are read again when they change; open while `live`
export const before = signal<Source | null>(null); // the run that the open one is compared with, if any
/** Set while a comparison's second run opens: reopens the earlier runs if that run is refused. Null: the next source replaces the open run. */
export const reopenRuns = signal<(() => Promise<unknown>) | null>(null);
export const progress = signal<Progress | null>(null);
export const faults = signal<FileFault[]>([]);
export const notice = signal('');

/** The table that was refused last because its columns could not be mapped. */
export const refusedTable = signal<InputFile | null>(null);

/** A file that was joined with the open one, and the name of that one. */
export const joinedWith = signal<{ file: InputFile; to: string } | null>(null);

/** The language model that ran in the open trace, before it is placed: of the catalogue, or its config.json. */
export const ranModel = signal<{ name: string; model: string | object } | null>(null);

/** The choices that the open network is being read with; null once the core has answered. */
export const resizing = signal<NetworkChoices | null>(null);

export const sample = computed(() => {
  const from = source.value;
  return from && 'sample' in from ? samples.value.find(({ id }) => id === from.sample) : undefined;
});

/** The name of the open file where the user has no copy: of a sample, or of a file that came in a link. */
export const unsavedInput = computed(() => {
  const from = source.value;
  return sample.value?.file ?? (from && 'text' in from ? from.file : undefined);
});

/** What the Export menu calls that file. */
export const inputItem = () => (sample.value ? 'Sample' : 'Input');

/** Whether the rows are one operator in several formats: alternatives, neither layers nor to be summed. */
export const hasAlternatives = () => opened.value?.format === 'operator';

/** The operation that a view answers for: the selected one, if chosen or if rows are alternatives; null: all together. */
export const scopedOp = () =>
  hasAlternatives() ? (selected.value ?? 0) : viewState.value.scope === 'op' ? selected.value : null;

/** Whether a format of the KV cache can change anything. */
export const hasCache = computed(() => opened.value?.kv_cache ?? true);

const LEAST_IDLE = 0.01; // of the device's span: less is not worth showing

/** How long the device of a trace was idle; null: unknown, or too little to show. */
export const idle = computed(() => {
  const { span_s, busy_s } = opened.value?.device_time ?? {};
  if (span_s === undefined || busy_s === undefined || !(span_s - busy_s > LEAST_IDLE * span_s)) return null;
  return { time_s: span_s - busy_s, share: (span_s - busy_s) / span_s };
});

/** Whether the open run was made up: it is such a sample, or is called like an export of one. */
export const isSynthetic = computed(() => {
  const from = source.value;
  const namedAsExport = from !== null && 'file' in from && from.file.includes('-synthetic.');
  return sample.value?.synthetic ?? namedAsExport;
});
export const SYNTHETIC = 'A made-up example: its times are not measured';
/** The title of a printed page or a picture: "ResNet-50, INT8, batch 8 (synthetic)", else the file's name. */
export const printedName = (file: string) =>
  sample.value ? sample.value.title + (isSynthetic.value ? ' (synthetic)' : '') : file;
/** What the times of the open operations are: "measured", "simulated by Vela", "synthetic". */
export const timesAre = () =>
  isSynthetic.value
    ? 'synthetic'
    : opened.value?.simulated_by
      ? `simulated by ${opened.value.simulated_by}`
      : 'measured';

/** Shows an error. */
export function complain(file: string, error: unknown) {
  faults.value = [{ file, fault: faultOf(error) }];
}
