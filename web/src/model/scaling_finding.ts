// The headlines of the Scaling views of a language model, from the curves and the map that they draw.
import type { FindingPart } from '../../../wasm/session';
import { count, number, plural } from '../format';

interface Swept {
  key: string; // of the axis
  label: string; // of the curve; '': the only one
  curves: number; // compared
  anyFits: boolean; // one of them, somewhere
  limits: string;
  fit: string; // how far it fits
  values: number[]; // along the axis
  fits: Float32Array; // in memory: 1, 0; NaN: capacity not known
  fitsTo: number | null; // the last that leaves the reserve free, which may lie between two values; 0: none, null: all
  figure: Float32Array;
  show: (value: number) => string; // with its unit
  estimated: boolean;
}

/** How far it goes, how fast it is there, and what limits it on the way. */
export function sweepFinding({
  key,
  label,
  curves,
  anyFits,
  limits,
  fit,
  values,
  fits,
  fitsTo,
  figure,
  show,
  estimated,
}: Swept): FindingPart[] {
  const whole = fitsTo === null;
  const last = whole
    ? values.length - 1
    : fitsTo
      ? values.filter(value => value <= fitsTo).length - 1
      : fits.lastIndexOf(1);
  const why = `${limits[0]?.toUpperCase()}${limits.slice(1)}.`;
  if (last < 0) {
    const who = anyFits || curves === 1 ? `${label || 'It'} does not fit` : `None of the ${curves} fits`;
    return [{ text: `${who} at any ${key} shown. ${why}` }];
  }
  const at = Math.round(values[last]!);
  const value = `${estimated ? 'an estimated ' : ''}${show(figure[last]!)}`;
  if (whole) return [{ text: `${label ? `${label} at` : 'At'} ${key} ${count(at)}: ${value}. ${why}` }];
  // The limit may be between two points: the figure is that of the last one that fits.
  return [
    {
      text: `${label || 'It'} ${fit}${fit.endsWith(` ${count(at)}`) ? '' : `. At ${key} ${count(at)}, the last point that fits`}: ${value}. ${why}`,
    },
  ];
}

interface Mapped {
  along: string;
  context: number;
  batches: number[];
  rates: Float32Array | number[]; // tokens/s per batch at that context; NaN: does not fit
  largest: number; // batch that leaves the reserve free; NaN: capacity not known
  at: number; // the batch of the request
}

/** The largest batch that fits, what it buys, and the request beside it. */
export function mapFinding({ along, context, batches, rates, largest, at }: Mapped): FindingPart[] {
  const last = batches.filter(batch => !(batch > largest)).length - 1;
  const where = `a ${along} of ${plural(context, 'token')}`;
  const speed = (i: number) => {
    const each = along === 'prompt' ? '' : `, ${number(rates[i]! / batches[i]!)} per user`;
    return `${count(batches[i]!)} ${batches[i]! > largest ? 'barely fits and ' : ''}reaches at most ${number(rates[i]!)} tokens/s${each}`;
  };
  const fit =
    last === batches.length - 1
      ? 'every batch shown fits'
      : last >= 0
        ? `batch ${count(largest)} is the largest that fits`
        : `no batch fits${rates[0]! > 0 ? ' with the reserve free' : ''}`;
  const speeds = [...new Set([at, last])].filter(i => rates[i]! > 0).map(speed);
  return [{ text: `At ${where}, ${fit}.${speeds.length ? ` Batch ${speeds.join('; batch ')}.` : ''}` }];
}
