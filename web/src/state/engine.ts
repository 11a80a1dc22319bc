// Keeps the frame up with settings and view: at most one request under way, and the newest state wins. The chart shows every frame at once;
// while a slider or the chart's window moves, what stands around it follows in turns, a part while the worker answers: a dragged slider does
// not wait for hundreds of texts.
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
let newest: FrameReply | null = null;
let shown = -Infinity;
let behind = 0; // parts that do not show it yet
let timer = 0;
let turned = -Infinity;
let asked: { config: string; window: LogWindow | null } = { config: '', window: null };

/** Asks for a frame of the state as it is when the worker is free. Resolves when all show it. */
export async function refresh() {
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
    const moving = config !== asked.config || window !== asked.window; // not where the table itself is scrolled, sorted or walked
    asked = { config, window };
    const [listed, of] = [lists.peek(), asksFor()];
    const asking = core().frame({ config, view: view.value, selected: selected.value });
    if (moving) setTimeout(takeTurn); // once it is asked
    const reply = await asking;
    show(reply, moving && performance.now() - shown < MOVING_MS, listed, of);
  }
}

/** Of the state, what decides which picture a frame is of. */
const asksFor = () => {
  const { level, memory, grouped } = viewState.peek();
  return JSON.stringify([settings.peek().machine, level, memory, grouped]);
};

/** Makes a reply the newest frame; later: what stands around the chart follows in turns. */
export function show(reply: FrameReply, later = false, listed = lists.peek(), of = asksFor()) {
  newest = reply;
  behind = parts.length;
  shown = performance.now();
  batch(() => {
    const json = JSON.parse(reply.data.json) as FrameJson;
    chartFrame.value = {
      ...reply.data,
      json,
      revision: ++revision,
      plane: `${json.source} ${of}`,
      lists: listed,
    };
    settingsFault.value = reply.fault;
    if (!later) flush();
  });
  clearTimeout(timer);
  if (!later) return;
  timer = window.setTimeout(() => {
    if (!running) flush();
  }, TURN_MS);
}

/** What follows the chart, the longest behind first. */
const parts = [
  () => (tableFrame.value = chartFrame.peek()),
  () => (panelFrame.value = chartFrame.peek()),
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
