// Sweeps one or two parameters of the open operator: curves per format with their crossings, or a heat map.
import { NO_RESOURCE } from '../protocol';
import { useMemo, useRef, useState } from 'preact/hooks';
import { rate, seconds, si, timeTick, unitsIn, type Units, count } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { drawCells, drawColourBar } from '../plot/cells';
import { drawGuide, drawKnot, drawLabel, drawTogether } from '../plot/curves';
import { drawCornerLegend, type LegendEntry } from '../plot/legend';
import { roofsNow } from '../plot/bounds';
import { limitColour, seriesColour } from '../plot/palette';
import { contains, nearest, planeOf, type Axis, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { drawLeads, drawLeadsKey } from '../plot/leads';
import { packed, rampOf } from '../plot/ramp';
import type { Paint, Surface } from '../plot/surface';
import { faultText, useAnswer } from '../core/ask';
import { panelFrame, units } from '../core/engine';
import { useFinding } from '../core/finding';
import { changeOperator, formatLabel, operator, snap, type Operator, type Parameter } from './operator';
import type { Patch } from '../core/settings';
import { changeView, viewState, type SweepRange, type SweepView } from '../core/view';
import { Choice } from '../widgets/Choice';
import { RangeSliders } from '../widgets/RangeSliders';
import { Select } from '../widgets/Select';

interface SweepJson {
  axes: number[][];
  formats: string[];
  resources: string[];
  crossings: { format: number; at: number; from: string; to: string }[];
  leads: LeadJson[]; // by the bounds
  typical_leads: LeadJson[]; // by the estimates; empty in a heat map
  refused: number;
}
/** From here to the next entry these formats are fastest. */
interface LeadJson {
  from: number;
  formats: number[];
}
type Columns = Record<string, Float32Array>;
export type Metric = NonNullable<SweepView['metric']>;

const CURVE_POINTS = 256;
const MAP_POINTS = 256;

/** The parameters that can be swept: each number, each length of a shape, and the sizes of a square product together. */
function sweepable({ parameters }: Operator): string[] {
  const single = Object.entries(parameters).flatMap(([key, value]) =>
    typeof value === 'number'
      ? [key]
      : Array.isArray(value) && value.every(item => typeof item === 'number')
        ? value.map((_, i) => `${key}.${i}`)
        : [],
  );
  return ['m', 'n', 'k'].every(key => single.includes(key)) ? [...single, 'm,n,k'] : single;
}

function valueAt({ parameters }: Operator, key: string): number {
  const [name = '', index] = key.split('.');
  const value = parameters[name];
  const number = index === undefined ? value : Array.isArray(value) ? value[Number(index)] : undefined;
  return typeof number === 'number' ? number : 1;
}

const rangeOf = (keys: string, now: Operator): SweepRange => ({
  keys: keys.split(','),
  from: 1,
  to: Math.max(4096, 2 * valueAt(now, keys.split(',')[0]!)),
});

/** Whether two axes move one parameter. */
const overlap = (a: string, b: string) => a.split(',').some(key => b.split(',').includes(key));

/** The view's choice, limited to what the operator allows. */
function choice(now: Operator): SweepView | null {
  const able = sweepable(now);
  const chosen = viewState.value.sweep;
  const fits = (range: SweepRange | undefined): range is SweepRange =>
    range !== undefined && able.includes(range.keys.join(','));
  if (able.length === 0) return null;
  const x = fits(chosen?.x) ? chosen.x : rangeOf(able[0]!, now);
  const y = fits(chosen?.y) && !overlap(x.keys.join(), chosen.y.keys.join()) ? chosen.y : undefined;
  return { ...chosen, x, y } as SweepView;
}

/** The sweep with its choice of parameters and ranges. */
export function Sweep() {
  const now = operator.value!;
  const shown = choice(now);
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const plane = useRef<Plane | null>(null);
  const points = shown?.y ? MAP_POINTS : CURVE_POINTS;
  const axis = (range: SweepRange) => ({ ...range, log: range.log !== false, points });
  const answer = useAnswer<SweepJson>(
    'sweep',
    shown && { operator: now, axes: [axis(shown.x), ...(shown.y ? [axis(shown.y)] : [])] },
  );
  useOpenShapeFinding(now, shown);
  if (!shown) return <p class="hint">This operator has no numeric parameter.</p>;
  const set = (part: Patch<SweepView>) => changeView({ sweep: { ...shown, ...part } as SweepView });
  // An older answer may have another number of axes.
  const data = answer && !('error' in answer) && answer.json.axes.length === (shown.y ? 2 : 1) ? answer : null;
  const format = Math.min(shown.format ?? 0, now.formats.length - 1);
  const metric = shown.metric ?? 'time';
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
          options={
            shown.y
              ? [
                  ['time', 'Bound'],
                  ['rate', 'Rate at the bound'],
                  ['bound', 'Bound by'],
                ]
              : [
                  ['time', 'Time'],
                  ['rate', 'Rate'],
                ]
          }
          onChange={next => set({ metric: next })}
        />
        {shown.y && (
          <Select
            label="Format"
            value={format}
            options={now.formats.map((entry, i) => [i, formatLabel(entry)] as const)}
            onChange={i => set({ format: i })}
          />
        )}
      </div>
      {answer && 'error' in answer && <p class="hint">{faultText(answer.error)}</p>}
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

/** The finding on the open shape as the headline of a map, which has none, with the place of that shape on the map. */
function useOpenShapeFinding(now: Operator, shown: SweepView | null) {
  const finding = panelFrame.value?.json.finding;
  const keys = shown?.y ? [...shown.x.keys, ...shown.y.keys] : [];
  const place = keys.map(key => `${key} = ${count(valueAt(now, key))}`).join(', ');
  useFinding(useMemo(() => (place && finding ? [{ text: `At ${place}: ` }, ...finding] : undefined), [place, finding]));
}

/** The parameters with the values of a sweep's point. */
function moved(now: Operator, values: [SweepRange, number][]): Record<string, Parameter> {
  const parameters = { ...now.parameters };
  for (const [{ keys }, value] of values)
    for (const key of keys) {
      const [name = '', index] = key.split('.');
      parameters[name] =
        index === undefined
          ? value
          : (parameters[name] as number[]).map((length, i) => (i === Number(index) ? value : length));
    }
  return parameters;
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

const axisName = ({ keys }: SweepRange) => keys.join(' = ');

/** "FP16 is bound by compute from m = 166 up." */
function findings({ crossings, refused, axes }: SweepJson, now: Operator, shown: SweepView) {
  const shapes = axes.reduce((product, values) => product * values.length, 1);
  const invalid = refused > 0 ? ` ${refused} of ${shapes} points are not valid shapes.` : '';
  if (shown.y)
    return `${count(shapes)} shapes in ${now.formats.length === 1 ? 'one format' : `${now.formats.length} formats`}. Click a cell to use its shape.${invalid}`;
  if (crossings.length === 0) return `The bound does not change along ${axisName(shown.x)}.${invalid}`;
  return (
    crossings
      .map(
        ({ format, at, to }) =>
          `${formatLabel(now.formats[format] ?? '')}: ${to}-bound from ${axisName(shown.x)} = ${count(at)} up.`,
      )
      .join(' ') + invalid
  );
}

interface Cell {
  column: number;
  row: number;
}

function cellAt(plane: Plane, [xs, ys]: number[][], { x, y }: { x: number; y: number }): Cell | null {
  if (!xs || !contains(plane, x, y)) return null;
  return { column: nearest(xs, plane.x, x), row: ys ? nearest(ys, plane.y, y) : 0 };
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
              {seconds(time)} · {rate(columns.flops![i]! / time!, unitsIn(units.value, entry.split(':').at(-1)))}
              {time !== least && ` · bound ${seconds(least)}`}
              {bound !== NO_RESOURCE && `${time === least ? ' · bound' : ','} by ${json.resources[bound]}`}
            </dd>,
          ];
        })}
      </dl>
    </div>
  );
}

