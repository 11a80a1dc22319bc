// The terms that add up to an operation's estimated time.
import type { Detail } from '../../../wasm/session';
import { percent, seconds, type Maybe } from '../format';
import { figureRow } from './figure_row';

/// Terms that a software stack adds to an operator of a language model.
const STACK_TERMS = [
  ['layers', 'Per layer', 'its part of the fixed time of each layer'],
  ['hops', 'All-reduce', 'latency'],
  ['widen', 'Dequantising', 'narrow weights'],
  ['elementwise', 'Not fused', 'element-wise traffic'],
  ['scores', 'Scores', 'written to and read from memory'],
  ['chunks', 'Chunks', 'weights read again'],
] as const;

interface Typical {
  terms: Record<string, number>;
  compute_s: Maybe;
  transfer_s: Maybe;
  exposed_s: Maybe;
  launch_s: Maybe;
  conversion_s: Maybe;
  fused_time_s: Maybe;
  waves: Maybe;
  wave_efficiency: Maybe;
  cache: string | null;
}

/** How `time_s` follows from `full_s`, the time at the full rate: "1.32 ms at peak / 84.5% reached / 85% tile efficiency". Empty if they are equal or unknown. */
function quotient(full_s: Maybe, at: string, time_s: Maybe, tileEfficiency: Maybe = null) {
  if (!full_s || !time_s || time_s < 1.0005 * full_s) return '';
  const ofTiles = tileEfficiency ?? 1;
  const reached = full_s / time_s / ofTiles;
  return [
    `${seconds(full_s)} ${at}`,
    ...(reached < 0.9995 ? [`${percent(reached)} reached`] : []),
    ...(ofTiles < 0.9995 ? [`${percent(ofTiles)} tile efficiency`] : []),
  ].join(' / ');
}

const TILE_EFFICIENCY =
  'tile efficiency: below 100% because of tile edges, the start of each tile, and units that are idle in the last wave';

/** The terms of an operation's estimate, folded; nothing where there is no estimate. */
export function EstimateTerms({ detail: { op } }: { detail: Detail }) {
  const typical = op.typical as Typical | undefined;
  if (!typical || typical.fused_time_s == null) return null;
  const computes = (typical.compute_s ?? 0) >= (typical.transfer_s ?? 0);
  const [overlapped, longer] = ['overlapped', 'the longer one'];
  const { compute: atPeak = null, ...moved } = op.min_time_s as Record<string, Maybe>;
  const atFullRate = Math.max(...Object.values(moved).map(time => time ?? 0));
  const terms: [name: string, time: Maybe, note: string][] = [
    ['Not overlapped', typical.exposed_s, 'part of the shorter of the two'],
    ['Launch', typical.launch_s, ''],
    ...STACK_TERMS.map(([term, name, note]): [string, Maybe, string] => [name, typical.terms[term] ?? null, note]),
    ['Conversions', typical.conversion_s, 'quantise and dequantise, with launches'],
  ];
  const added = terms.filter(([, time]) => (time ?? 0) > 0);
  const sum = ['the longer of the two', ...added.map(([name]) => name.toLowerCase())].join(' + ');
  return (
    <details>
      <summary>How the time is estimated</summary>
      <dl class="numbers" aria-label="Terms of the estimate">
        {figureRow(
          'Compute',
          seconds(typical.compute_s),
          computes ? longer : overlapped,
          quotient(atPeak, 'at peak', typical.compute_s, typical.wave_efficiency),
        )}
        {figureRow(
          'Transfers',
          seconds(typical.transfer_s),
          computes ? overlapped : longer,
          quotient(atFullRate, 'at full rate', typical.transfer_s),
        )}
        {added.map(([name, time, note]) => figureRow(name, seconds(time), note))}
        {figureRow(
          'Estimate',
          seconds(op.typical_time_s as Maybe),
          (typical.conversion_s ?? 0) > 0 ? `${sum}; ${seconds(typical.fused_time_s)} with conversions fused` : sum,
        )}
        {typical.waves != null &&
          figureRow('Waves', String(typical.waves), 'rounds of one tile per unit', TILE_EFFICIENCY)}
        {typical.cache &&
          figureRow('Fits in', typical.cache, 'if it is still cached, the roof of the device memory does not apply')}
      </dl>
    </details>
  );
}
