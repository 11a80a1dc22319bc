// The metrics that the frontier's chart can show, and the envelope of points in one of them.
import { number, si } from '../format';
import type { Columns, FrontierJson } from './frontier';
import type { Ring } from './rings';

export interface Metric {
  label: string;
  least: boolean; // the smaller, the better
  priced?: true;
  show: (value: number) => string;
  of: (columns: Columns, machine: number, point: number, json: FrontierJson) => number;
  ofRing: (ring: Ring, json: FrontierJson) => number; // NaN: not known
}

const column = (name: string) => (columns: Columns, machine: number, point: number) => columns[name + machine]![point]!;
const usd = column('usd_per_million_tokens');
const ringUsd = ({ machine, perMachine }: Ring, json: FrontierJson) =>
  ((json.machines[machine]!.usd_per_hour ?? NaN) / 3600 / perMachine) * 1e6;
const dollars = (value: number) => `$${number(value)}`;
const rate = (value: number) => `${number(value)} tokens/s`;

export const METRICS: Record<string, Metric> = {
  machine: {
    label: 'Output tokens/s per machine',
    least: false,
    show: rate,
    of: column('tokens_per_s_per_machine'),
    ofRing: ({ perMachine }) => perMachine,
  },
  total: {
    label: 'Output tokens/s in total',
    least: false,
    show: rate,
    of: column('tokens_per_s'),
    ofRing: ({ perMachine, machines = NaN }) => perMachine * machines,
  },
  usd_output: {
    label: 'USD per million output tokens',
    least: true,
    priced: true,
    show: dollars,
    of: usd,
    ofRing: ringUsd,
  },
  usd_input: {
    label: 'USD per million input tokens',
    least: true,
    priced: true,
    show: dollars,
    // The whole cost over the input tokens, of which there are prompt / generate as many.
    of: (columns, machine, point, { prompt, generate }) => (usd(columns, machine, point) * generate) / prompt,
    ofRing: (ring, json) => (ringUsd(ring, json) * json.generate) / json.prompt,
  },
  joules: {
    label: 'Joules per output token',
    least: true,
    show: value => si(value, 'J'),
    of: column('joules_per_token'),
    ofRing: ({ machine, perMachine }, json) => (json.machines[machine]!.power_w ?? NaN) / perMachine,
  },
};

export interface Limits {
  tpotMax?: number | undefined;
  ttftMax?: number | undefined;
}

/** Whether a time is within a limit; without one it is. */
const within = (time: number, limit: number | undefined) => limit === undefined || !(time > limit);

/** Indices of a machine's points that meet the limits, with or without separate machines for prefill. */
export function pointsOf(columns: Columns, machine: number, disaggregated: boolean, { tpotMax, ttftMax }: Limits) {
  const places: number[] = [];
  const [workers, tpot, ttft] = ['prefill_workers', 'tpot_s', 'ttft_s'].map(name => columns[name + machine]!);
  tpot!.forEach((time, i) => {
    if (workers![i]! > 0 === disaggregated && within(time, tpotMax) && within(ttft![i]!, ttftMax)) places.push(i);
  });
  return places;
}

/** The Pareto-optimal ones of some points, by speed and metric, the slowest first. */
export function envelope(points: number[], speed: (i: number) => number, value: (i: number) => number, least: boolean) {
  const better = (a: number, b: number) => (least ? a < b : a > b);
  const order = points
    .filter(i => speed(i) > 0 && value(i) > 0)
    .sort((a, b) => speed(b) - speed(a) || (better(value(a), value(b)) ? -1 : 1));
  const front: number[] = [];
  for (const i of order) if (front.length === 0 || better(value(i), value(front[front.length - 1]!))) front.push(i);
  return front.reverse();
}

/** What keeps a deployment from being better, in words. */
export const limitName = (limit: string) => (limit === 'cache' ? 'KV cache' : limit);
