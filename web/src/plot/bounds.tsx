// Bars and legends of time by limit: a colour for compute and one for each memory and link.
import { seconds } from '../format';
import type { Mark } from './marks';
import { resourceVariable } from './palette';

/** Seconds by limiting resource. */
export type TimeByBound = Record<string, number>;

const NEITHER = 'var(--status-memory-inefficient)';

/** Time by bound as one bar; `whole` is the time of the full width. */
export function BoundBar({ times, whole, resources }: { times: TimeByBound; whole: number; resources: string[] }) {
  const parts = Object.entries(times);
  return (
    <span class="bound-bar" role="img" aria-label={parts.map(([name, time]) => `${name} ${seconds(time)}`).join(', ')}>
      {parts.map(([name, time]) => (
        <span
          key={name}
          title={`${name}: ${seconds(time)}`}
          style={{
            width: `${(100 * time) / whole}%`,
            background: name === 'neither' ? NEITHER : resourceVariable(resources.indexOf(name)),
          }}
        />
      ))}
    </span>
  );
}

/** The colours and marks that are used, in the resources' order. */
export function BoundLegend({
  resources,
  used,
  marks = new Set(),
  note,
}: { resources: string[]; used: Set<string>; marks?: Set<Mark>; note?: string }) {
  return (
    <ul class="bound-legend" aria-label="Limits">
      {[...resources, 'none']
        .filter(name => used.has(name))
        .map(name => (
          <li key={name}>
            <span class="swatch" style={{ background: resourceVariable(resources.indexOf(name)) }} />
            {name === 'none' ? 'not known' : name}
          </li>
        ))}
      {(['neither', 'near', 'above'] as const)
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
  neither: 'neither compute nor memory',
  near: 'pale: near its bound',
  above: 'hatched: above the roof',
};
