// Bars and legends of time by limit: a colour each for compute, memory, links, neither of them, and what is not known.
import type { RoofJson, RowJson } from '../../../wasm/session';
import { seconds } from '../format';
import { panelFrame } from '../core/engine';
import { STATUSES, type StatusName } from '../protocol';
import type { Mark } from './marks';
import { limitStatus, limitVariable } from './palette';

/** Seconds by limit: the name of a resource, "neither", or "none". */
export type TimeByBound = Record<string, number>;

const WORDS: Record<string, string> = {
  neither: 'neither compute nor memory',
  none: 'not known',
};

/** A limit in words. */
export const limitWord = (name: string) => WORDS[name] ?? name;

/** Definitions for tooltips and the glossary. */
export const LIMITED_BY =
  'The resource that limits the time today: compute, a memory or a link; neither if the operation is well below its roofs because of overhead, waiting or a poor kernel';
export const BOUND_BY = 'The resource that sets the bound: compute, a memory or a link';

/** Whether the times contradict the machine: then they do not tell what limits the operations on it. */
export const ranElsewhere = () => panelFrame.value?.json.ran_elsewhere ?? false;

/** Whether a row's status is shown: not if the times contradict the machine, unless the row itself does. */
export const hasStatus = ({ above_roof }: Pick<RowJson, 'above_roof'>) => above_roof || !ranElsewhere();

type Limited = Pick<RowJson, 'limited_by' | 'bound_by' | 'time_s'> & { partly_known?: boolean };

/** The limit of a row today: "neither", or the resource that bounds it. Null: not known, or measured on another machine. */
export function limiterOf({ limited_by, bound_by, time_s, partly_known }: Limited, elsewhere = ranElsewhere()) {
  if (time_s === null) return partly_known ? null : bound_by;
  if (elsewhere || limited_by === 'unknown') return null;
  return limited_by === 'neither' ? limited_by : bound_by;
}

/** The roofs that say which limits are memories and which are links. */
export const roofsNow = (): RoofJson[] => panelFrame.value?.json.roofs ?? [];

/** Time by limit as one bar; `whole` is the time of the full width. */
export function BoundBar({ times, whole }: { times: TimeByBound; whole: number }) {
  const parts = Object.entries(times).map(([name, time]) => ({
    name,
    time,
    text: `${limitWord(name)}: ${seconds(time)}`,
  }));
  return (
    <span class="bound-bar" role="img" aria-label={parts.map(({ text }) => text).join(', ')}>
      {parts.map(({ name, time, text }) => (
        <span
          key={name}
          title={text}
          style={{
            width: `${(100 * time) / whole}%`,
            background: limitVariable(name, roofsNow()),
          }}
        />
      ))}
    </span>
  );
}

interface LegendProps {
  limits: Iterable<string>;
  marks?: Set<Mark>;
  note?: string;
}

/** The colours and marks that are used, in a fixed order; limits of one colour are one entry. */
export function BoundLegend({ limits, marks = new Set(), note }: LegendProps) {
  const entries = new Map<StatusName, string[]>();
  for (const name of limits) {
    const colour = limitStatus(name, roofsNow());
    entries.set(colour, [...(entries.get(colour) ?? []), name]);
  }
  const used = STATUSES.filter(colour => entries.has(colour));
  return (
    <ul class="bound-legend" aria-label="Limits">
      {used.map(colour => (
        <li key={colour} title={entries.get(colour)!.map(limitWord).join(', ')}>
          <span class="swatch" style={{ background: `var(--status-${colour})` }} />
          {entries
            .get(colour)!
            .map(name => (name === 'neither' ? name : limitWord(name)))
            .join(', ')}
        </li>
      ))}
      {(['near', 'above'] as const)
        .filter(mark => marks.has(mark))
        .map(mark => (
          <li key={mark}>
            <span class={`swatch ${mark}`} />
            {LEGEND[mark]}
          </li>
        ))}
      {note && <li>{note}</li>}
    </ul>
  );
}

const LEGEND = {
  near: 'faded: near the bound',
  above: 'hatched: above the roof',
};
