// Keeps the frame up with settings and view: at most one request under way, and the newest state wins. The chart shows every frame at once;
// while a slider or the chart's window moves, what stands around it follows in turns, a part while the worker answers: a dragged slider does
// not wait for hundreds of texts. Where frames take long, because there are very many operations, the chart is asked for alone meanwhile, and
// the whole frame a few times a second.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Fault, FrameData, FrameJson } from '../../../wasm/session';
import type { FrameReply } from '../worker/messages';
import { unitsOf } from '../format';
import { core } from './core';
import { settings, settingsText } from './settings';
import { lists, selected, view, viewState, zoom, type LogWindow } from './view';

export interface Frame extends Omit<FrameData, 'json'> {
  json: FrameJson;
  revision: number;
  plane: string; // what it is a picture of: another source, machine or axis is another picture
  lists: number; // of which list it is: `lists` when it was asked for
}

export const chartFrame = signal<Frame | null>(null); // for the chart
export const tableFrame = signal<Frame | null>(null); // for the table
export const panelFrame = signal<Frame | null>(null); // for all else
export const detail = signal<FrameReply['detail']>(null);
export const machine = signal<Machine | null>(null);
export const settingsFault = signal<Fault | null>(null);
export const units = computed(() => unitsOf(chartFrame.value?.json.ops_per_mac ?? 2, viewState.value.rateUnit));

/** A figure of Session.machine(): a plain number, or one with where it comes from. */
export type Figure = number | { value: number; source?: string; basis?: string; note?: string };
export interface Machine {
  id: string;
  name: string;
  peaks: { matrix?: Record<string, Figure>; vector?: Record<string, Figure> };
  memories: {
    name: string;
    bandwidth?: Figure;
    read_bandwidth?: Figure;
    write_bandwidth?: Figure;
    capacity?: Figure;
  }[];
  links?: { name: string; bandwidth: Figure }[];
  achievable?: { compute?: Figure; bandwidth?: Figure };
  launch_s?: Figure;
  tdp_w?: Figure;
  price_usd?: Figure;
  units?: Figure;
  notes?: string[];
  sources?: Record<string, string>; // what a figure's `source` may be short for
}
/** The number of a figure; null where there is none. */
export const valueOf = (figure: Figure | null | undefined) =>
  typeof figure === 'object' ? (figure?.value ?? null) : (figure ?? null);

let wanted = false;
let running: Promise<void> | null = null;
let revision = 0;
let machineText = '';

const MOVING_MS = 250; // frames closer to each other than this are one movement
const TURN_MS = 48; // from one part's turn to the next; this long after a panelFrame, and none asked for, all catch up
const LONG_MS = 8; // a whole frame that took longer comes behind the chart
const WHOLE_MS = 250; // from one of those to the next, and ten times what one takes
let took = 0; // the last whole frame, in ms
let newest: FrameReply | null = null; // the whole frames'
let whole: Frame | null = null;
let wholeAsked = -Infinity;
let owed = false; // the whole frame of what the chart shows alone is asked for next
let inFull = false; // nothing is asked for the chart alone
let shown = -Infinity;
let behind = 0; // parts that do not show it yet
let timer = 0;
let turned = -Infinity;
let asked: { config: string; window: LogWindow | null } = { config: '', window: null };

/** Asks for a frame of the state as it is when the worker is free. Resolves when all show it. */
export async function refresh() {
  inFull = true;
  await request();
  flush();
}

function request(): Promise<void> {
  wanted = true;
  running ??= run().finally(() => (running = null));
  return running;
}

async function run() {
  await Promise.resolve(); // several signals that change together make one request
  while (wanted) {
    wanted = false;
    const [config, window] = [settingsText.value, zoom.value];
    const start = performance.now();
    const moved = config !== asked.config || window !== asked.window; // not where the table itself is scrolled, sorted or walked
    const moving = (moved || owed) && start - shown < MOVING_MS;
    const chartAlone = moved && moving && took > LONG_MS && !inFull;
    asked = { config, window };
    owed = inFull = false;
    const [listed, of] = [lists.peek(), asksFor()];
    const asking = core().frame({ config, view: view.value, selected: selected.value, chartAlone });
    if (moved) setTimeout(takeTurn); // once it is asked
    const reply = await asking;
    show(reply, moving, listed, of);
    if (!reply.chartAlone) [took, wholeAsked] = [shown - start, start];
    else if (start - wholeAsked > Math.max(WHOLE_MS, 10 * took)) wanted = owed = true;
  }
}

/** Of the state, what decides which picture a frame is of. */
const asksFor = () => {
  const { level, memory, grouped } = viewState.peek();
  return JSON.stringify([settings.peek().machine, level, memory, grouped]);
};

/** Makes a reply the newest frame; later: what stands around the chart follows in turns. */
export function show(reply: FrameReply, later = false, listed = lists.peek(), of = asksFor()) {
  const { data, chartAlone } = reply;
  const before = chartFrame.peek();
  const json = JSON.parse(data.json) as FrameJson;
  shown = performance.now();
  batch(() => {
    chartFrame.value = {
      ...data,
      ...(chartAlone && { density: before!.density }),
      json: chartAlone ? { ...before!.json, ...json } : json,
      revision: ++revision,
      plane: `${json.source ?? before!.json.source} ${of}`,
      lists: listed,
    };
    settingsFault.value = reply.fault;
    if (chartAlone) return;
    newest = reply;
    whole = chartFrame.peek();
    behind = parts.length;
    if (!later) flush();
  });
  clearTimeout(timer);
  if (!later) return;
  timer = window.setTimeout(() => {
    if (running) return;
    if (chartFrame.peek() !== whole) void refresh();
    else flush();
  }, TURN_MS);
}

/** What follows the chart, the longest behind first. */
const parts = [
  () => (tableFrame.value = whole),
  () => (panelFrame.value = whole),
  () => {
    const { detail: of, machine: text } = newest!;
    detail.value = of;
    if (text !== machineText) machine.value = JSON.parse((machineText = text)) as Machine;
  },
];

function takeTurn() {
  if (behind === 0 || performance.now() - turned < TURN_MS) return;
  turned = performance.now();
  --behind;
  const part = parts.shift()!;
  parts.push(part);
  batch(part);
}

function flush() {
  batch(() => {
    for (; behind > 0; --behind) parts[behind - 1]!();
  });
}

/** From now on every change of settings, view or selection leads to a new frame. */
export function follow() {
  effect(() => {
    void [settingsText.value, view.value, selected.value];
    void request();
  });
}
