// Light or dark: the system's choice unless the user makes one.
import { computed, effect, signal } from '@preact/signals';
import { store, stored } from './storage';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'roofline.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(system.matches);
system.addEventListener('change', () => (systemDark.value = system.matches));

const kept = stored(KEY);
export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');
const printing = signal(false); // paper is white
addEventListener('beforeprint', () => (printing.value = true));
addEventListener('afterprint', () => (printing.value = false));

const chosen = computed(() => (theme.value === 'system' ? (systemDark.value ? 'dark' : 'light') : theme.value));
export const shade = computed(() => (printing.value ? 'light' : chosen.value));

effect(() => {
  document.documentElement.dataset.theme = shade.value;
});

/** From the system's choice to light, to dark, and back. */
export function switchTheme() {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
  store(KEY, theme.value);
}
