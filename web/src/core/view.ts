// The view: filters, order, zoom, selection. The settings, which change the numbers, are a separate document.
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
  tab?: string; // a view's id in shell/views.ts
  statuses?: StatusName[];
  types?: string[];
  categories?: string[];
  steps?: string[];
  bounds?: string[]; // names of the resources that bound them, "none": not known
  limits?: string[]; // names of the resources that limit them, "neither", or "none": not known
  level?: 'program'; // shows a profile's program and steps instead of its operations
  noInfeed?: boolean; // without the time of infeed and outfeed
  memory?: string; // whose intensity is on the x axis; absent: each operation's slowest memory
  search?: string;
  where?: Record<string, string[]>; // values to keep, by column of the input
  grouped?: boolean;
  sort?: SortName;
  ascending?: boolean;
  zoom?: LogWindow;
  roofs?: string[]; // roofs shown or hidden against their default
  sample?: string; // Precision: the numbers that are rounded; "tensor": the user's
  roles?: string; // and the operands that take the format
  thresholdDb?: number; // the accuracy to keep; absent: DEFAULT_MIN_SQNR_DB
  byLayer?: boolean; // a format for each layer
  scope?: string; // "op": of the selected operation only
  baseline?: string | number; // the operator's format that speed-ups refer to; in older links its index
  sweep?: SweepView;
  top?: number; // points on the chart, the rest as density; absent: 1,000
  colour?: string; // colours points by this; absent: by limit
  rateUnit?: 'G' | 'T'; // prefix of all rates; absent: the one that fits each
  beforeMachine?: string | object; // Compare: machine of the run before; absent: the one its file states
  compareSort?: ChangeOrder;
  compareAscending?: boolean;
  compareBy?: 'type'; // Compare: sums by type; absent: each operation
  unchanged?: boolean; // Compare: lists unchanged operations too
  machines?: (string | object)[] | 'all'; // compared with the chosen one: option ids, or machine documents
  machineSort?: string; // the Machines table: a column's id; absent: by groups, the fastest first
  machineAscending?: boolean;
  heatRows?: string; // the heat map: a column, else each operation
  heatColumns?: string;
  heatMetric?: string;
  distribution?: string; // a metric
  modelSweep?: ModelSweepView;
  networkSweep?: NetworkSweepView;
  serving?: ServingView;
  checkpoint?: AppliedCheckpoint;
  noImatrix?: boolean; // mixtures and plans: made without an importance matrix
  plan?: PlanView;
  offload?: OffloadView;
  fuse?: [number, number]; // first and last operation of a fused range
  timeWindow?: [from: number, to: number]; // s: the part of the run that the timeline shows; absent: all of it
}

export interface SweepRange {
  keys: string[];
  from: number;
  to: number;
  log?: boolean;
}
/** The ranges of an operator's sweep (y: in a heat map only) and the metric shown. */
export interface SweepView {
  x: SweepRange;
  y?: SweepRange;
  metric?: 'fastest' | 'time' | 'rate' | 'bound';
  format?: string | number; // one of the operator's formats; in older links its index
}

/** A language model's sweep: the axis, the parameter that differs between curves ("": one curve), the metric. */
export interface ModelSweepView {
  key?: string;
  from?: number;
  to?: number;
  log?: boolean;
  by?: string;
  values?: string[];
  metric?: string;
}

/** A network's sweep: the dimension, the ends typed for each, and what is shown. */
export interface NetworkSweepView {
  dimension?: string;
  ends?: Record<string, { from: number; to: number }>;
  shown?: string;
}

/** The serving frontier: what is searched, under which limits, and what is shown of it. */
export interface ServingView {
  machines?: (string | object)[]; // preset ids, or machine documents
  gpus?: number; // of a deployment; absent: any number
  weights?: string[]; // formats to try
  disaggregated?: boolean;
  prefillMachines?: (string | object)[]; // that may take the prompts, besides
  stack?: string;
  prompt?: number; // tokens; absent, as the next two: the model's plan
  generate?: number;
  users?: number; // 0: any number
  prefixHit?: number; // fraction of a prompt in the cache; absent: the model's plan
  lengthSpread?: number; // the shortest length over the longest; absent: 1
  ttft?: string; // 'burst' or 'steady'; absent: 'burst'
  tpotMax?: number; // s
  ttftMax?: number; // s
  price?: string; // name of a machine's price; absent: none
  usd?: Record<string, number>; // per hour, by machine id, in place of those
  metric?: string; // what the chart shows; absent: output tokens/s per machine
  pick?: [machine: string | number, row: number]; // whose commands are shown; in older links the machine's index
  runs?: ServingRun[]; // the user's own measurements
}

/** A format plan. Without a budget there is none; a network has a default budget. */
export interface PlanView {
  budget?: string; // its kind: bytes, memory, tpot, kld, time or sqnr
  value?: number; // B, s, nats or dB
  tool?: string; // whose input format the export has
}

/** A language model that the machine shares with its host. */
export interface OffloadView {
  host: string | object; // a preset's id, or a machine document
  gpuLayers?: number; // with the LM head; absent: the best number
  expertsOnHost?: boolean;
}

