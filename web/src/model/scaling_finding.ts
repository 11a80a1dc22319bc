// The headlines of the Scaling views of a language model, from the curves and the map that they draw.
import type { FindingPart } from '../../../wasm/session';
import { count, number, plural } from '../format';

interface Swept {
  key: string; // of the axis
  label: string; // of the curve; '': the only one
  verdict: string;
  values: number[]; // along the axis
  fits: Float32Array; // 1, 0; NaN: capacity not known
  fitsTo: number | null; // the last that fits, which may lie between two values
  figure: Float32Array;
  show: (value: number) => string; // with its unit
  estimated: boolean;
}

/** How far it goes, how fast it is there, and what limits it on the way. */
export function sweepFinding({
  key,
  label,
  verdict,
  values,
  fits,
  fitsTo,
  figure,
  show,
  estimated,
}: Swept): FindingPart[] {
  const whole = !fits.includes(0);
  const last = whole ? values.length - 1 : fits.lastIndexOf(1);
  const limits = verdict.replace(/; (does not fit|fits up to .*)$/, '');
  const why = `${limits[0]?.toUpperCase()}${limits.slice(1)}.`;
  if (last < 0) return [{ text: `${label || 'It'} does not fit at any ${key} shown. ${why}` }];
  const at = Math.round(values[last]!);
  const value = `${estimated ? 'an estimated ' : ''}${show(figure[last]!)}`;
  if (whole) return [{ text: `${label ? `${label} at` : 'At'} ${key} ${count(at)}: ${value}. ${why}` }];
  const end = fitsTo ?? at;
  const there = end === at ? `: ${value}` : `. At ${key} ${count(at)}: ${value}`; // the curve has no point at its end
  return [{ text: `${label || 'It'} fits up to ${key} ${count(end)}${there}. ${why}` }];
}

interface Mapped {
  along: string;
  context: number;
  batches: number[];
  rates: Float32Array | number[]; // tokens/s per batch at that context; NaN: does not fit
  at: number; // the batch of the request
}

/** The largest batch that fits, what it buys, and the request beside it. */
export function mapFinding({ along, context, batches, rates, at }: Mapped): FindingPart[] {
  const fitting = batches.map((_, i) => i).filter(i => rates[i]! > 0);
  const [last] = fitting.slice(-1);
  const where = `a ${along} of ${plural(context, 'token')}`;
  if (last === undefined) return [{ text: `Nothing fits at ${where}.` }];
  const speed = (i: number) => {
    const each = along === 'prompt' ? '' : `, ${number(rates[i]! / batches[i]!)} per user`;
    return `batch ${count(batches[i]!)} reaches at most ${number(rates[i]!)} tokens/s${each}`;
  };
  const all = last === batches.length - 1;
  const first = `At ${where}, ${all ? 'every batch shown fits' : `batch ${count(batches[last]!)} is the largest that fits`}`;
  const others = [...new Set([at, last])].filter(i => rates[i]! > 0).map(speed);
  return [{ text: `${first}: ${others.join('; ')}.` }];
}
