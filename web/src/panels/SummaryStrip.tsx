// The totals of what is shown, in one line.
import type { FrameJson } from '../../../wasm/session';
import { count, NONE, number, percent, range, seconds, scaled } from '../format';
import { panelFrame, units } from '../state/engine';
import { opened } from '../state/files';
import { whatifBatch } from '../state/settings';
import { viewState } from '../state/view';

type Item = [name: string, value: string, title?: string];

/** The totals of the operations that match the filters. */
export function SummaryStrip() {
  const json = panelFrame.value?.json;
  if (!json) return null;
  const items = itemsOf(json);
  if (json.shown.above_roof > 0)
    items.push([
      'above roof',
      count(json.shown.above_roof),
      'Faster than the machine allows: check the peak, the clock or the byte count',
    ]);
  return (
    <dl class="summary" aria-label="Totals of what is shown">
      {items.map(([name, value, title]) => (
        <div key={name} class={name.startsWith('what-if') ? 'whatif' : ''} title={title}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Totals, where the rows add up: programs are totals of one another, and one operator in several formats is no sum. */
function itemsOf(json: FrameJson): Item[] {
  const { shown, all } = json;
  const intensity: Item = ['intensity', spread(json), SPREAD];
  if (opened.value?.format === 'operator' && all.ops > 1) return [['formats', count(shown.ops)], intensity];
  const ops: Item = ['ops', shown.ops === all.ops ? count(all.ops) : `${count(shown.ops)} of ${count(all.ops)}`];
  if (viewState.value.level === 'program')
    return [
      ops,
      ['program', percent(json.program_efficiency), 'Efficiency of the program as a whole, as the profile states it'],
      intensity,
    ];
  return [
    ops,
    ['time', seconds(shown.time_s), 'Measured, where measured'],
    ['bound', seconds(shown.predicted_time_s), 'The least time the machine needs: the sum of the bounds'],
    ...(json.ran_elsewhere ? [] : losses(json)),
    ['bound by', shown.bound_by ?? NONE, 'What bounds most of the time'],
    intensity,
    ...whatif(json),
  ];
}

const losses = ({ shown, program_efficiency }: FrameJson): Item[] => [
  [
    'lost',
    seconds(shown.lost_time_s),
    'Measured time beyond the bound, of the operations below their roof; those above it are counted beside',
  ],
  [
    'efficiency',
    percent(shown.efficiency),
    `Of the operations${program_efficiency === null ? '' : ', not of the program'}: bound over measured time`,
  ],
];

const whatif = ({ shown }: FrameJson): Item[] =>
  shown.whatif
    ? [
        [
          `what-if${whatifBatch()}`,
          range(shown.whatif.speedup_pessimistic, shown.whatif.speedup_optimistic),
          'Speed-up of the total, from pessimistic to optimistic',
        ],
      ]
    : [];

const SPREAD = 'Lowest to highest of all operations shown';

function spread({ lowest_intensity, highest_intensity }: FrameJson) {
  if (lowest_intensity === null) return NONE;
  const [low, high] = [lowest_intensity, highest_intensity].map(value => number(scaled(value, units.value)));
  return `${low === high ? low : `${low} – ${high}`} ${units.value.intensity}`;
}
