// The machines, models and formats that come with the core, for choosing.
import { signal } from '@preact/signals';
import { core } from './core';
import { machineEntries, type MachineEntry } from './machine_entry';

export interface Entry {
  id: string;
  name: string;
}

interface FormatEntry extends Entry {
  weights_only?: boolean; // absent from a page's first picture
}

export const machines = signal<MachineEntry[]>([]);
export const formats = signal<FormatEntry[]>([]);
export const models = signal<Entry[]>([]);
export const operators = signal<Entry[]>([]);
export const stacks = signal<Entry[]>([]);

/** Asks the core for its machines, models, formats, operators and stacks. */
export async function loadCatalogue() {
  const list = (kind: 'machines' | 'formats' | 'models' | 'operators' | 'stacks') => core().list(kind);
  const [all, ...rest] = await Promise.all([
    list('machines'),
    list('formats'),
    list('models'),
    list('operators'),
    list('stacks'),
  ]);
  machines.value = machineEntries(all);
  [formats.value, models.value, operators.value, stacks.value] = rest;
}

/** A format's name by its id, or the names of a list by part as settings spell it: "experts=mxfp4,rest=fp8_e4m3". */
export function formatName(spelled: string): string {
  const nameOf = (id: string) => formats.value.find(format => format.id === id)?.name ?? id;
  if (!spelled.includes('=')) return nameOf(spelled);
  const parts = spelled.split(',').map(part => part.split('=') as [string, string]);
  if (parts.length === 1 && parts[0]![0] === 'rest') return nameOf(parts[0]![1]);
  return parts.map(([part, id]) => `${part === 'rest' ? 'the rest' : part} ${nameOf(id)}`).join(', ');
}

/** "INT4 weights in groups of 128": operands in a format named "INT4, groups of 128". */
export function describeFormat(id: string, operands: string) {
  const [first, ...rest] = formatName(id).split(', ');
  return [`${first} ${operands}`, ...(rest.length ? [rest.join(', ')] : [])].join(' in ');
}

/** Headings of a list of formats, in its order, and the names below each. */
const FORMAT_FAMILIES = [
  ['Floating point', /^(FP|TF|BF)\d/],
  ['Integer', /^INT\d/],
  ['Block formats', /^(MXFP|MXINT|NVFP|NF)\d/],
  ['GGUF (llama.cpp)', /^GGUF/],
] as const;
const UNSUPPORTED = 'Not supported by the machine';
const HEADINGS = ['', ...FORMAT_FAMILIES.map(([heading]) => heading), UNSUPPORTED];

const familyOf = (name: string) => FORMAT_FAMILIES.find(([, names]) => names.test(name))?.[0] ?? '';

/** Entries as the options of a list: formats by family, the `unsupported` ones at its end. */
export const asOptions = (entries: readonly Entry[], unsupported: readonly string[] = []) =>
  entries
    .map(({ id, name }) => [id, name, unsupported.includes(id) ? UNSUPPORTED : familyOf(name)] as const)
    .sort(([, , a], [, , b]) => HEADINGS.indexOf(a) - HEADINGS.indexOf(b));
