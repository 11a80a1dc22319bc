// Formats every number of the page, by the rules of docs/reference/conventions.md; tests/data/numbers.json has examples.

export const NONE = '–';
const PREFIXES: [number, string][] = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
  [1e-12, 'p'],
  [1e-15, 'f'],
];

/** A number of an answer; null: not known. */
export type NumberOrNull = number | null;
export type Maybe = NumberOrNull | undefined;

/** A number's text with a minus sign in place of the hyphen; that of an exponent stays. */
const withMinus = (text: string) => text.replace(/^-/, '−');

/** Thousands apart, at most so many decimals: "12,345.5". The browser's own formatter takes 20 ms or more to start, as the page does. */
export function grouped(value: number, decimals = 3) {
  const [whole, ...fraction] = String(Number(value.toFixed(decimals))).split('.');
  return withMinus([whole!.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.'));
}

/** "1 machine", "8 machines". */
export const plural = (n: number, noun: string) => `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`;

/** Three significant digits, halves away from 0: a sum of times such as 0.001425 may be a bit less than it is written. */
const rounded3 = (value: number) => Number((value * (1 + TIE)).toPrecision(3));
const TIE = 1e-12; // relative; as to_decimal() of the core

/** Up to three significant digits: 1.5, 12.3, 640, 12,345. */
const significant = (value: number) =>
  Math.abs(value) >= 999.5 ? grouped(Math.round(value)) : withMinus(String(rounded3(value)));

const prefixOf = (value: number) =>
  PREFIXES.find(([factor]) => Math.abs(value) >= factor * 0.9995) ?? PREFIXES[PREFIXES.length - 1]!;

/** (1.2345e9, 'B/s') -> "1.23 GB/s". */
export function si(value: Maybe, unit: string) {
  if (value == null || !Number.isFinite(value)) return NONE;
  if (value === 0) return `0 ${unit}`.trim();
  const rounded = rounded3(value); // before the division, which is not exact: 1,555 GB/s is 1.56 TB/s
  if (Math.abs(rounded) >= 1e24 || Math.abs(rounded) < 1e-18) return `${number(value)} ${unit}`.trim();
  const [factor, prefix] = prefixOf(rounded);
  return `${significant(rounded / factor)} ${prefix}${unit}`.trim();
}

/** With all the digits that a column of the core's has: (1.2345678e9, 'B/s') -> "1.234568 GB/s". */
export function exact(value: number, unit: string, fixed = 0) {
  if (!Number.isFinite(value)) return NONE;
  const whole = value === 0 || (unit === 's' && Math.abs(value) >= 1);
  const [factor, prefix] = (fixed && PREFIXES.find(([f]) => f === fixed)) || (whole ? [1, ''] : prefixOf(value));
  return `${grouped(Number((value / factor).toPrecision(7)), 12)} ${prefix}${unit}`.trim();
}

/** An axis tick: "10 k", "1 G", no trailing zeros. */
export function tick(value: number) {
  if (value < 1 && value >= 1e-3) return String(Number(value.toPrecision(3)));
  const [factor, prefix] = prefixOf(value);
  return `${Number((value / factor).toPrecision(3))}${prefix && ` ${prefix}`}`;
}

/** A tick of a time axis: "10 µs", "1 ms", "1,000 s". */
export const timeTick = (value: number) => (value >= 1 ? `${significant(value)} s` : si(value, 's'));

/** Seconds of the units beyond the second; each is used from two of it on. */
const TIME_UNITS: [number, string][] = [
  [31557600, 'y'],
  [86400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** A time: "1.5 ms", "2.5 min", "2.5 h", "3 d", "2.5 y". */
export function seconds(value: Maybe) {
  const size = Math.abs(value ?? 0);
  if (!(size >= 120 && size < Infinity)) return si(value, 's');
  const [seconds, unit] = TIME_UNITS.find(([seconds]) => size >= 2 * seconds)!;
  return `${number(value! / seconds)} ${unit}`;
}
/** A whole number with thousands apart: "12,345". */
export const count = (value: Maybe) => (value == null ? NONE : grouped(value));
/** For tight places: 9,999, then 12.3 k. */
export const compact = (value: Maybe) => (value != null && value > 9999 ? si(value, '') : count(value));

/** A plain number: 0.125, 1.5, 640, 12,345, 1.2e-5. */
export function number(value: Maybe) {
  if (value == null || !Number.isFinite(value)) return NONE;
  const rounded = rounded3(value),
    size = Math.abs(rounded);
  if (size > 0 && (size < 1e-4 || size >= 1e15)) return withMinus(rounded.toExponential().replace('+', ''));
  return significant(value);
}

/** A number of either sign as it stands in a file: -0.0764, 12.3, 1.2e-7. */
export const signed = (value: Maybe) => (value == null ? NONE : String(rounded3(value)));

/** A fraction in percent: 0.123 -> "12%", 0.0321 -> "3.2%". */
export function percent(fraction: Maybe) {
  if (fraction == null || !Number.isFinite(fraction)) return NONE;
  if (Math.abs(fraction) >= 1000) return times(fraction);
  const value = fraction * 100;
  const size = Math.abs(value);
  if (size > 0 && size < 0.000995) return value < 0 ? '>−0.001%' : '<0.001%';
  if (value >= 99.5 && value < 99.995) return `${Math.floor(10 * value) / 10}%`; // rounded down: nearly all is not all
  return `${size >= 9.95 ? grouped(Math.round(value)) : withMinus(String(Number(value.toPrecision(2))))}%`;
}

/** "1.2 ms to 1.5 ms", "1.2 ms" where both agree. */
export const lowToHigh = (low: string, high: string) => (low === high ? low : `${low} to ${high}`);

/** "1.5x to 3.9x", "2x" where both agree. */
export const range = (low: Maybe, high: Maybe) =>
  low == null && high == null ? NONE : lowToHigh(times(low ?? high!), times(high ?? low!));
/** The same of speed-ups, in words where something gets slower: "1.6x to 1.85x slower", "1.1x slower to 2x faster". */
export function speedups(low: Maybe, high: Maybe) {
  if (low == null || high == null || low >= 1) return range(low, high);
  if (high > 1) return `${times(1 / low)} slower to ${times(high)} faster`;
  return high === 1 ? `up to ${times(1 / low)} slower` : `${range(1 / high, 1 / low)} slower`;
}
/** Whether range() shows two ends. */
export const isRange = (low: Maybe, high: Maybe) => low != null && high != null && times(low) !== times(high);

/** A factor: "7.5x". */
export const times = (value: Maybe) => (value == null ? NONE : `${number(value)}x`);

/** Bytes with the prefix that fits: "4.89 MB". */
export function bytes(value: number) {
  return si(value, 'B');
}

/** Units of work: FLOPs; OPs if all work is in integers; with ops_per_mac 1, MACs, half as many. */
export interface Units {
  scale: number; // shown = FLOP * scale
  prefix: 'G' | 'T' | ''; // of rates; '': whichever fits
  work: string;
  rate: string;
  intensity: string;
}
const MACS = { scale: 0.5, work: 'MAC', rate: 'MAC/s', intensity: 'MAC/B' };
const FLOPS = { scale: 1, work: 'FLOP', rate: 'FLOP/s', intensity: 'FLOP/B' };
const OPS = { scale: 1, work: 'OP', rate: 'OP/s', intensity: 'OP/B' };
const known = new Map<string, Units>(); // one object each, so that unchanged units cause no redraw
/** The units for FLOPs (2 per MAC) or MACs (1), rates in one prefix or in whichever fits. `integer`: all work is in integers. */
export const unitsOf = (opsPerMac: number, prefix: Units['prefix'] = '', integer = false): Units => {
  const base = opsPerMac === 1 ? MACS : integer ? OPS : FLOPS;
  const key = `${base.work} ${prefix}`;
  let units = known.get(key);
  if (!units) known.set(key, (units = { ...base, prefix }));
  return units;
};
/** The units of a figure of integer work, or of other work. */
export const unitsFor = (units: Units, integer: boolean): Units =>
  units.work === MACS.work ? units : unitsOf(2, units.prefix, integer);
const isInteger = (format: string) => /^u?int\d/.test(format);
/** The units of work in a format, by its id; unchanged without one. */
export const unitsIn = (units: Units, format: string | null | undefined): Units =>
  format ? unitsFor(units, isInteger(format)) : units;
/** "line 3, column 14"; "line 3" if the column is not known; empty if the line is not. */
export const placeInFile = ({ line, column }: { line: number; column: number }) =>
  line > 0 ? `line ${line}${column > 0 ? `, column ${column}` : ''}` : '';

/** The unit of a machine's rate in a format, by its id. */
export const rateUnitOf = (format: string) => (isInteger(format) ? OPS : FLOPS).rate;
/** How many FLOP/s the unit of rates is; 1 where the prefix varies. */
export const prefixFactor = ({ prefix }: Units) => (prefix === 'T' ? 1e12 : prefix === 'G' ? 1e9 : 1);

/** A figure in FLOPs in the units shown. */
export const scaled = (value: Maybe, units: Units) => (value == null ? null : value * units.scale);
/** FLOPs in the units shown: "1.85 GFLOP". */
export const work = (flops: Maybe, units: Units) => si(scaled(flops, units), units.work);
/** FLOP/s in the units shown: "32 TFLOP/s". */
export function rate(flops: Maybe, units: Units) {
  const value = scaled(flops, units);
  if (!units.prefix || !value || !Number.isFinite(value)) return si(value, units.rate);
  const shown = value / prefixFactor(units);
  return `${number(shown)} ${units.prefix}${units.rate}`;
}
/** FLOP/B in the units shown: "378 FLOP/B". */
export const intensity = (value: Maybe, units: Units) =>
  value == null ? NONE : `${number(value * units.scale)} ${units.intensity}`;

/** With a capital first letter. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
