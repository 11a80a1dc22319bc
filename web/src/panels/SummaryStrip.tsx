// The totals of what is shown, in one line.
import type { FrameJson } from '../../../wasm/session';
import { count, NONE, number, percent, range, seconds, scaled } from '../format';
import { panelFrame, units } from '../state/engine';
import { viewState } from '../state/view';

/** The totals of the operations that match the filters. */
export function SummaryStrip() {
  const json = panelFrame.value?.json;
  if (!json) return null;
  const { shown, all } = json;
  const program = viewState.value.level === 'program'; // rows that are totals of one another: nothing to add up
  const items: [string, string, string?][] = program
    ? [
        ['ops', shown.ops === all.ops ? count(all.ops) : `${count(shown.ops)} of ${count(all.ops)}`],
        ['program', percent(json.program_efficiency), 'Efficiency of the program as a whole, as the profile states it'],
        ['intensity', spread(json), SPREAD],
      ]
    : [
        ['ops', shown.ops === all.ops ? count(all.ops) : `${count(shown.ops)} of ${count(all.ops)}`],
        ['time', seconds(shown.time_s), 'Measured, where measured'],
        ['bound', seconds(shown.predicted_time_s), 'The least time the machine needs: the sum of the bounds'],
        ...(json.ran_elsewhere
          ? []
          : ([
              [
                'lost',
                seconds(shown.lost_time_s),
                'Measured time beyond the bound, of the operations below their roof; those above it are counted beside',
              ],
              [
                'efficiency',
                percent(shown.efficiency),
                `Of the operations${json.program_efficiency === null ? '' : ', not of the program'}: bound over measured time`,
              ],
            ] as [string, string, string][])),
        ['bound by', shown.bound_by ?? '–', 'What bounds most of the time'],
        ['intensity', spread(json), SPREAD],
      ];
  if (shown.above_roof > 0)
    items.push([
      'above roof',
      count(shown.above_roof),
      'Faster than the machine allows: check the peak, the clock or the byte count',
    ]);
  if (shown.whatif && !program)
    items.push(['what-if', whatifSpeed(shown.whatif), 'Speed-up of the total, from pessimistic to optimistic']);
  return (
    <dl class="summary" aria-label="Totals of what is shown">
      {items.map(([name, value, title]) => (
        <div key={name} class={name === 'what-if' ? 'whatif' : ''} title={title}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const whatifSpeed = ({
  speedup_pessimistic: low,
  speedup_optimistic: high,
}: { speedup_pessimistic: number | null; speedup_optimistic: number | null }) => range(low, high);

const SPREAD = 'Lowest to highest of all operations shown';

function spread({ lowest_intensity, highest_intensity }: FrameJson) {
  if (lowest_intensity === null) return NONE;
  const [low, high] = [lowest_intensity, highest_intensity].map(value => number(scaled(value, units.value)));
  return `${low === high ? low : `${low} – ${high}`} ${units.value.intensity}`;
}