interface Scene {
  json: SweepJson;
  columns: Columns;
  now: Operator;
  shown: SweepView;
  metric: Metric;
  format: number;
  units: Units;
}

/** Value of one point: seconds, or FLOP/s (MAC/s). */
const valueOf = ({ columns, metric, units: unit }: Scene, column: string, i: number) =>
  metric === 'rate' ? (columns.flops![i]! * unit.scale) / columns[column]![i]! : columns[column]![i]!;

/** The steps of 1, 2 and 5 around the values. */
function extent(values: number[]): [number, number] {
  const known = values.filter(value => value > 0 && Number.isFinite(value));
  if (known.length === 0) return [1, 10];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const steps = (of: number) => [0.5, 1, 2, 5, 10, 20].map(step => step * 10 ** Math.floor(Math.log10(of)));
  return [
    steps(least)
      .filter(step => step < least)
      .at(-1)!,
    steps(most).find(step => step > most)!,
  ];
}

const axisOf = (values: number[], range: SweepRange): Axis => ({
  low: values[0]!,
  high: values.length > 1 ? values[values.length - 1]! : values[0]! + 1,
  log: range.log !== false,
  title: axisName(range),
});

function drawCurves(surface: Surface, scene: Scene, hovered: number | null): Plane {
  const { palette } = surface;
  const { json, columns, now, shown, metric, units: unit } = scene;
  const xs = json.axes[0]!;
  const names = json.formats.flatMap((_, f) => [`predicted${f}`, `typical${f}`]).filter(name => columns[name]);
  const [low, high] = extent(names.flatMap(name => xs.map((_, i) => valueOf(scene, name, i))));
  const y: Axis = {
    low,
    high: high > low ? high : low * 10,
    log: true,
    ...(metric === 'rate' ? { title: unit.rate } : { title: 'Time', label: timeTick }),
  };
  const plane = planeOf(axisOf(xs, shown.x), y, plotBox(surface));
  const { box } = plane;
  drawAxes(surface, plane);
  surface.clip(box, () => {
    drawGuide(surface, plane, valueAt(now, shown.x.keys[0]!));
    if (hovered !== null) drawGuide(surface, plane, xs[hovered]!);
    const estimated = columns.typical0 !== undefined;
    const curvesOf = (kind: 'predicted' | 'typical', paint: Paint) =>
      json.formats.map((_, f) => ({
        value: (i: number) => valueOf(scene, `${kind}${f}`, i),
        paint: { stroke: seriesColour(palette, f), ...paint },
      }));
    drawTogether(surface, plane, xs, curvesOf('predicted', estimated ? { dash: [5, 4] } : { width: 2 }));
    if (estimated) drawTogether(surface, plane, xs, curvesOf('typical', { width: 2 }));
    const entries = json.formats.map(
      (_, f): LegendEntry => ({
        text: formatLabel(now.formats[f] ?? ''),
        colour: seriesColour(palette, f),
        sample: 'line',
      }),
    );
    if (names.length > json.formats.length) entries.push({ text: 'bound', colour: palette.muted, sample: 'dashed' });
    drawCornerLegend(
      surface,
      plane,
      entries,
      names.flatMap(name => xs.map((x, i) => [plane.x.pixel(x), plane.y.pixel(valueOf(scene, name, i))] as const)),
    );
    if (json.formats.length > 1) {
      const leads = (list: LeadJson[], beside: boolean) =>
        drawLeads(
          surface,
          plane,
          list.map(({ from, formats: winners }) => ({ from, winners })),
          xs[xs.length - 1]!,
          beside,
        );
      const estimated = json.typical_leads.length > 0;
      leads(estimated ? json.typical_leads : json.leads, false);
      if (estimated) {
        leads(json.leads, true);
        drawLeadsKey(
          surface,
          plane,
          json.typical_leads,
          xs[xs.length - 1]!,
          'fastest by the bound (thin) and by the estimate',
        );
      }
    }
    // Where another resource bounds a format. With several formats only the changes of the fastest one are named.
    for (const { format: f, at } of json.crossings) {
      const i = Math.max(
        0,
        xs.findIndex(x => x >= at),
      );
      const [px, py] = [plane.x.pixel(at), plane.y.pixel(valueOf(scene, `predicted${f}`, i))];
      drawKnot(surface, px, py, seriesColour(palette, f), json.formats.length > 1 ? 2.5 : 4);
      if (json.formats.length > 1) continue;
      drawLabel(surface, plane, count(at), px + 7, py + (metric === 'rate' ? 14 : -8), seriesColour(palette, f));
    }
  });
  return plane;
}

