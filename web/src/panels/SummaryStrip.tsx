// The totals of what is shown, in one line.
import { count, number, percent, range, seconds, scaled } from '../format';
import { panelFrame, units } from '../state/engine';
import { viewState } from '../state/view';

/** The totals of the operations that match the filters. */
export function SummaryStrip() {
  const json = panelFrame.value?.json;
  if (!json) return null;
  const { shown, all } = json;
  const program = viewState.value.level === 'program';  // rows that are totals of one another: nothing to add up
  const items: [string, string, string?][] = program ? [
    ['ops', shown.ops === all.ops ? count(all.ops) : `${count(shown.ops)} of ${count(all.ops)}`],
    ['intensity', spread(), 'Lowest to highest of the points shown'],
  ] : [
    ['ops', shown.ops === all.ops ? count(all.ops) : `${count(shown.ops)} of ${count(all.ops)}`],
    ['time', seconds(shown.time_s), 'Measured, where measured'],
    ['bound', seconds(shown.predicted_time_s), 'The least time the machine needs: the sum of the bounds'],
    ['lost', seconds(shown.lost_time_s), 'Measured time beyond the bound'],
    ['efficiency', percent(shown.efficiency), 'Bound over measured time'],
    ['bound by', shown.bound_by ?? '–', 'What bounds most of the time'],
    ['intensity', spread(), 'Lowest to highest of the points shown'],
  ];
  if (shown.above_roof > 0) items.push(['above roof', count(shown.above_roof), 'Faster than the machine allows: check the peak, the clock or the byte count']);
  if (shown.whatif && !program) items.push(['what-if', whatifSpeed(shown.whatif), 'Speed-up of the total, from pessimistic to optimistic']);
  return (
    <dl class="summary" aria-label="Totals of what is shown">
      {items.map(([name, value, title]) => <div key={name} class={name === 'what-if' ? 'whatif' : ''} title={title}><dt>{name}</dt><dd>{value}</dd></div>)}
    </dl>
  );
}

const whatifSpeed = ({ speedup_pessimistic: low, speedup_optimistic: high }: { speedup_pessimistic: number | null; speedup_optimistic: number | null }) => range(low, high);

function spread() {
  const values = panelFrame.value!.intensity.filter(value => value > 0);
  if (values.length === 0) return '–';
  const [low, high] = [Math.min(...values), Math.max(...values)].map(value => number(scaled(value, units.value)));
  return `${low === high ? low : `${low} – ${high}`} ${units.value.intensity}`;
}
