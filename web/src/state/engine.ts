// Keeps the frame up with settings and view: at most one request under way, and the newest state wins.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Fault, FrameData, FrameJson } from '../../../wasm/session';
import type { FrameReply } from '../protocol';
import { unitsOf } from '../format';
import { core } from './core';
import { settingsText } from './settings';
import { selected, view } from './view';

export interface Frame extends Omit<FrameData, 'json'> {
  json: FrameJson;
  revision: number;
}

export const frame = signal<Frame | null>(null);
export const detail = signal<FrameReply['detail']>(null);
export const machine = signal<Machine | null>(null);
export const settingsFault = signal<Fault | null>(null);
export const units = computed(() => unitsOf(frame.value?.json.ops_per_mac ?? 2));

/// A figure of Session.machine(): a plain number, or one with where it comes from.
export type Figure = number | { value: number; source?: string; basis?: string; note?: string };
export interface Machine {
  id: string;
  name: string;
  peaks: { matrix?: Record<string, Figure>; vector?: Record<string, Figure> };
  memories: { name: string; bandwidth?: Figure; read_bandwidth?: Figure; write_bandwidth?: Figure; capacity?: Figure }[];
  links?: { name: string; bandwidth: Figure }[];
  achievable?: { compute?: Figure; bandwidth?: Figure };
  launch_s?: Figure;
  tdp_w?: Figure;
  price_usd?: Figure;
  units?: Figure;
  notes?: string[];
  sources?: Record<string, string>;  // what a figure's `source` may be short for
}
export const valueOf = (figure: Figure | null | undefined) => (typeof figure === 'object' ? (figure?.value ?? null) : (figure ?? null));

let wanted = false;
let running: Promise<void> | null = null;
let revision = 0;
let machineText = '';

/// Asks for a frame of the state as it is when the worker is free. Resolves when that frame is there.
export function refresh(): Promise<void> {
  wanted = true;
  running ??= run().finally(() => (running = null));
  return running;
}

async function run() {
  await Promise.resolve();  // several signals that change together make one request
  while (wanted) {
    wanted = false;
    const reply = await core().frame({ config: settingsText.value, view: view.value, selected: selected.value });
    show(reply);
  }
}

export function show(reply: FrameReply) {
  batch(() => {
    frame.value = { ...reply.data, json: JSON.parse(reply.data.json) as FrameJson, revision: ++revision };
    detail.value = reply.detail;
    settingsFault.value = reply.fault;
    if (reply.machine !== machineText) machine.value = JSON.parse((machineText = reply.machine)) as Machine;
  });
}

/// From now on every change of settings, view or selection leads to a new frame.
export function follow() {
  effect(() => {
    void [settingsText.value, view.value, selected.value];
    void refresh();
  });
}
