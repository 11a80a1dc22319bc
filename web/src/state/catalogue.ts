// The machines, models and formats that come with the core, for choosing.
import { signal } from '@preact/signals';
import { core } from './core';

export interface Entry { id: string; name: string }

export const machines = signal<Entry[]>([]);
export const formats = signal<Entry[]>([]);
export const models = signal<Entry[]>([]);
export const operators = signal<Entry[]>([]);
export const stacks = signal<Entry[]>([]);

/** Asks the core for its machines, models, formats, operators and stacks. */
export async function loadCatalogue() {
  const list = (kind: 'machines' | 'formats' | 'models' | 'operators' | 'stacks') => core().list(kind);
  [machines.value, formats.value, models.value, operators.value, stacks.value] = await Promise.all([list('machines'), list('formats'), list('models'), list('operators'), list('stacks')]);
}

/** A format's name by its id. */
export const formatName = (id: string) => formats.value.find(format => format.id === id)?.name ?? id;
