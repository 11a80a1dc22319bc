// The totals of the operations shown, in one row under the headline.
import { useRef } from 'preact/hooks';
import type { FrameJson } from '../../../wasm/session';
import { bytes, count, NONE, number, percent, isRange, seconds } from '../format';
import { panelFrame } from '../core/engine';
import { hasAlternatives, idle, isSynthetic, SYNTHETIC, timesAre } from '../sources/opened';
import { narrow } from '../core/layout';
import { modelAnswer, modelRequest, phaseTimes } from '../model/model';
import { rangeInForce, whatifBatch, whatifText } from '../core/settings';
import { viewState } from '../core/view';
import { LIMITED_BY } from '../plot/bounds';
import { useClipCue } from '../widgets/ClipBox';
import { shownView, showView } from './views';

type Item = [name: string, value: string, note: string, title: string];

/** Totals of the operations that match the filters. The rows of one operator in several formats do not add up. */
export function Tiles() {
  const json = panelFrame.value?.json;
  if (!json) return null;
  if (hasAlternatives() && json.all.ops > 1) return shownView().view.id === 'roofline' ? <AtOtherSizes /> : null;
  return <Row items={itemsOf(json)} />;
}

/** Columns of tiles on a phone, chosen so that no tile is alone in the last row. */
const columnsFor = (tiles: number) => (tiles <= 4 ? tiles : tiles % 3 === 1 ? 4 : 3);

