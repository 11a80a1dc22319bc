// The link: source, settings, view and selection in the URL's hash, as compact JSON in base64url.
import type { ReadOverrides } from '../../../wasm/session';
import { decoded } from '../core/assets';
import type { LayoutState } from '../core/layout';
import type { Machine } from '../core/machine_document';
import type { Settings } from '../core/settings';
import { CHANGE_ORDERS, type ChangeOrder } from '../protocol';
import type { ViewState } from '../core/view';

/** The source of the operations, as a link stores it. */
export type Source =
  | { sample: string }
  | OwnFile // private: the page asks for it
  | CarriedFile // by the user's choice
  | Built;

/** A file as a link knows it. */
export interface FileRef {
  file: string; // its name
  sha256?: string; // of its plain text (worker/messages.ts)
  size?: number; // bytes
}

/** The user's own file, or the files of one run that are read together. */
export interface OwnFile extends FileRef {
  files?: FileRef[]; // if there are several; then only these have `sha256` and `size`
  as?: ReadOverrides;
}

/** The input itself, or its summary; `encoding`: `text` is base64 of its gzip form. */
export interface CarriedFile {
  file: string;
  text: string;
  encoding?: 'gzip';
  as?: ReadOverrides;
}

/** Whether it is a file of the user's that the link does not contain: the page asks the recipient for it. */
export const isOwnFile = (from: Source): from is OwnFile => 'file' in from && !('text' in from);

export const isSameSource = (a: Source | null, b: Source | null) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Whether two sources are one thing to the user: an operator stays itself with another shape, a model with another request, a
 * network with other dimensions. */
export const sameKind = (a: Source | null, b: Source | null) =>
  a === null ||
  b === null ||
  a === b ||
  ('built' in a && 'built' in b && a.built === b.built) ||
  ('file' in a && 'file' in b && a.file === b.file && Boolean(a.as?.network ?? b.as?.network));

/** An operator or a model; the core defines the request (core/src/session/sources.cpp). */
export interface Built {
  built: 'operator' | 'model';
  request: object;
}

export interface LinkState {
  source?: Source;
  before?: Source; // the run to compare with
  registries?: FileRef[]; // under which the operations were read
  tensors?: FileRef & { tensor?: string }; // of the Precision view, and the tensor that it shows
  settings?: Settings;
  view?: ViewState;
  selected?: number;
  layout?: LayoutState;
}

/** The state as the hash of a link holds it. */
export function encodeLink(state: LinkState): string {
  const keep = Object.entries(state).filter(
    ([, value]) => value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0),
  );
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(keep)));
  let binary = '';
  for (const byte of text) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Null where the hash is not one of ours. */
