// Numbers as a person reads them. The one place that formats any.

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
];

export type Maybe = number | null | undefined;

/** Thousands apart, at most so many decimals: "12,345.5". The browser's own formatter takes 20 ms or more to start, as the page does. */
export function grouped(value: number, decimals = 3) {
  const [whole, ...fraction] = String(Number(value.toFixed(decimals))).split('.');
  return [whole!.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

/** Three significant digits, trailing zeros kept: 1.50, 12.3, 640. */
function significant(value: number) {
  const magnitude = Math.abs(value);
  if (magnitude >= 999.5) return grouped(Math.round(value));
  return value.toFixed(magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : magnitude >= 0.9995 ? 2 : 3);
}

/** (1.2345e9, 'B/s') -> "1.23 GB/s". */
export function si(value: Maybe, unit: string) {
  if (value == null || !Number.isFinite(value)) return NONE;
  if (value === 0) return `0 ${unit}`.trim();
  const [factor, prefix] = PREFIXES.find(([f]) => Math.abs(value) >= f * 0.9995) ?? PREFIXES[PREFIXES.length - 1]!;
  return `${significant(value / factor)} ${prefix}${unit}`.trim();
}

/** With all the digits that a column of the core's has: (1.2345678e9, 'B/s') -> "1.234568 GB/s". */
export function exact(value: number, unit: string, fixed = 0) {
  if (!Number.isFinite(value)) return NONE;
  const [factor, prefix] =
    PREFIXES.find(([f]) => (fixed ? f === fixed : Math.abs(value) >= f * 0.9995)) ??
    (value === 0 ? [1, ''] : PREFIXES[PREFIXES.length - 1]!);
  return `${grouped(Number((value / factor).toPrecision(7)), 12)} ${prefix}${unit}`.trim();
}

/** An axis tick: "10 k", "1 G", no trailing zeros. */
export function tick(value: number) {
  if (value < 1 && value >= 1e-3) return String(Number(value.toPrecision(3)));
  const [factor, prefix] = PREFIXES.find(([f]) => value >= f * 0.9995) ?? PREFIXES[PREFIXES.length - 1]!;
  return `${Number((value / factor).toPrecision(3))}${prefix && ` ${prefix}`}`;
}

/** A tick of a time axis: "10 µs", "1 ms". */
export function timeTick(value: number) {
  if (value === 0) return '0 s';
  const [factor, prefix] = PREFIXES.find(([f]) => value >= f * 0.9995) ?? PREFIXES[PREFIXES.length - 1]!;
  return `${grouped(Number((value / factor).toPrecision(3)))} ${prefix}s`;
}

/** A time with the prefix that fits: "1.50 ms", "2.50 h". */
export const seconds = (value: Maybe) =>
  value != null && Math.abs(value) >= 7200 && Math.abs(value) < 3.6e9
    ? `${grouped(Number((value / 3600).toPrecision(3)))} h`
    : si(value, 's');
/** A whole number with thousands apart: "12,345". */
export const count = (value: Maybe) => (value == null ? NONE : grouped(value));
/** For tight places: 9,999, then 12.3 k. */
export const compact = (value: Maybe) => (value != null && value > 9999 ? si(value, '') : count(value));

/** A plain ratio: 0.125, 1.50, 640, 12.3 k. */
export const number = (value: Maybe) =>
  value != null && value > 0 && value < 1 ? significantSmall(value) : si(value, '');
const significantSmall = (value: number) =>
  value < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));

/** A number of either sign as it stands in a file: -0.0764, 12.3, 1.2e-7. */
export const signed = (value: Maybe) => (value == null ? NONE : String(Number(value.toPrecision(3))));

/** A fraction in percent: 0.123 -> "12 %". */
export function percent(fraction: Maybe) {
  if (fraction == null || !Number.isFinite(fraction)) return NONE;
  const value = fraction * 100;
  if (value !== 0 && Math.abs(value) < 1e-3) return '< 0.001 %';
  if (value >= 1e5) return `${si(fraction, '')}x`;
  return `${value >= 9.95 || value === 0 ? grouped(Math.round(value)) : value.toPrecision(2)} %`;
}

/** "1.5x to 3.9x", "2.0x" where both agree. */
export function range(low: Maybe, high: Maybe) {
  if (low == null && high == null) return NONE;
  const [a, b] = [times(low ?? high!), times(high ?? low!)];
  return a === b ? a : `${a} to ${b}`;
}
const times = (value: number) => `${value >= 9.95 ? Math.round(value) : value.toFixed(value < 1.095 ? 2 : 1)}x`; // as the core writes it

/** Bytes with the prefix that fits: "4.89 MB". */
export function bytes(value: number) {
  return si(value, 'B');
}

/** Units that follow ops_per_mac: FLOPs as they are, or halved and called MACs. */
export interface Units {
  scale: number; // shown = FLOP * scale
  prefix: 'G' | 'T' | ''; // of rates; '': whichever fits
  work: string;
  rate: string;
  intensity: string;
}
const MACS = { scale: 0.5, work: 'MAC', rate: 'MAC/s', intensity: 'MAC/B' };
const FLOPS = { scale: 1, work: 'FLOP', rate: 'FLOP/s', intensity: 'FLOP/B' };
const known = new Map<string, Units>(); // one object for each, so that what shows them need not be drawn again
/** The units for FLOPs (2 per MAC) or MACs (1), rates in one prefix or in whichever fits. */
export const unitsOf = (opsPerMac: number, prefix: Units['prefix'] = ''): Units => {
  const macs = opsPerMac === 1;
  const key = `${macs} ${prefix}`;
  let units = known.get(key);
  if (!units) known.set(key, (units = { ...(macs ? MACS : FLOPS), prefix }));
  return units;
};
/** The same for work in a format, by its id: of integers it is OPs. */
export const unitsIn = (units: Units, format: string | null | undefined): Units =>
  units.work === FLOPS.work && /^u?int\d/.test(format ?? '')
    ? { ...units, work: 'OP', rate: 'OP/s', intensity: 'OP/B' }
    : units;
/** How many FLOP/s the unit of rates is; 1 where the prefix varies. */
export const prefixFactor = ({ prefix }: Units) => (prefix === 'T' ? 1e12 : prefix === 'G' ? 1e9 : 1);

/** A figure in FLOPs in the units shown. */
export const scaled = (value: Maybe, units: Units) => (value == null ? null : value * units.scale);
/** FLOPs in the units shown: "1.85 GFLOP". */
export const work = (flops: Maybe, units: Units) => si(scaled(flops, units), units.work);
/** FLOP/s in the units shown: "32.0 TFLOP/s". */
export function rate(flops: Maybe, units: Units) {
  const value = scaled(flops, units);
  if (!units.prefix || !value || !Number.isFinite(value)) return si(value, units.rate);
  const shown = value / prefixFactor(units);
  return `${shown < 1e-3 || shown >= 1e6 ? shown.toExponential(2) : shown < 1 ? Number(shown.toPrecision(3)) : significant(shown)} ${units.prefix}${units.rate}`;
}
/** FLOP/B in the units shown: "378 FLOP/B". */
export const intensity = (value: Maybe, units: Units) =>
  value == null ? NONE : `${number(value * units.scale)} ${units.intensity}`;

/** As a sentence begins. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
