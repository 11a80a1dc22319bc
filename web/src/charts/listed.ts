// The first operations in the table's order with their figures as columns, for the charts with a row per operation.
import type { Metric } from '../protocol';
import { panelFrame, units } from '../core/engine';
import { ask, useAnswer } from '../core/ask';
import { limiterOf, ranElsewhere } from '../plot/bounds';
import { exact, intensity, percent, prefixFactor, rate, seconds, si, count } from '../format';

const MOST = 10_000;

export interface Listed {
  total: number;
  names: string[];
  columns: Record<
    'op' | 'intensity' | 'achieved' | 'attainable' | 'efficiency' | 'time' | 'predicted' | 'lost' | 'limit' | 'status',
    Float32Array
  >;
}

/** Null until the answer is there. It is asked for again with every panelFrame, so that it follows filters, order and settings. */
export function useListed(wanted = true): Listed | null {
  const revision = panelFrame.value?.revision;
  const reply = useAnswer<{ names: string[]; total: number }>(
    'listed',
    wanted && revision ? { limit: MOST, revision } : null,
  );
  return reply && 'json' in reply ? { ...reply.json, columns: reply.columns as Listed['columns'] } : null;
}

export const METRICS: readonly (readonly [Metric, string])[] = [
  ['achieved', 'FLOP/s'],
  ['efficiency', 'Efficiency'],
  ['time', 'Time'],
  ['intensity', 'Intensity'],
  ['bandwidth', 'Bandwidth'],
  ['ops', 'Ops'],
];

/** A metric's value in the units shown. */
export function show(metric: Metric, value: number) {
  if (Number.isNaN(value)) return '–';
  switch (metric) {
    case 'achieved':
      return rate(value, units.value);
    case 'efficiency':
      return percent(value);
    case 'time':
      return seconds(value);
    case 'intensity':
      return intensity(value, units.value);
    case 'bandwidth':
      return si(value, 'B/s');
    case 'ops':
      return count(value);
  }
}

/** The same with every digit, for hovering. */
export function showExactly(metric: Metric, value: number) {
  const { scale, rate: rateUnit, intensity: intensityUnit, prefix } = units.value;
  switch (metric) {
    case 'achieved':
      return exact(value * scale, rateUnit, prefix ? prefixFactor(units.value) : 0);
    case 'efficiency':
      return exact(value * 100, '%', 1);
    case 'time':
      return exact(value, 's');
    case 'intensity':
      return exact(value * scale, intensityUnit, 1);
    case 'bandwidth':
      return exact(value, 'B/s');
    case 'ops':
      return show(metric, value);
  }
}

/** Maps a metric's values to 0..1: efficiency linearly, everything else logarithmically. */
export function shades(metric: Metric, values: Float32Array): (value: number) => number {
  if (metric === 'efficiency') return value => Math.min(1, Math.max(0, value));
  let [low, high] = [Infinity, 0];
  for (const value of values) {
    if (value > 0 && value < low) low = value;
    if (value > high && Number.isFinite(value)) high = value;
  }
  if (!(high > low)) return () => 0.5;
  return value => (value > 0 ? Math.log(value / low) / Math.log(high / low) : 0);
}

/** A bar of an operation: its bound and the time above it, in s; null: not known. */
export interface Bar {
  index: number;
  name: string;
  limit: string; // a resource, "neither" or "none"
  predicted_time_s: number | null;
  lost_time_s: number | null;
}

/** The first operations in the table's order: the frame has them, unless the table is scrolled. */
export async function firstBars(most: number): Promise<Bar[]> {
  const { table, resources = [] } = panelFrame.peek()?.json ?? {};
  if (!table) return [];
  if (table.offset === 0 && table.rows.length >= Math.min(most, table.total))
    return table.rows.slice(0, most).map(row => ({
      ...row,
      limit: limiterOf(row) ?? 'none',
    }));
  const reply = await ask<{ names: string[] }>('listed', { limit: most });
  if ('error' in reply) return [];
  const { op, predicted, lost, limit } = reply.columns as Listed['columns'];
  const limits = [...resources, 'neither'];
  const figure = (value: number) => (Number.isNaN(value) ? null : value);
  return reply.json.names.map((name, i) => ({
    index: op[i]!,
    name,
    limit: (!ranElsewhere() && limits[limit[i]!]) || 'none',
    predicted_time_s: figure(predicted[i]!),
    lost_time_s: figure(lost[i]!),
  }));
}
