// The layout: preferences, which this browser keeps and a link does not change, and whether the window is narrow or embedded.
import { effect, signal, type Signal } from '@preact/signals';
import { store, stored } from './storage';

const lent = new Map<unknown, unknown>(); // signal -> value set by a link, which is not stored

/** A signal that this browser keeps. */
export function kept<T>(key: string, fallback: T) {
  let start = fallback;
  try {
    start = (JSON.parse(stored(`roofline.${key}`) ?? 'null') as T | null) ?? fallback;
  } catch {
    // not ours: the default
  }
  const value = signal(start);
  effect(() => {
    if (value.value !== lent.get(value)) store(`roofline.${key}`, JSON.stringify(value.value));
  });
  return value;
}

function lend<T>(to: Signal<T>, value: T) {
  lent.set(to, value);
  to.value = value;
}

const narrowWindow = typeof matchMedia === 'function' ? matchMedia('screen and (max-width: 900px)') : null;
/** Whether the window is so narrow that the panels are sheets, as in style.css. `screen`: a sheet of paper is narrow, too. */
export const narrow = signal(narrowWindow?.matches ?? false);
narrowWindow?.addEventListener('change', () => (narrow.value = narrowWindow.matches));
export const changeFolded = kept('changeFolded', false);
/** Whether the table of operations is unfolded, as chosen; null: as the tab has it. */
export const drawerOpen = kept<boolean | null>('drawerOpen', null);
const STANDARD_COLUMNS = {
  columns: ['name', 'lost', 'limited_by', 'status', 'time', 'efficiency', 'type', 'intensity'],
  predictedColumns: ['name', 'limited_by', 'estimate', 'predicted', 'format', 'flops', 'bytes', 'intensity'],
  timesColumns: ['name', 'type', 'time', 'share', 'count'],
  profileColumns: [
    'name',
    'lost',
    'limited_by',
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
  ],
  programColumns: [
    'step',
    'time_per_core',
    'achieved',
    'limited_by',
    'bandwidth',
    'efficiency',
    'compute_utilization',
    'memory_utilization',
    'intensity',
  ],
};
export const columns = kept<string[]>('columns', STANDARD_COLUMNS.columns);
/** Where nothing was measured. */
export const predictedColumns = kept<string[]>('predictedColumns', STANDARD_COLUMNS.predictedColumns);
/** Where only times are known. */
export const timesColumns = kept<string[]>('timesColumns', STANDARD_COLUMNS.timesColumns);
/** Of a profile: what its own table has. */
export const profileColumns = kept<string[]>('profileOperations', STANDARD_COLUMNS.profileColumns);
/** Of the program and its steps. */
export const programColumns = kept<string[]>('profileProgram', STANDARD_COLUMNS.programColumns);
/** The page without anything around its view, for an <iframe>. */
export const embedded = new URLSearchParams(location.search).has('embed');

/** What a link says of the layout; what is absent is at its default. */
export interface LayoutState {
  side?: 'whatif'; // of earlier versions, as is `folded`; ignored
  folded?: boolean;
  changeFolded?: boolean;
  table?: boolean; // shown or folded, if that was chosen
  columns?: Record<string, string[]>; // by the kind of table
}

const COLUMNS = { columns, predictedColumns, timesColumns, profileColumns, programColumns };

/** The layout as a link has it. */
export function layoutState(): LayoutState {
  const chosen = Object.entries(COLUMNS).flatMap(([kind, { value }]) =>
    value.join() === STANDARD_COLUMNS[kind as keyof typeof COLUMNS].join() ? [] : [[kind, value] as const],
  );
  return {
    ...(changeFolded.value && { changeFolded: true }),
    ...(drawerOpen.value !== null && { table: drawerOpen.value }),
    ...(chosen.length > 0 && { columns: Object.fromEntries(chosen) }),
  };
}

/** Shows the page as the sender of a link had it. */
export function showLayout({ changeFolded: folded, table, columns: chosen }: LayoutState) {
  if (folded) lend(changeFolded, true);
  if (table !== undefined) lend(drawerOpen, table);
  for (const [kind, ids] of Object.entries(chosen ?? {}))
    if (kind in COLUMNS) lend(COLUMNS[kind as keyof typeof COLUMNS], ids);
}

/** Whether a link to a private file includes the input, a summary, and names, as chosen last. */
export const linkHasInput = kept('linkHasInput', false);
export const linkHasSummary = kept('linkHasSummary', false);
export const linkHasNames = kept('linkHasNames', true);

export const pictureBackground = kept<'light' | 'dark' | 'transparent'>('pictureBackground', 'light');
export const pictureSize = kept<'page' | 'column' | 'slide'>('pictureSize', 'page');
