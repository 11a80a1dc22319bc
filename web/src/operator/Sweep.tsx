// Sweeps one or two parameters of the open operator: curves per format with their crossings, or a map.
import { useRef, useState } from 'preact/hooks';
import { NO_RESOURCE } from '../protocol';
import { count, rate, seconds, unitsIn } from '../format';
import { useAnswer } from '../core/ask';
import { formatName } from '../core/catalogue';
import { machine, tableFrame, units } from '../core/engine';
import type { Patch } from '../core/settings';
import { changeView, type SweepRange, type SweepView } from '../core/view';
import { cellAt, type Cell } from '../plot/cells';
import type { Plane } from '../plot/plane';
import { CurveColours } from '../plot/palette';
import { Plot } from '../plot/Plot';
import { AnswerFault } from '../widgets/AnswerFault';
import { Choice } from '../widgets/Choice';
import { RangeSliders } from '../widgets/RangeSliders';
import { Select } from '../widgets/Select';
import { changeOperator, formatLabel, operator, formatIndex, snap, type Operator } from './operator';
import {
  axisName,
  chosenSweep,
  findings,
  metricOf,
  metricsOf,
  moved,
  overlap,
  rangeOf,
  sweepable,
  type Columns,
  type Metric,
  type SweepJson,
} from './operator_sweep';
import { drawCurves, drawMap } from './sweep_drawing';

const MOST_POINTS = 256; // of an axis
const curveColours = new CurveColours();

/** The sweep with its choice of parameters and ranges. */
export function Sweep() {
  const now = operator.value!;
  const shown = chosenSweep(now);
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const plane = useRef<Plane | null>(null);
  const axis = (range: SweepRange) => ({
    ...range,
    log: range.log !== false,
    round: shown?.y !== undefined, // lengths that fit no tile would cover a map with stripes
    points: MOST_POINTS,
  });
  const answer = useAnswer<SweepJson>(
    'sweep',
    shown && { operator: now, axes: [axis(shown.x), ...(shown.y ? [axis(shown.y)] : [])] },
  );
  if (!shown) return <p class="hint">This operator has no numeric parameter.</p>;
  const set = (part: Patch<SweepView>) => changeView({ sweep: { ...shown, ...part } as SweepView });
  // An older answer may have another number of axes.
  const data = answer && !('error' in answer) && answer.json.axes.length === (shown.y ? 2 : 1) ? answer : null;
  const format = formatIndex(now, shown.format);
  const metric = metricOf(shown, now);
  const at = pointer && data && plane.current ? cellAt(plane.current, data.json.axes, pointer) : null;
  const pick = (x: number, y: number) => {
    if (!plane.current || !data) return;
    const cell = cellAt(plane.current, data.json.axes, { x, y });
    if (cell)
      void changeOperator({
        parameters: moved(now, [
          [shown.x, data.json.axes[0]![cell.column]!],
          ...(shown.y ? [[shown.y, data.json.axes[1]![cell.row]!] as [SweepRange, number]] : []),
        ]),
      });
  };
  return (
    <div class="sweep">
      <div class="sweep-bar">
        <Range name="Along" range={shown.x} now={now} onChange={x => x && set({ x })} />
        <Range name="and" range={shown.y} now={now} beside={shown.x} onChange={y => set({ y })} />
        <Choice<Metric>
          label="Show"
          value={metric}
          options={metricsOf(shown, now)}
          onChange={next => set({ metric: next })}
        />
        {shown.y && metric !== 'fastest' && (
          <Select
            label="Format"
            value={format}
            options={now.formats.map((entry, i) => [i, formatLabel(entry)] as const)}
            onChange={i => set({ format: now.formats[i] })}
          />
        )}
      </div>
      <FallbackFormats />
      <AnswerFault reply={answer} />
      {data && (
        <>
          <p class={shown.y || data.json.refused > 0 ? 'crossings' : 'crossings visually-hidden'} aria-live="polite">
            {findings(data.json, now, shown)}
          </p>
          <div class="plot-frame">
            <Plot
              label={shown.y ? 'Heat map of the sweep' : 'Curves of the sweep'}
              onPoint={(x, y) => setPointer(x === null ? null : { x, y })}
              onPick={pick}
              draw={surface => {
                const scene = {
                  json: data.json,
                  columns: data.columns,
                  now,
                  shown,
                  metric,
                  format,
                  units: units.value,
                  colours: curveColours.of(data.json.formats),
                };
                plane.current = shown.y ? drawMap(surface, scene) : drawCurves(surface, scene, at?.column ?? null);
              }}
            />
            {at && <Readout data={data} at={at} now={now} shown={shown} />}
          </div>
        </>
      )}
    </div>
  );
}

/** Lists the formats that the machine lacks, and the format in which it computes each. */
function FallbackFormats() {
  const rows = tableFrame.value?.json.table.rows ?? [];
  const texts = rows.flatMap(({ formats: { activation, compute } }) =>
    activation && compute && activation !== compute
      ? [`${formatName(activation)} is computed in ${formatName(compute)}`]
      : [],
  );
  return texts.length > 0 ? (
    <p class="crossings muted">{`On ${machine.value?.name}, ${[...new Set(texts)].join(', ')}.`}</p>
  ) : null;
}

interface RangeProps {
  name: string;
  range: SweepRange | undefined;
  now: Operator;
  beside?: SweepRange; // the first axis: then this one is optional and has another parameter
  onChange: (range: SweepRange | undefined) => void;
}

function Range({ name, range, now, beside, onChange }: RangeProps) {
  const offered = sweepable(now).filter(keys => !beside || !overlap(keys, beside.keys.join()));
  return (
    <div class="sweep-range">
      <Select
        label={`${name} parameter`}
        value={range?.keys.join(',') ?? ''}
        options={[
          ...(beside ? [['', 'no second axis'] as const] : []),
          ...offered.map(keys => [keys, keys.replaceAll(',', ' = ')] as const),
        ]}
        onChange={keys => onChange(keys ? rangeOf(keys, now) : undefined)}
      />
      {range && (
        <RangeSliders
          name={axisName(range)}
          from={range.from}
          to={range.to}
          log={range.log !== false}
          snap={snap}
          onChange={({ from, to, log }) => onChange({ keys: range.keys, from, to, ...(!log && { log }) })}
        />
      )}
    </div>
  );
}

function Readout({
  data: { json, columns },
  at,
  now,
  shown,
}: { data: { json: SweepJson; columns: Columns }; at: Cell; now: Operator; shown: SweepView }) {
  const i = at.row * json.axes[0]!.length + at.column;
  return (
    <div class="readout" role="tooltip">
      <strong>
        {axisName(shown.x)} = {count(json.axes[0]![at.column]!)}
        {shown.y && `, ${axisName(shown.y)} = ${count(json.axes[1]![at.row]!)}`}
      </strong>
      <dl>
        {now.formats.map((entry, f) => {
          const least = columns[`predicted${f}`]?.[i];
          const time = columns[`typical${f}`]?.[i] ?? least;
          const bound = columns[`bound${f}`]?.[i] ?? NO_RESOURCE;
          return [
            <dt key={entry}>{formatLabel(entry)}</dt>,
            <dd key={`${entry}-`}>
              {seconds(time)} ·{' '}
              {rate(columns[`unit_flops${f}`]![i]! / time!, unitsIn(units.value, entry.split(':').at(-1)))}
              {time !== least && ` · bound ${seconds(least)}`}
              {bound !== NO_RESOURCE && `${time === least ? ' · bound' : ','} by ${json.resources[bound]}`}
            </dd>,
          ];
        })}
      </dl>
    </div>
  );
}
