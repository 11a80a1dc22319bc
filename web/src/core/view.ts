// What is looked at: filters, order, zoom, selection. Kept apart from the settings, which change the numbers.
import { computed, signal } from '@preact/signals';
import type { ChangeOrder, SortName, StatusName, View } from '../protocol';
import type { Patch } from './settings';

export interface LogWindow {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
} // decades of FLOP/B and FLOP/s

/** What a link restores. Absent keys are at their default. */
export interface ViewState {
  tab?: string; // of shell/views.ts
  statuses?: StatusName[];
  types?: string[];
  categories?: string[];
  steps?: string[];
  bounds?: string[]; // what limits: names of resources, "none"
  level?: 'program'; // of a profile: the program and its steps instead of its operations
  noInfeed?: boolean; // without the time of infeed and outfeed
  memory?: string; // on the x axis; absent: of each operation the memory that takes it longest
  search?: string;
  where?: Record<string, string[]>; // words to keep, by the input's column
  grouped?: boolean;
  sort?: SortName;
  ascending?: boolean;
  zoom?: LogWindow;
  roofs?: string[]; // roofs shown or hidden against their default
  sample?: string; // Precision: the numbers that are rounded; "tensor": the user's
  roles?: string; // and the operands that take the format
  thresholdDb?: number; // the accuracy to keep; absent: USUAL_DB
  byLayer?: boolean; // a format for each layer
  scope?: string; // "op": of the selected operation only
  baseline?: number; // the row that speed-ups refer to
  sweep?: SweepView;
  top?: number; // points on the chart, the rest as density; absent: 1,000
  colour?: string; // what the points' colours tell; absent: their status
  rateUnit?: 'G' | 'T'; // rates in GFLOP/s or TFLOP/s throughout; absent: whatever prefix fits
  beforeMachine?: string | object; // Compare: of the run before; absent: its own
  compareSort?: ChangeOrder;
  compareAscending?: boolean;
  unchanged?: boolean; // Compare: lists what has not changed, too
  machines?: (string | object)[] | 'all'; // beside the chosen one: options of machine_options.ts, or machines as their files have them
  heatRows?: string; // the heat map: a column, else each operation
  heatColumns?: string;
  heatMetric?: string;
  distribution?: string; // a metric
  modelSweep?: ModelSweepView;
  fuse?: [number, number]; // the first and last of the neighbours that are looked at as one kernel
}

export interface SweepRange {
  keys: string[];
  from: number;
  to: number;
  log?: boolean;
}
/** What is varied (y: only in a heat map), and what is drawn. */
export interface SweepView {
  x: SweepRange;
  y?: SweepRange;
  metric?: 'time' | 'rate' | 'bound';
  format?: number;
}

/** A language model along one of its numbers: what is varied, what the curves differ in ("": there is one), what is drawn. */
export interface ModelSweepView {
  key?: string;
  from?: number;
  to?: number;
  log?: boolean;
  by?: string;
  values?: string[];
  metric?: string;
}

export const viewState = signal<ViewState>({});
export const selected = signal<number | null>(null);

/** The rows the table needs; moves as it scrolls. */
export const page = signal({ offset: 0, rows: 64 });

/** Where the chart opened: roofline/window.ts says where that is. */
export const home = signal<LogWindow | null>(null);
/** The same, as far as the core has to know of it: it counts the operations that are no points within. */
export const counted = signal<LogWindow | null>(null);
/** The part of the plane that is shown; null before the first frame. */
export const zoom = computed(() => viewState.value.zoom ?? home.value);

/** Changes parts of the view; undefined returns them to their default. */
export function changeView(part: Patch<ViewState>) {
  const next = Object.entries({ ...viewState.value, ...part }).filter(
    ([, value]) => value !== undefined && value !== '' && value !== false,
  );
  viewState.value = Object.fromEntries(next);
}

/** Counts the changes of what the table lists: with each it starts at the top again. */
export const lists = signal(0);
/** Counts the steps by keyboard: after each the selected row is scrolled into view, even if it is still the same. */
export const steps = signal(0);

/** Changes what the table lists, which then starts at its top again. */
export function list(part: Patch<ViewState>) {
  page.value = { ...page.value, offset: 0 };
  ++lists.value;
  changeView(part);
}

/** Returns filters, zoom and roofs to their defaults; the tab stays. */
export function resetView() {
  const { tab: current } = viewState.value;
  list({
    statuses: undefined,
    types: undefined,
    categories: undefined,
    steps: undefined,
    bounds: undefined,
    level: undefined,
    noInfeed: undefined,
    memory: undefined,
    search: undefined,
    where: undefined,
    zoom: undefined,
    colour: undefined,
    top: undefined,
    grouped: undefined,
    roofs: undefined,
    fuse: undefined,
    tab: current,
  });
}

/** The document Session.view() takes. */
export const view = computed<View>(() => {
  const { categories, steps, bounds, level, noInfeed, memory, top, beforeMachine, compareSort, compareAscending } =
    viewState.value;
  const { statuses, types, search, where, grouped, sort = 'lost', ascending } = viewState.value;
  const w = viewState.value.zoom ?? counted.value;
  return {
    ...(categories && { categories }),
    ...(steps && { steps }),
    ...(bounds && { bounds }),
    ...(level && { level }),
    ...(noInfeed && { infeed: false }),
    ...(memory && { memory }),
    ...(top && { top }),
    ...(beforeMachine && { before_machine: beforeMachine }),
    ...(compareSort && { compare_sort: compareSort, compare_descending: !compareAscending }),
    ...(statuses && { statuses }),
    ...(types && { types }),
    ...(search && { search }),
    ...(where && { where }),
    ...(grouped && { grouped }),
    sort,
    descending: !ascending,
    ...page.value,
    ...(selected.value !== null && { selected: selected.value }),
    ...(w && { log_x0: w.x0, log_x1: w.x1, log_y0: w.y0, log_y1: w.y1 }),
  };
});