function Row({ items }: { items: Item[] }) {
  const box = useRef<HTMLDListElement>(null);
  useClipCue(box);
  const known = items.filter(([, value]) => value !== NONE);
  return (
    <dl
      class="tiles"
      ref={box}
      style={{ '--columns': columnsFor(known.length) }}
      aria-label="Totals of the operations shown"
      tabIndex={narrow.value ? 0 : undefined}
    >
      {known.map(([name, value, note, title]) => (
        <div key={name} class={name.startsWith('What-if') ? 'whatif' : ''} title={title}>
          <dt>{name}</dt>
          <dd>
            <span>{value}</span> {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const AtOtherSizes = () => (
  <p class="at-other-sizes">
    <button type="button" class="link" onClick={() => showView('sweep')}>
      Scaling
    </button>{' '}
    shows which format is the fastest at other sizes.
  </p>
);

function itemsOf(json: FrameJson): Item[] {
  const { shown, limits } = json;
  if (viewState.value.level === 'program')
    return [
      ['Program', percent(json.program_efficiency), '', 'Efficiency of the whole program, as stated in the profile'],
    ];
  const timed = shown.timed_ops > 0;
  const judged = !json.ran_elsewhere && limits.limited_by !== 'unknown'; // no verdict on another machine's times, or without FLOPs
  return [
    [
      'Time',
      seconds(shown.time_s),
      [
        timed && shown.timed_ops < shown.ops ? `${count(shown.timed_ops)} of ${count(shown.ops)} ops` : '',
        timesAre() === 'measured' ? '' : timesAre(),
      ]
        .filter(Boolean)
        .join(', '),
      isSynthetic.value ? SYNTHETIC : `Of the operations that have a time, ${timesAre()}`,
    ],
    ...modelTime(json),
    timed
      ? [
          'Bound',
          seconds(judged && limits.compared_time_s > 0 ? limits.compared_bound_s : null),
          '',
          'The least time the machine needs for the operations with a time',
        ]
      : (modelBound(json) ?? [
          'Bound',
          seconds(shown.predicted_time_s),
          '',
          'The least time the machine needs: the sum of the bounds',
        ]),
    ...(timed && judged ? comparison(json) : []),
    ...idleTime(json),
    ...throughput(json),
    ...memoryNeeded(json),
    limit(json),
    ...whatif(json),
  ];
}

/** Whether all operations are shown. Figures of the whole run are left out with a filter. */
const showsAll = ({ shown, all }: FrameJson) => shown.ops === all.ops;

/** How long the device was idle. */
const idleTime = (json: FrameJson): Item[] =>
  idle.value && showsAll(json)
    ? [
        [
          'Idle',
          seconds(idle.value.time_s),
          percent(idle.value.share),
          'How long the device ran nothing between its first and last kernel',
        ],
      ]
    : [];

const NAMES = {
  prefill: ['First token', 'to the first token'],
  decode: ['Per token', 'per token'],
  generate: ['Total', 'for the whole generation'],
} as const;

/** How long the open language model takes, and at least; null: none is open, or not all of it is shown. */
function timesOfModel(json: FrameJson) {
  const answer = modelAnswer.value;
  if (!answer || !showsAll(json)) return null;
  const phase = modelRequest.value?.phase ?? 'decode';
  const [name, what] = NAMES[phase];
  return { name, about: `Least possible time ${what}`, ...phaseTimes(answer, phase) };
}

function modelTime(json: FrameJson): Item[] {
  const times = timesOfModel(json);
  return times ? [[times.name, seconds(times.estimate), 'estimate', 'The estimate: see Inference']] : [];
}

/** Bound of one token: a speculative step yields several. */
function modelBound(json: FrameJson): Item | null {
  const times = timesOfModel(json);
  return times && ['Bound', seconds(times.bound), '', times.about];
}

/** How fast the open language model runs. */
function throughput(json: FrameJson): Item[] {
  const answer = modelAnswer.value;
  if (!answer || !showsAll(json)) return [];
  const { typical_tokens_per_s, tokens_per_s, fits } = answer;
  const note = fits === false ? 'if it fitted in one' : `bound ${number(tokens_per_s)}`;
  return [['Tokens/s', number(typical_tokens_per_s), note, 'The estimate for all sequences together: see Inference']];
}

/** The capacity in GB and in GiB: data sheets write 24 GB for 24 GiB, which is 25.8 GB. */
const capacityClause = (capacity: number | null) =>
  capacity === null ? '' : `, which has ${bytes(capacity)} (${number(capacity / 2 ** 30)} GiB)`;

/** What the open language model keeps on one machine, and whether it fits. */
function memoryNeeded(json: FrameJson): Item[] {
  const answer = modelAnswer.value;
  if (!answer || !showsAll(json) || viewState.value.offload) return []; // shared with a host: the headline has the verdict
  const { bytes_per_machine: needed, memory } = answer;
  return [
    [
      'Memory',
      bytes(needed.total),
      memory.text,
      `Weights, KV cache and activations on one machine${capacityClause(needed.capacity)}`,
    ],
  ];
}

function limit({ shown, limits: { limited_by } }: FrameJson): Item {
  const then = shown.whatif?.limited_by ?? limited_by;
  const note = limited_by === 'neither' ? 'overhead, waiting' : then === limited_by ? '' : `what-if: ${then}`;
  return ['Limited by', limited_by === 'unknown' ? NONE : limited_by, note, LIMITED_BY];
}

/** Time = bound + above bound - below bound + time without a bound. */
function comparison({ shown, limits, program_efficiency }: FrameJson): Item[] {
  const unbounded = (shown.time_s ?? 0) - limits.compared_time_s;
  const items: Item[] = [
    [
      'Above bound',
      seconds(shown.lost_time_s),
      shown.time_s && shown.lost_time_s ? percent(shown.lost_time_s / shown.time_s) : '',
      'Time minus bound, summed over the operations slower than their bound',
    ],
  ];
  if (shown.above_roof > 0)
    items.push([
      'Below bound',
      seconds(limits.below_bound_s),
      `${count(shown.above_roof)} above the roof`,
      'Operations faster than the machine allows: check the peak, the clock or the byte count',
    ]);
  if (unbounded > LEAST_SHARE * (shown.time_s ?? 0))
    items.push(['No bound', seconds(unbounded), '', 'Time of operations whose work is not known']);
  items.push([
    'Efficiency',
    percent(shown.efficiency),
    '',
    `Bound / time${program_efficiency === null ? '' : ', of the operations, not of the whole program'}`,
  ]);
  return items;
}

const LEAST_SHARE = 0.001; // of the time: less is rounding

const whatif = ({ shown, whatif_outcome: outcome }: FrameJson): Item[] =>
  shown.whatif
    ? [
        [
          `What-if${whatifBatch()}`,
          whatifText(outcome),
          outcome.per_item
            ? 'per item'
            : shown.timed_ops > 0 || outcome.today_s === null
              ? ''
              : `from an estimated ${seconds(outcome.today_s)}`,
          `Speed-up of the total.${isRange(outcome.low, outcome.high) ? ` ${rangeInForce()}` : ''}`,
        ],
      ]
    : [];