/** A checkpoint whose formats were applied to the open model, and what the request had before. */
export interface AppliedCheckpoint {
  weights: string;
  activations: string;
  own: { activations?: string | undefined; kv?: string | undefined };
}

/** A benchmark's result, and on what it ran. */
export interface ServingRun {
  name: string; // of its file
  machine: string; // id
  machines: number;
  tpot_s: number;
  ttft_s?: number | null;
  output_tokens_per_s: number;
  concurrency?: number | null;
  prompt?: number | null; // mean tokens
  generate?: number | null;
}

export const viewState = signal<ViewState>({});
export const selected = signal<number | null>(null);

/** What the table is sorted by until the user chooses: the time, where no operation has a time above its bound. */
export const defaultSort = signal<SortName>('lost');

/** The rows the table needs; moves as it scrolls. */
export const tableRows = signal({ offset: 0, rows: 64 });

/** Counts the sources opened so far: the chart opens anew with each, even if two have one name. */
export const sourcesOpened = signal(0);

/** Where the chart opened: roofline/window.ts says where that is. */
export const openingWindow = signal<LogWindow | null>(null);
/** The window in which the core counts operations that are not drawn as points. */
export const densityWindow = signal<LogWindow | null>(null);
/** The part of the plane that is shown; null before the first frame. */
export const zoom = computed(() => viewState.value.zoom ?? openingWindow.value);

/** Changes parts of the view; undefined returns them to their default. */
export function changeView(part: Patch<ViewState>) {
  const next = Object.entries({ ...viewState.value, ...part }).filter(
    ([, value]) => value !== undefined && value !== '' && value !== false,
  );
  viewState.value = Object.fromEntries(next);
}

/** Counts changes of the listed rows: each scrolls the table to its top. */
export const tableResets = signal(0);
/** Counts steps by keyboard: each scrolls the selected row into view, even if the selection did not change. */
export const keyboardSteps = signal(0);

/** Changes the filters or the order of the table and scrolls it to its top. */
export function changeTable(part: Patch<ViewState>) {
  tableRows.value = { ...tableRows.value, offset: 0 };
  ++tableResets.value;
  changeView(part);
}

/** The parts of the view that hide operations. */
const FILTERS = ['statuses', 'types', 'categories', 'steps', 'bounds', 'limits', 'search', 'where'] as const;

const NO_FILTERS = Object.fromEntries(FILTERS.map(key => [key, undefined])) as Patch<ViewState>;

/** How many of them are in force. */
export const filterCount = () => FILTERS.filter(key => viewState.value[key]).length;

/** Shows all operations again. */
export const clearFilters = () => changeTable(NO_FILTERS);

/** Changes what a row is, such as a group or a step, and clears the selection: its index means another row then. */
export function listOtherRows(part: Patch<ViewState>) {
  selected.value = null;
  changeTable(part);
}

/** Returns what belongs to the source to its defaults: tab, filters, zoom and roofs. */
export function resetView() {
  changeTable({
    ...NO_FILTERS,
    sort: undefined,
    ascending: undefined,
    level: undefined,
    noInfeed: undefined,
    memory: undefined,
    zoom: undefined,
    colour: undefined,
    top: undefined,
    grouped: undefined,
    roofs: undefined,
    fuse: undefined,
    thresholdDb: undefined,
    sample: viewState.peek().sample === 'tensor' ? 'tensor' : undefined, // the tensor's file stays open
    timeWindow: undefined,
    networkSweep: undefined,
    tab: undefined,
    scope: undefined,
    baseline: undefined,
  });
}

/** Drops what was measured, typed or chosen for one language model. */
export function resetModelView() {
  const { serving, plan, offload } = viewState.peek();
  changeView({
    serving: without(serving, 'runs', 'pick', 'prompt', 'generate', 'users', 'prefixHit'),
    plan: without(plan, 'budget', 'value'),
    offload: without(offload, 'gpuLayers') as OffloadView | undefined,
  });
}

/** The part without some keys; undefined if none is left. */
function without<T extends object>(part: T | undefined, ...dropped: (keyof T)[]): Partial<T> | undefined {
  const left = Object.entries(part ?? {}).filter(([key]) => !dropped.includes(key as keyof T));
  return left.length ? (Object.fromEntries(left) as Partial<T>) : undefined;
}

/** The document Session.view() takes. */
export const view = computed<View>(() => {
  const {
    categories,
    steps,
    bounds,
    limits,
    level,
    noInfeed,
    memory,
    top,
    beforeMachine,
    compareSort,
    compareAscending,
  } = viewState.value;
  const { statuses, types, search, where, grouped, sort = defaultSort.value, ascending } = viewState.value;
  const w = viewState.value.zoom ?? densityWindow.value;
  return {
    ...(categories && { categories }),
    ...(steps && { steps }),
    ...(bounds && { bounds }),
    ...(limits && { limits }),
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
    ...tableRows.value,
    ...(selected.value !== null && { selected: selected.value }),
    ...(w && { log_x0: w.x0, log_x1: w.x1, log_y0: w.y0, log_y1: w.y1 }),
  };
});
