// The settings document: the form of roofline_config.json, only what differs from the defaults.
import { computed, signal } from '@preact/signals';
import type { FrameJson } from '../../../wasm/session';
import { seconds, speedups } from '../format';
import { SETTINGS, type MachineBasis } from '../protocol';

/// Some keys of a document; undefined takes a key out.
export type Patch<T> = { [Key in keyof T]?: T[Key] | undefined };

type Table = typeof SETTINGS;
export type Key = keyof Table;
/// Keys of one kind, such as "number".
export type KeyOf<Kind extends Table[Key]['kind']> = { [K in Key]: Table[K]['kind'] extends Kind ? K : never }[Key];

export interface Channels {
  read?: number;
  write?: number;
}
interface Values {
  number: number;
  format: string;
  tile: string; // "128x256"
  stack: string;
  machine: string | object;
  'machine basis': MachineBasis;
  'rates by format': Record<string, number>;
  'rates by name': Record<string, number | Channels>;
}
type ValueOf<K extends Key> = Values[Table[K]['kind']];
type SectionName = { [K in Key]: K extends `${infer Section}.${string}` ? Section : never }[Key];
type Section<Of extends SectionName> = {
  [K in Key as K extends `${Of}.${infer Name}` ? Name : never]?: ValueOf<K>;
};

export type Overhead = Section<'overhead'>;
export type WhatIf = Section<'whatif'>;
export type Settings = { [K in Key as K extends `${string}.${string}` ? never : K]?: ValueOf<K> } & {
  [S in SectionName]?: Section<S>;
};

type Defaults = { [K in Key as Table[K] extends { default: number } ? K : never]: number };
export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).flatMap(([key, row]) => ('default' in row ? [[key, row.default]] : [])),
) as Defaults;

export const settings = signal<Settings>({});
export const settingsText = computed(() => JSON.stringify(settings.value));

/// Sets some keys; undefined or a default removes the key. A chosen machine is kept even if it is the default, because a file may state another.
export function change(part: Patch<Settings>) {
  settings.value = pruned({ ...settings.value, ...part });
}

/// The same for keys of a section.
export function changeIn<S extends SectionName>(section: S, part: Patch<Section<S>>) {
  const next = pruned({ ...settings.value[section], ...part }, `${section}.`);
  change({ [section]: Object.keys(next).length ? next : undefined });
}

export const changeWhatIf = (part: Patch<WhatIf>) => changeIn('whatif', part);

/// The operands that a what-if gives formats to, by their keys.
export const OPERANDS = ['weight', 'activation', 'output', 'kv'] as const;

/// The part of a what-if with one format for all operands; undefined or "": unchanged.
export const inAllOperands = (format: string | undefined) =>
  Object.fromEntries(OPERANDS.map(operand => [operand, format || undefined])) as Patch<WhatIf>;

/// All of them, as a file or a link has them.
export const replaceSettings = (document: Settings) => (settings.value = pruned(document));

/// The settings that a new source begins with: all cleared but the units, and `machine` if given.
export const startingSettings = (machine?: string | object, machine_basis?: MachineBasis): Settings =>
  pruned({ machine, machine_basis, ops_per_mac: settings.peek().ops_per_mac }) as Settings;

/// Ends the id of a machine with other rates, as a what-if.
export const CHANGED = '+changed';
const isChanged = (machine: WhatIf['machine']) => (machine as { id?: string } | undefined)?.id?.endsWith(CHANGED);

/// A change that removes rates typed over the machine's.
export const WITHOUT_RATES = { peaks: undefined, bandwidths: undefined, peak_tops: undefined, mem_bw: undefined };

/// Chooses a machine and removes rates typed over the old one, or changed as a what-if. Undefined: the file's machine, else the default. `machine_basis`: if not chosen by the user.
export function chooseMachine(machine: string | object | undefined, machine_basis?: MachineBasis) {
  change({ machine, machine_basis, ...WITHOUT_RATES });
  if (isChanged(settings.value.whatif?.machine)) changeWhatIf({ machine: undefined });
}

/** Whether the settings replace rates of the machine. */
export const hasEditedRates = () => Object.keys(WITHOUT_RATES).some(key => key in settings.value);

function pruned<T extends object>(document: T, section = '') {
  const keep = ([key, value]: [string, unknown]) =>
    value !== undefined && value !== '' && value !== (DEFAULTS as Record<string, unknown>)[section + key];
  return Object.fromEntries(Object.entries(document).filter(keep));
}

/** The two ends of a what-if's range. */
export const WHATIF_RANGE = 'Low: overhead stays constant. High: efficiency stays constant.';
const BATCH_RANGE =
  'Low: overhead grows with the batch. High: efficiency or launch overhead stays constant, whichever is faster.';

/** The two ends of the range of the what-if in force. */
export const rangeInForce = () => (whatifBatch() ? BATCH_RANGE : WHATIF_RANGE);

/** ", batch x8" if the what-if changes the batch: times and speed-ups are then per item. */
export function whatifBatch() {
  const items = settings.value.whatif?.batch_scale ?? 1;
  return items === 1 ? '' : `, batch x${items}`;
}

/** The speed-up of a what-if; where today's time is not known, the least time it takes. */
export const whatifText = ({ low, high, today_s, least_s }: FrameJson['whatif_outcome']) =>
  today_s === null && least_s !== null ? `at least ${seconds(least_s)}` : speedups(low, high);
