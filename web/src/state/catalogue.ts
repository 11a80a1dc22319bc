// The machines, models and formats that come with the core, for choosing.
import { signal } from '@preact/signals';
import { core } from './core';

export interface Entry { id: string; name: string }

export const machines = signal<Entry[]>([]);
export const formats = signal<Entry[]>([]);
export const models = signal<Entry[]>([]);
export const operators = signal<Entry[]>([]);

export async function loadCatalogue() {
  [machines.value, formats.value, models.value, operators.value] = await Promise.all([core().list('machines'), core().list('formats'), core().list('models'), core().list('operators')]);
}

export const formatName = (id: string) => formats.value.find(format => format.id === id)?.name ?? id;