/** Where to write each resource's name: its cell nearest to the centre of its area. Narrow areas get none. */
function middles(bound: Float32Array, xs: number[], ys: number[], plane: Plane) {
  const sums = new Map<number, { count: number; column: number; row: number }>();
  bound.forEach((resource, i) => {
    if (resource === NO_RESOURCE) return;
    const sum = sums.get(resource) ?? { count: 0, column: 0, row: 0 };
    sums.set(resource, {
      count: sum.count + 1,
      column: sum.column + (i % xs.length),
      row: sum.row + Math.floor(i / xs.length),
    });
  });
  return [...sums]
    .filter(([, { count }]) => count > bound.length / 50)
    .map(([resource, { count, column, row }]) => {
      const away = (i: number) =>
        Math.abs((i % xs.length) - column / count) / xs.length +
        Math.abs(Math.floor(i / xs.length) - row / count) / ys.length;
      let best = bound.indexOf(resource);
      bound.forEach((other, i) => {
        if (other === resource && away(i) < away(best)) best = i;
      });
      return { resource, x: plane.x.pixel(xs[best % xs.length]!), y: plane.y.pixel(ys[Math.floor(best / xs.length)]!) };
    });
}

const BESIDE_PX = 88; // for the colour bar

function drawMap(surface: Surface, scene: Scene): Plane {
  const { palette } = surface;
  const { json, columns, shown, metric, format, units: unit } = scene;
  const [xs, ys] = [json.axes[0]!, json.axes[1]!];
  const plane = planeOf(axisOf(xs, shown.x), axisOf(ys, shown.y!), plotBox(surface, BESIDE_PX));
  const { box } = plane;
  const bound = columns[`bound${format}`]!;
  const logs = Float32Array.from(bound, (_, i) => Math.log10(valueOf(scene, `predicted${format}`, i)));
  let [low, high] = [Infinity, -Infinity];
  for (const log of logs) if (Number.isFinite(log)) [low, high] = [Math.min(low, log), Math.max(high, log)];
  drawAxes(surface, plane);
  const ramp = rampOf(palette);
  const limits = json.resources.map(name => packed(limitColour(palette, name, roofsNow())));
  drawCells(surface, plane, {
    xs,
    ys,
    area: i => bound[i]!,
    border: packed(palette.surface),
    colour:
      metric === 'bound'
        ? i => limits[bound[i]!] ?? 0
        : i => (Number.isFinite(logs[i]) ? ramp((logs[i]! - low) / (high - low || 1)) : 0),
  });
  for (const { resource, x, y } of middles(bound, xs, ys, plane))
    drawLabel(surface, plane, `bound by ${json.resources[resource]!}`, x - 40, y, palette.ink);
  if (metric === 'bound') return plane;
  const text = (value: number) => (metric === 'rate' ? si(value, unit.rate) : seconds(value));
  drawColourBar(surface, { left: box.right + 12, top: box.top, bottom: box.bottom }, part =>
    text(10 ** (low + (high - low) * part)),
  );
  return plane;
}
