// The totals of the operations shown, in one row under the headline.
import { useRef } from 'preact/hooks';
import type { FrameJson } from '../../../wasm/session';
import { count, NONE, percent, range, seconds } from '../format';
import { panelFrame } from '../core/engine';
import { isSynthetic, opened, SYNTHETIC } from '../sources/files';
import { narrow } from '../core/layout';
import { WHATIF_RANGE, whatifBatch } from '../core/settings';
import { viewState } from '../core/view';
import { LIMITED_BY } from '../plot/bounds';
import { useClipCue } from '../widgets/ClipBox';

type Item = [name: string, value: string, note: string, title: string];

/** Totals of the operations that match the filters. None for one operator in several formats: its rows do not add up. */
export function Tiles() {
  const json = panelFrame.value?.json;
  if (!json || (opened.value?.format === 'operator' && json.all.ops > 1)) return null;
  return <Row items={itemsOf(json)} />;
}

function Row({ items }: { items: Item[] }) {
  const box = useRef<HTMLDListElement>(null);
  useClipCue(box);
  return (
    <dl class="tiles" ref={box} aria-label="Totals of the operations shown" tabIndex={narrow ? 0 : undefined}>
      {items
        .filter(([, value]) => value !== NONE)
        .map(([name, value, note, title]) => (
          <div key={name} class={name.startsWith('What-if') ? 'whatif' : ''} title={title}>
            <dt>{name}</dt>
            <dd>
              {value} {note && <small>{note}</small>}
            </dd>
          </div>
        ))}
    </dl>
  );
}

function itemsOf(json: FrameJson): Item[] {
  const { shown, program_efficiency } = json;
  if (viewState.value.level === 'program')
    return [['Program', percent(program_efficiency), '', 'Efficiency of the whole program, as stated in the profile']];
  return [
    isSynthetic.value
      ? ['Time', seconds(shown.time_s), 'synthetic', SYNTHETIC]
      : ['Time', seconds(shown.time_s), '', 'Sum of the measured times'],
    ['Bound', seconds(shown.predicted_time_s), '', 'The least time the machine needs: the sum of the bounds'],
    ...(json.ran_elsewhere || json.limits.limited_by === 'unknown' ? [] : losses(json)), // no verdict without FLOPs
    limit(json),
    ...whatif(json),
    ...(shown.above_roof > 0
      ? [
          [
            'Above roof',
            count(shown.above_roof),
            '',
            'Faster than the machine allows: check the peak, the clock or the byte count',
          ] as Item,
        ]
      : []),
  ];
}

const limit = ({ limits: { limited_by } }: FrameJson): Item => [
  'Limited by',
  limited_by === 'unknown' ? NONE : limited_by,
  limited_by === 'neither' ? 'overhead, waiting' : '',
  LIMITED_BY,
];

const losses = ({ shown, program_efficiency }: FrameJson): Item[] => [
  [
    'Above bound',
    seconds(shown.lost_time_s),
    shown.time_s && shown.lost_time_s ? percent(shown.lost_time_s / shown.time_s) : '',
    'Time minus bound, summed over the operations slower than their bound',
  ],
  [
    'Efficiency',
    percent(shown.efficiency),
    '',
    `Bound / measured time${program_efficiency === null ? '' : ', of the operations, not of the whole program'}`,
  ],
];

const whatif = ({ shown, whatif_outcome: { low, high, per_item } }: FrameJson): Item[] =>
  shown.whatif
    ? [
        [
          `What-if${whatifBatch()}`,
          range(low, high),
          per_item ? 'per item' : '',
          `Speed-up of the total. ${WHATIF_RANGE}`,
        ],
      ]
    : [];
