// The newest frames, as signals for the chart, the table and the panels. They follow settings, view and selection.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Fault, FrameData, FrameJson } from '../../../wasm/session';
import type { FrameReply } from '../worker/messages';
import { unitsOf } from '../format';
import { frames } from './computing';
import { core } from './core';
import { FrameScheduler } from './frame_scheduler';
import type { Machine } from './machine_document';
import { settings, settingsText } from './settings';
import { tableResets, selected, view, viewState, zoom } from './view';

export interface Frame extends Omit<FrameData, 'json' | 'chartAlone'> {
  json: FrameJson;
  revision: number;
  plane: string; // names source, machine and axes: points move only within one plane
  tableResets: number; // `tableResets` when it was asked for
}

export const chartFrame = signal<Frame | null>(null); // for the chart
export const tableFrame = signal<Frame | null>(null); // for the table
export const panelFrame = signal<Frame | null>(null); // for everything else
export const detail = signal<FrameReply['detail']>(null);
export const machine = signal<Machine | null>(null);
/** "NVIDIA H100 SXM (guessed)": the machine, and that it is guessed or assumed, for what leaves the page. */
export function machineAndBasis() {
  const basis = panelFrame.value?.json.machine_basis;
  return machine.value && machine.value.name + (basis === 'guessed' || basis === 'assumed' ? ` (${basis})` : '');
}
/** Whether only times are known: no operation has a bound to compare its time with. */
export const isUnjudged = ({ timed_ops, rates_only, predicted_time_s }: FrameJson['all']) =>
  timed_ops > 0 && rates_only === 0 && !predicted_time_s;
/** isUnjudged() of the open run. */
export const timesOnly = computed(() => {
  const all = panelFrame.value?.json.all;
  return all !== undefined && isUnjudged(all);
});
export const settingsFault = signal<Fault | null>(null);
export const units = computed(() => {
  const { ops_per_mac, integer_work } = chartFrame.value?.json ?? {};
  return unitsOf(ops_per_mac ?? 2, viewState.value.rateUnit, integer_work);
});

/** A reply, and the state that it was asked for. */
interface Asked {
  reply: FrameReply;
  plane: string;
  tableResets: number;
}

let revision = 0;
let machineText = '';
let whole: { frame: Frame; reply: FrameReply }; // the last one that is not of the chart alone

/** The part of Frame.plane that the state decides. */
const planeNow = () => {
  const { level, memory, grouped } = viewState.peek();
  return JSON.stringify([settings.peek().machine, level, memory, grouped]);
};

const scheduler = new FrameScheduler<Asked>(
  {
    position: () => [settingsText.value, zoom.value],
    async ask(chartAlone) {
      const asked = { plane: planeNow(), tableResets: tableResets.peek() };
      const request = { config: settingsText.value, view: view.value, selected: selected.value, chartAlone };
      return { reply: await core().frame(request), ...asked };
    },
    isChartAlone: ({ reply }) => reply.data.chartAlone,
    showChart({ reply, plane, tableResets }) {
      frames.progressed();
      const { json: text, chartAlone, ...columns } = reply.data;
      const json = JSON.parse(text) as FrameJson; // of a chart-only reply: a part of it
      const before = chartFrame.peek();
      const data = chartAlone
        ? { ...columns, density: before!.density, json: { ...before!.json, ...json } }
        : { ...columns, json };
      const frame = { ...data, revision: ++revision, plane: `${data.json.source} ${plane}`, tableResets };
      chartFrame.value = frame;
      settingsFault.value = reply.fault;
      if (!chartAlone) whole = { frame, reply };
    },
    parts: [
      () => (tableFrame.value = whole.frame),
      () => (panelFrame.value = whole.frame),
      () => {
        const { detail: of, machine: text } = whole.reply;
        detail.value = of;
        if (text !== machineText) machine.value = JSON.parse((machineText = text)) as Machine;
      },
    ],
    batch,
  },
  {
    now: () => performance.now(),
    after: (ms, task) => window.setTimeout(task, ms),
    cancel: timer => clearTimeout(timer),
  },
);

/** Asks for a whole frame of the state as it is when the core is free. Resolves when all parts of the page show it. */
export const refresh = () => scheduler.refresh();

/** Shows a reply that came from elsewhere: the first picture. */
export const show = (reply: FrameReply) =>
  scheduler.show({ reply, plane: planeNow(), tableResets: tableResets.peek() });

/** From now on every change of settings, view or selection leads to a new frame. */
export function follow() {
  effect(() => {
    void [settingsText.value, view.value, selected.value];
    void frames.follow(scheduler.request());
  });
}