export function decodeLink(hash: string): LinkState | null {
  try {
    const binary = atob(hash.replace(/^#/, '').replaceAll('-', '+').replaceAll('_', '/'));
    const state: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, c => c.charCodeAt(0))));
    return checkedLink(state);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A link is untrusted: parts of the wrong shape are left out. The core checks settings and view again. */
export function checkedLink(state: unknown): LinkState | null {
  if (!isObject(state)) return null;
  const { source, before, registries, tensors, settings, view, selected, layout } = state;
  return {
    ...(isSource(source) && { source }),
    ...(isSource(before) && { before }),
    ...(isRefs(registries) && { registries }),
    ...(isRef(tensors) && { tensors }),
    ...(isObject(settings) && { settings: { ...basisIn(view, settings), ...settings } as Settings }),
    ...(isObject(view) && isView(view) && { view: view as ViewState }),
    ...(Number.isInteger(selected) && { selected: selected as number }),
    ...(isObject(layout) && isLayout(layout) && { layout: layout as LayoutState }),
  };
}

/** Links made before 2026-11-30 store in the view whether the machine was guessed or assumed. */
function basisIn(view: unknown, { machine }: Record<string, unknown>) {
  if (!isObject(view) || !isText(machine)) return {};
  if (view.guessedMachine === machine) return { machine_basis: 'guessed' };
  return view.assumedMachine === machine ? { machine_basis: 'assumed' } : {};
}

function isSource(value: unknown): value is Source {
  if (!isObject(value)) return false;
  if ('built' in value) return ['operator', 'model'].includes(value.built as string) && isObject(value.request);
  const { as, size, files, ...rest } = value;
  const strings = Object.values(rest).every(part => typeof part === 'string');
  if (rest.encoding !== undefined && !(rest.encoding === 'gzip' && isBase64(rest.text))) return false;
  const refs = isSize(size) && (files === undefined || isRefs(files));
  return strings && refs && (as === undefined || isObject(as)) && ('sample' in value || 'file' in value);
}

function isBase64(value: unknown) {
  try {
    return isText(value) && decoded(value as string).length > 0;
  } catch {
    return false;
  }
}

const isSize = (value: unknown) => value === undefined || (Number.isFinite(value) && (value as number) >= 0);
const isRefs = (value: unknown): value is FileRef[] => Array.isArray(value) && value.every(isRef);
function isRef(value: unknown): value is FileRef {
  if (!isObject(value)) return false;
  const { size, ...rest } = value;
  return isText(value.file) && isSize(size) && Object.values(rest).every(isText);
}

/** The core checks the rest of a machine when it is chosen. */
export const isMachine = (value: unknown): value is Machine =>
  isObject(value) && typeof value.id === 'string' && typeof value.name === 'string';

type Check = (value: unknown) => boolean;
const isText: Check = value => typeof value === 'string';
const isFlag: Check = value => typeof value === 'boolean';
const isTexts: Check = value => Array.isArray(value) && value.every(isText);
const isRange: Check = value => isObject(value) && isTexts(value.keys) && [value.from, value.to].every(Number.isFinite);

const LAYOUT: { [Key in keyof LayoutState]-?: Check } = {
  side: value => value === 'whatif',
  folded: isFlag,
  changeFolded: isFlag,
  table: isFlag,
  columns: value => isObject(value) && Object.values(value).every(isTexts),
};

const isMachines: Check = value => Array.isArray(value) && value.every(item => isText(item) || isMachine(item));

const SERVING: Record<string, Check> = {
  machines: isMachines,
  prefillMachines: isMachines,
  runs: value =>
    Array.isArray(value) &&
    value.every(
      run =>
        isObject(run) &&
        isText(run.name) &&
        isText(run.machine) &&
        [run.machines, run.tpot_s, run.output_tokens_per_s].every(
          value => Number.isFinite(value) && Number(value) > 0,
        ) &&
        [run.ttft_s, run.concurrency, run.prompt, run.generate].every(value => value == null || Number.isFinite(value)),
    ),
  weights: isTexts,
  disaggregated: isFlag,
  gpus: Number.isFinite,
  prompt: Number.isFinite,
  generate: Number.isFinite,
  users: Number.isFinite,
  prefixHit: Number.isFinite,
  lengthSpread: Number.isFinite,
  ttft: value => value === 'burst' || value === 'steady',
  tpotMax: Number.isFinite,
  ttftMax: Number.isFinite,
  stack: isText,
  price: isText,
  metric: isText,
  usd: value => isObject(value) && Object.values(value).every(Number.isFinite),
  pick: value =>
    Array.isArray(value) &&
    value.length === 2 &&
    (isText(value[0]) || Number.isInteger(value[0])) &&
    Number.isInteger(value[1]),
};

const isEnds: Check = value => isObject(value) && [value.from, value.to].every(Number.isInteger);
const NETWORK_SWEEP: Record<string, Check> = {
  dimension: isText,
  ends: value => isObject(value) && Object.values(value).every(isEnds),
  shown: isText,
};
const PLAN: Record<string, Check> = { budget: isText, value: Number.isFinite, tool: isText };
const OFFLOAD: Record<string, Check> = {
  host: value => isText(value) || isMachine(value),
  gpuLayers: Number.isFinite,
  expertsOnHost: isFlag,
};
const fitsAll =
  (table: Record<string, Check>): Check =>
  value =>
    isObject(value) && Object.entries(value).every(([key, part]) => table[key]?.(part));

const VIEW: { [Key in keyof ViewState]-?: Check } = {
  tab: isText,
  statuses: isTexts,
  types: isTexts,
  categories: isTexts,
  steps: isTexts,
  bounds: isTexts,
  limits: isTexts,
  level: isText,
  noInfeed: isFlag,
  memory: isText,
  search: isText,
  grouped: isFlag,
  sort: isText,
  ascending: isFlag,
  zoom: value => isObject(value) && ['x0', 'x1', 'y0', 'y1'].every(key => Number.isFinite(value[key])),
  roofs: isTexts,
  where: value => isObject(value) && Object.values(value).every(isTexts),
  sample: isText,
  roles: isText,
  scope: isText,
  thresholdDb: value => Number.isFinite(value) && (value as number) >= 0,
  byLayer: isFlag,
  baseline: value => isText(value) || Number.isInteger(value),
  sweep: value => isObject(value) && isRange(value.x) && (value.y === undefined || isRange(value.y)),
  top: value => Number.isInteger(value) && (value as number) > 0,
  colour: isText,
  rateUnit: value => value === 'G' || value === 'T',
  beforeMachine: value => isText(value) || isObject(value),
  compareSort: value => CHANGE_ORDERS.includes(value as ChangeOrder),
  compareAscending: isFlag,
  compareBy: value => value === 'type',
  unchanged: isFlag,
  machines: value => value === 'all' || isMachines(value),
  machineSort: isText,
  machineAscending: isFlag,
  heatRows: isText,
  heatColumns: isText,
  heatMetric: isText,
  distribution: isText,
  fuse: value => Array.isArray(value) && value.length === 2 && value.every(row => Number.isInteger(row) && row >= 0),
  timeWindow: value =>
    Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] >= 0 && value[0] < value[1],
  modelSweep: value =>
    isObject(value) &&
    Object.entries(value).every(([key, part]) =>
      key === 'values'
        ? isTexts(part)
        : key === 'from' || key === 'to'
          ? Number.isInteger(part)
          : key === 'log'
            ? isFlag(part)
            : isText(part),
    ),
  networkSweep: fitsAll(NETWORK_SWEEP),
  serving: fitsAll(SERVING),
  checkpoint: value =>
    isObject(value) &&
    isText(value.weights) &&
    isText(value.activations) &&
    isObject(value.own) &&
    Object.values(value.own).every(isText),
  noImatrix: isFlag,
  plan: fitsAll(PLAN),
  offload: value => fitsAll(OFFLOAD)(value) && 'host' in (value as object),
};

/** Ignores unknown keys, which later versions may add. */
const fits = (table: Record<string, Check | undefined>) => (part: Record<string, unknown>) =>
  Object.entries(part).every(([key, value]) => table[key]?.(value) ?? true);
const isView = fits(VIEW);
const isLayout = fits(LAYOUT);
