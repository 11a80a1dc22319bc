// What limits as a colour: one for compute, one per memory and link in their order; colour-blind-safe (Okabe and Ito). Bars made of them.
import { seconds } from '../format';
import { NO_RESOURCE } from '../protocol';

const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b5a900', '#8c564b'];
const NONE = '#8a8f98';

/// `at`: the resource's place, compute being 0; beyond the list: no known bound.
export const boundColour = (at: number) => (at < 0 || at === NO_RESOURCE ? NONE : COLOURS[at % COLOURS.length]!);

export type TimeByBound = Record<string, number>;

/// Time by bound as one bar; `whole` is the time of the full width.
export function BoundBar({ times, whole, resources }: { times: TimeByBound; whole: number; resources: string[] }) {
  const parts = Object.entries(times);
  return (
    <span class="bound-bar" role="img" aria-label={parts.map(([name, time]) => `${name} ${seconds(time)}`).join(', ')}>
      {parts.map(([name, time]) => (
        <span key={name} title={`${name}: ${seconds(time)}`} style={{ width: `${(100 * time) / whole}%`, background: boundColour(resources.indexOf(name)) }} />
      ))}
    </span>
  );
}

export function BoundLegend({ resources, used }: { resources: string[]; used: Set<string> }) {
  return (
    <ul class="bound-legend" aria-label="What limits">
      {[...resources, 'none'].filter(name => used.has(name)).map(name => (
        <li key={name}><span class="swatch" style={{ background: boundColour(resources.indexOf(name)) }} />{name === 'none' ? 'not known' : name}</li>
      ))}
    </ul>
  );
}

