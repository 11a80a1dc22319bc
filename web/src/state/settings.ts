// The settings document: the form of roofline_config.json, only what differs from the defaults.
import { SETTING_DEFAULTS as DEFAULTS } from '../protocol';
import { computed, signal } from '@preact/signals';

/// Some keys of a document; undefined takes a key out.
export type Patch<T> = { [Key in keyof T]?: T[Key] | undefined };

export interface WhatIf {
  weight?: string;
  activation?: string;
  output?: string;
  kv?: string;
  batch_scale?: number;
  peak_scale?: number;
  bandwidth_scale?: number;
  machine?: string | object;
}

/// Of typical times; what is absent is the machine's own, or nothing.
export interface Overhead {
  launch_us?: number;
  compute?: number;    // percent, as bandwidth and overlap
  bandwidth?: number;
  overlap?: number;
  units?: number;
  tile?: string;       // "128x256"
  network?: string;
  accumulator?: string;
}

export interface Channels { read?: number; write?: number }

export interface Settings {
  machine?: string | object;
  peak_tops?: number;   // every peak at once, in the unit that ops_per_mac chooses
  mem_bw?: number;      // GB/s of the device memory
  mem_thresh?: number;  // percent, as the other thresholds
  comp_thresh?: number;
  bound_thresh?: number;
  ops_per_mac?: number;
  peaks?: { matrix?: Record<string, number>; vector?: Record<string, number> };  // TOPS, over the machine's own
  bandwidths?: Record<string, number | Channels>;                                // GB/s, over the machine's own
  overhead?: Overhead;
  whatif?: WhatIf;
}

export { DEFAULTS };

export const settings = signal<Settings>({});
export const settingsText = computed(() => JSON.stringify(settings.value));

/// Sets some keys; undefined or a default takes the key out. A chosen machine stays, the standard one too: a file may state another.
export function change(part: Patch<Settings>) {
  settings.value = pruned({ ...settings.value, ...part });
}

export function changeWhatIf(part: Patch<WhatIf>) {
  const whatif = Object.fromEntries(
    Object.entries({ ...settings.value.whatif, ...part }).filter(([, value]) => value !== undefined && value !== '' && value !== 1),
  ) as WhatIf;
  change({ whatif: Object.keys(whatif).length ? whatif : undefined });
}

/// All of them, as a file or a link has them.
export const replaceSettings = (document: Settings) => (settings.value = pruned(document));

/// Another machine: figures typed over the old one's go. Undefined: the one that the file states, else the standard one.
export function chooseMachine(machine: string | object | undefined) {
  change({ machine, peaks: undefined, bandwidths: undefined, peak_tops: undefined, mem_bw: undefined });
}

function pruned(document: Patch<Settings>): Settings {
  const keep = ([key, value]: [string, unknown]) => value !== undefined && value !== (DEFAULTS as Record<string, unknown>)[key];
  return Object.fromEntries(Object.entries(document).filter(keep));
}
