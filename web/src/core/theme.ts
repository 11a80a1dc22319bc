// Light or dark: the system's choice unless the user makes one. Paper is light.
import { computed, effect, signal } from '@preact/signals';
import { printing } from './printing';
import { store, stored } from './storage';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'roofline.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(system.matches);
system.addEventListener('change', () => (systemDark.value = system.matches));

const kept = stored(KEY);
export const theme = signal<Theme>(kept === 'light' || kept === 'dark' ? kept : 'system');
export const shade = computed(() => {
  if (printing.value) return 'light';
  return theme.value === 'system' ? (systemDark.value ? 'dark' : 'light') : theme.value;
});

effect(() => {
  document.documentElement.dataset.theme = shade.value;
});

/** From the system's choice to light, to dark, and back. */
export function switchTheme() {
  theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
  store(KEY, theme.value);
}
