// How this person likes the page: kept in the browser, not in the link.
import { effect, signal } from '@preact/signals';

/** A signal that this browser keeps. */
export function kept<T>(key: string, fallback: T) {
  let start = fallback;
  try {
    start = (JSON.parse(localStorage.getItem(`roofline.${key}`) ?? 'null') as T | null) ?? fallback;
  } catch {
    // not ours: the default
  }
  const value = signal(start);
  effect(() => localStorage.setItem(`roofline.${key}`, JSON.stringify(value.value)));
  return value;
}

export const detailFolded = kept('detailFolded', false);
export const legendFolded = kept('legendFolded', false);
export const detailTab = signal<'diagnosis' | 'whatif'>('diagnosis');
export const columns = kept<string[]>('columns', [
  'name',
  'lost',
  'bound_by',
  'status',
  'time',
  'efficiency',
  'type',
  'intensity',
]);
/** Where nothing was measured. */
export const predictedColumns = kept<string[]>('predictedColumns', [
  'name',
  'bound_by',
  'predicted',
  'format',
  'flops',
  'bytes',
  'intensity',
]);
/** Of a profile: what its own table has. */
export const profileColumns = kept<string[]>('profileOperations', [
  'name',
  'lost',
  'bound_by',
  'rank',
  'program',
  'category',
  'count',
  'time',
  'self_time',
  'self_time_share',
  'cumulative_share',
  'achieved',
  'model_rate',
  'bandwidth',
  'efficiency',
  'compute_utilization',
  'memory_utilization',
  'source',
]);
/** Of the program and its steps. */
export const programColumns = kept<string[]>('profileProgram', [
  'step',
  'time_per_core',
  'bound_by',
  'achieved',
  'bandwidth',
  'efficiency',
  'compute_utilization',
  'memory_utilization',
  'intensity',
]);
export const pictureBackground = kept<'light' | 'dark' | 'transparent'>('pictureBackground', 'light');
export const pictureSize = kept<'page' | 'column' | 'slide'>('pictureSize', 'page');
export const pictureOpen = signal(false);
export const helpOpen = signal(false);
export const paletteOpen = signal(false);
