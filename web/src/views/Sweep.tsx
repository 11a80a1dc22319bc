// One or two parameters of the open operator over a range: curves per format with the crossings marked, or a heat map.
import { NO_RESOURCE } from '../protocol';
import { useRef, useState } from 'preact/hooks';
import { formatLabel, snap } from '../panels/OperatorSource';
import type { Palette } from '../chart/palette';
import { rate, seconds, si, tick, type Units } from '../format';
import { useAnswer } from '../state/ask';
import { units } from '../state/engine';
import { changeOperator, operator, type Operator, type Parameter } from '../state/operator';
import type { Patch } from '../state/settings';
import { look, viewState, type SweepRange, type SweepView } from '../state/view';
import { Choice } from '../widgets/Choice';
import { Slider } from '../widgets/Slider';
import { Canvas } from './Canvas';
import { drawHeat, heatColour } from './heat';
import { drawPlane, label, planeOf, seriesColour, type Plane } from './plane';

interface SweepJson {
  axes: number[][];
  formats: string[];
  resources: string[];
  crossings: { format: number; at: number; from: string; to: string }[];
  refused: number;
}
type Columns = Record<string, Float32Array>;
export type Metric = NonNullable<SweepView['metric']>;

const CURVE_POINTS = 256;
const MAP_POINTS = 256;

/// What may be varied: every number, every length of a shape, and the sizes of a square product together.
export function sweepable({ parameters }: Operator): string[] {
  const single = Object.entries(parameters).flatMap(([key, value]) =>
    typeof value === 'number' ? [key] : Array.isArray(value) && value.every(item => typeof item === 'number') ? value.map((_, i) => `${key}.${i}`) : []);
  return ['m', 'n', 'k'].every(key => single.includes(key)) ? [...single, 'm,n,k'] : single;
}

function valueAt({ parameters }: Operator, key: string): number {
  const [name = '', index] = key.split('.');
  const value = parameters[name];
  const number = index === undefined ? value : Array.isArray(value) ? value[Number(index)] : undefined;
  return typeof number === 'number' ? number : 1;
}

const rangeOf = (keys: string, now: Operator): SweepRange => ({ keys: keys.split(','), from: 1, to: Math.max(4096, 2 * valueAt(now, keys.split(',')[0]!)) });

/// The view's own choice as far as it fits the operator.
function choice(now: Operator): SweepView | null {
  const able = sweepable(now);
  const chosen = viewState.value.sweep;
  const fits = (range: SweepRange | undefined): range is SweepRange => range !== undefined && able.includes(range.keys.join(','));
  if (able.length === 0) return null;
  const x = fits(chosen?.x) ? chosen.x : rangeOf(able[0]!, now);
  return { ...chosen, x, y: fits(chosen?.y) ? chosen.y : undefined } as SweepView;
}

export function Sweep() {
  const now = operator.value!;
  const shown = choice(now);
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const plane = useRef<Plane | null>(null);
  const points = shown?.y ? MAP_POINTS : CURVE_POINTS;
  const axis = (range: SweepRange) => ({ ...range, log: range.log !== false, points });
  const answer = useAnswer<SweepJson>('sweep', shown && { operator: now, axes: [axis(shown.x), ...(shown.y ? [axis(shown.y)] : [])] });
  if (!shown) return <p class="hint">No parameter of this operator is a number.</p>;
  const set = (part: Patch<SweepView>) => look({ sweep: { ...shown, ...part } as SweepView });
  // The answer to the question before may have another number of axes.
  const data = answer && !('error' in answer) && answer.json.axes.length === (shown.y ? 2 : 1) ? answer : null;
  const format = Math.min(shown.format ?? 0, now.formats.length - 1);
  const metric = shown.metric ?? 'time';
  const at = pointer && data && plane.current ? nearest(plane.current, data.json.axes, pointer) : null;
  const pick = (x: number, y: number) => {
    if (!plane.current || !data) return;
    const cell = nearest(plane.current, data.json.axes, { x, y });
    if (cell) void changeOperator({ parameters: moved(now, [[shown.x, data.json.axes[0]![cell.column]!], ...(shown.y ? [[shown.y, data.json.axes[1]![cell.row]!] as [SweepRange, number]] : [])]) });
  };
  return (
    <div class="sweep">
      <div class="sweep-bar">
        <Range name="Along" range={shown.x} now={now} onChange={x => x && set({ x })} />
        <Range name="and" range={shown.y} now={now} optional onChange={y => set({ y })} />
        <Choice<Metric> label="Shown" value={metric} options={shown.y ? [['time', 'Time'], ['rate', 'Rate'], ['bound', 'Bound']] : [['time', 'Time'], ['rate', 'Rate']]} onChange={next => set({ metric: next })} />
        {shown.y && (
          <select aria-label="Format" value={format} onChange={event => set({ format: Number(event.currentTarget.value) })}>
            {now.formats.map((entry, i) => <option key={entry} value={i}>{formatLabel(entry)}</option>)}
          </select>
        )}
      </div>
      {answer && 'error' in answer && <p class="hint">{answer.error.path && `${answer.error.path}: `}{answer.error.message}</p>}
      {data && (
        <>
          <p class="crossings" aria-live="polite">{told(data.json, now, shown)}</p>
          <div class="plane-frame">
            <Canvas label={shown.y ? 'Heat map of the sweep' : 'Curves of the sweep'} onPoint={(x, y) => setPointer(x === null ? null : { x, y })} onPick={pick}
              draw={(ctx, width, height, palette) => {
                const scene = { ctx, width, height, palette, json: data.json, columns: data.columns, now, shown, metric, format, units: units.value };
                plane.current = shown.y ? drawMap(scene) : drawCurves(scene, at?.column ?? null);
              }} />
            {at && <Readout data={data} at={at} now={now} shown={shown} />}
          </div>
        </>
      )}
    </div>
  );
}

/// The parameters with a sweep's values put in.
function moved(now: Operator, values: [SweepRange, number][]): Record<string, Parameter> {
  const parameters = { ...now.parameters };
  for (const [{ keys }, value] of values)
    for (const key of keys) {
      const [name = '', index] = key.split('.');
      parameters[name] = index === undefined ? value : (parameters[name] as number[]).map((length, i) => (i === Number(index) ? value : length));
    }
  return parameters;
}

interface RangeProps { name: string; range: SweepRange | undefined; now: Operator; optional?: boolean; onChange: (range: SweepRange | undefined) => void }

function Range({ name, range, now, optional = false, onChange }: RangeProps) {
  return (
    <div class="sweep-range">
      <select aria-label={`${name} parameter`} value={range?.keys.join(',') ?? ''} onChange={event => onChange(event.currentTarget.value ? rangeOf(event.currentTarget.value, now) : undefined)}>
        {optional && <option value="">nothing else</option>}
        {sweepable(now).map(keys => <option key={keys} value={keys}>{keys.replaceAll(',', ' = ')}</option>)}
      </select>
      {range && (
        <>
          <Slider label={`${name} from`} value={range.from} min={1} max={1 << 20} log unit="" digits={9} snap={snap} onInput={from => onChange({ ...range, from: Math.min(Math.round(from), range.to - 1) || 1 })} />
          <Slider label={`${name} to`} value={range.to} min={2} max={1 << 20} log unit="" digits={9} snap={snap} onInput={to => onChange({ ...range, to: Math.max(Math.round(to), range.from + 1) })} />
          <label class="check"><input type="checkbox" checked={range.log !== false} onChange={event => onChange({ keys: range.keys, from: range.from, to: range.to, ...(!event.currentTarget.checked && { log: false }) })} />log</label>
        </>
      )}
    </div>
  );
}

const axisName = ({ keys }: SweepRange) => keys.join(' = ');

/// "FP16 is bound by compute from m = 166 up."
function told({ crossings, refused, axes }: SweepJson, now: Operator, shown: SweepView) {
  const count = axes.reduce((product, values) => product * values.length, 1);
  const invalid = refused > 0 ? ` ${refused} of ${count} points are no valid shape.` : '';
  if (shown.y) return `${count.toLocaleString('en-US')} shapes in ${now.formats.length === 1 ? 'one format' : `${now.formats.length} formats`}. Click to take one.${invalid}`;
  if (crossings.length === 0) return `The bound does not change along ${axisName(shown.x)}.${invalid}`;
  return crossings.map(({ format, at, to }) => `${formatLabel(now.formats[format] ?? '')}: ${to}-bound from ${axisName(shown.x)} = ${at.toLocaleString('en-US')} up.`).join(' ') + invalid;
}

interface Cell { column: number; row: number }

function nearest(plane: Plane, [xs, ys]: number[][], { x, y }: { x: number; y: number }): Cell | null {
  const { plot } = plane;
  if (!xs || x < plot.left || x > plot.right || y < plot.top || y > plot.bottom) return null;
  const closest = (values: number[], place: (value: number) => number, at: number) =>
    values.reduce((best, value, i) => (Math.abs(place(value) - at) < Math.abs(place(values[best]!) - at) ? i : best), 0);
  return { column: closest(xs, plane.x, x), row: ys ? closest(ys, plane.y, y) : 0 };
}

function Readout({ data: { json, columns }, at, now, shown }: { data: { json: SweepJson; columns: Columns }; at: Cell; now: Operator; shown: SweepView }) {
  const i = at.row * json.axes[0]!.length + at.column;
  return (
    <div class="readout">
      <strong>{axisName(shown.x)} = {json.axes[0]![at.column]!.toLocaleString('en-US')}{shown.y && `, ${axisName(shown.y)} = ${json.axes[1]![at.row]!.toLocaleString('en-US')}`}</strong>
      <dl>
        {now.formats.map((entry, f) => {
          const time = columns[`predicted${f}`]?.[i];
          const bound = columns[`bound${f}`]?.[i] ?? NO_RESOURCE;
          return [<dt key={entry}>{formatLabel(entry)}</dt>, <dd key={`${entry}-`}>{seconds(time)} · {rate(columns.flops![i]! / time!, units.value)}{bound !== NO_RESOURCE && ` · ${json.resources[bound]}`}</dd>];
        })}
      </dl>
    </div>
  );
}

interface Scene {
  ctx: CanvasRenderingContext2D; width: number; height: number; palette: Palette;
  json: SweepJson; columns: Columns; now: Operator; shown: SweepView; metric: Metric; format: number; units: Units;
}

const plotOf = (width: number, height: number, right = 12) => ({ left: 60, top: 22, right: width - right, bottom: height - 36 });

/// Value of one point: seconds, or FLOP/s (MAC/s).
const valueOf = ({ columns, metric, units: unit }: Scene, column: string, i: number) =>
  (metric === 'rate' ? (columns.flops![i]! * unit.scale) / columns[column]![i]! : columns[column]![i]!);

function extent(values: number[]): [number, number] {
  const known = values.filter(value => value > 0 && Number.isFinite(value));
  if (known.length === 0) return [1, 10];
  return [10 ** Math.floor(Math.log10(Math.min(...known))), 10 ** Math.ceil(Math.log10(Math.max(...known)) + 1e-9)];
}

function drawCurves(scene: Scene, hovered: number | null): Plane {
  const { ctx, width, height, palette, json, columns, now, shown, metric, units: unit } = scene;
  const xs = json.axes[0]!;
  const names = json.formats.flatMap((_, f) => [`predicted${f}`, `typical${f}`]).filter(name => columns[name]);
  const [low, high] = extent(names.flatMap(name => xs.map((_, i) => valueOf(scene, name, i))));
  const xAxis = { low: xs[0]!, high: xs.length > 1 ? xs[xs.length - 1]! : xs[0]! + 1, log: shown.x.log !== false, title: axisName(shown.x) };
  const yAxis = { low, high: high > low ? high : low * 10, log: true, title: metric === 'rate' ? unit.rate : 's' };
  const plane = planeOf(xAxis, yAxis, plotOf(width, height));
  drawPlane(ctx, palette, plane, xAxis, yAxis);
  ctx.save();
  ctx.beginPath();
  ctx.rect(plane.plot.left, plane.plot.top, plane.plot.right - plane.plot.left, plane.plot.bottom - plane.plot.top);
  ctx.clip();
  const current = plane.x(valueAt(now, shown.x.keys[0]!));
  ctx.strokeStyle = palette.muted;
  ctx.setLineDash([2, 3]);
  for (const x of [current, ...(hovered === null ? [] : [plane.x(xs[hovered]!)])]) {
    ctx.beginPath();
    ctx.moveTo(x, plane.plot.top);
    ctx.lineTo(x, plane.plot.bottom);
    ctx.stroke();
  }
  json.formats.forEach((_, f) => {
    for (const kind of ['typical', 'predicted']) {
      if (!columns[`${kind}${f}`]) continue;
      ctx.strokeStyle = seriesColour(palette, f);
      ctx.lineWidth = kind === 'predicted' ? 2 : 1;
      ctx.setLineDash(kind === 'predicted' ? [] : [5, 4]);
      ctx.beginPath();
      let down = false;
      xs.forEach((x, i) => {
        const value = valueOf(scene, `${kind}${f}`, i);
        if (!(value > 0)) down = false;
        else {
          if (down) ctx.lineTo(plane.x(x), plane.y(value));
          else ctx.moveTo(plane.x(x), plane.y(value));
          down = true;
        }
      });
      ctx.stroke();
    }
  });
  ctx.setLineDash([]);
  ctx.font = `500 11px ${palette.font}`;
  const legend = json.formats.map((_, f) => formatLabel(now.formats[f] ?? ''));
  legend.forEach((text, f) => label(ctx, palette, plane, `— ${text}`, plane.plot.left + 8, plane.plot.top + 16 + 15 * f, seriesColour(palette, f)));
  if (names.length > json.formats.length) label(ctx, palette, plane, '- - typical', plane.plot.left + 8, plane.plot.top + 16 + 15 * legend.length, palette.muted);
  json.crossings.forEach(({ format: f, at }) => {
    const i = xs.findIndex(x => x >= at);
    const value = valueOf(scene, `predicted${f}`, Math.max(0, i));
    const [x, y] = [plane.x(at), plane.y(value)];
    ctx.beginPath();
    ctx.arc(x, y, 4, 0, 2 * Math.PI);
    ctx.fillStyle = palette.surface;
    ctx.fill();
    ctx.strokeStyle = seriesColour(palette, f);
    ctx.lineWidth = 2;
    ctx.stroke();
    label(ctx, palette, plane, tick(at), x + 7, y + (metric === 'rate' ? 14 : -8) + 12 * (f % 2), seriesColour(palette, f));
  });
  ctx.restore();
  return plane;
}

/// Where to name what bounds: the cell of each resource that is nearest to the middle of all its cells. Slivers go without.
function middles(bound: Float32Array, xs: number[], ys: number[], plane: Plane) {
  const sums = new Map<number, { count: number; column: number; row: number }>();
  bound.forEach((resource, i) => {
    if (resource === NO_RESOURCE) return;
    const sum = sums.get(resource) ?? { count: 0, column: 0, row: 0 };
    sums.set(resource, { count: sum.count + 1, column: sum.column + (i % xs.length), row: sum.row + Math.floor(i / xs.length) });
  });
  return [...sums].filter(([, { count }]) => count > bound.length / 50).map(([resource, { count, column, row }]) => {
    const away = (i: number) => Math.abs((i % xs.length) - column / count) / xs.length + Math.abs(Math.floor(i / xs.length) - row / count) / ys.length;
    let best = bound.indexOf(resource);
    bound.forEach((other, i) => {
      if (other === resource && away(i) < away(best)) best = i;
    });
    return { resource, x: plane.x(xs[best % xs.length]!), y: plane.y(ys[Math.floor(best / xs.length)]!) };
  });
}

function drawMap(scene: Scene): Plane {
  const { ctx, width, height, palette, json, columns, shown, metric, format, units: unit } = scene;
  const [xs, ys] = [json.axes[0]!, json.axes[1]!];
  const ends = (values: number[], range: SweepRange) => ({ low: values[0]!, high: values.length > 1 ? values[values.length - 1]! : values[0]! + 1, log: range.log !== false, title: axisName(range) });
  const [xAxis, yAxis] = [ends(xs, shown.x), ends(ys, shown.y!)];
  const plane = planeOf(xAxis, yAxis, plotOf(width, height, 96));
  drawPlane(ctx, palette, plane, xAxis, yAxis);
  const bound = columns[`bound${format}`]!;
  const time = columns[`predicted${format}`]!;
  let [low, high] = [Infinity, -Infinity];
  const logs = new Float32Array(time.length);
  for (let i = 0; i < time.length; ++i) {
    const value = (logs[i] = Math.log10(metric === 'rate' ? columns.flops![i]! / time[i]! : time[i]!));
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const boundColour = (resource: number) => seriesColour(palette, resource === 0 ? 2 : [1, 3, 4, 5, 6][(resource - 1) % 5]!);
  const colour = metric === 'bound' ? (i: number) => (bound[i] === NO_RESOURCE ? null : boundColour(bound[i]!)) : (i: number) => (Number.isFinite(logs[i]) ? heatColour((logs[i]! - low) / (high - low || 1)) : null);
  drawHeat(ctx, plane, xs, ys, colour, bound, palette);
  ctx.font = `500 11px ${palette.font}`;
  if (metric !== 'bound')
    for (const { resource, x, y } of middles(bound, xs, ys, plane)) label(ctx, palette, plane, `bound by ${json.resources[resource]!}`, x - 40, y, palette.ink);
  const left = width - 84;
  ctx.font = `11px ${palette.font}`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  if (metric === 'bound') {
    [...new Set(bound)].filter(resource => resource !== NO_RESOURCE).sort((a, b) => a - b).forEach((resource, i) => {
      ctx.fillStyle = boundColour(resource);
      ctx.fillRect(left, plane.plot.top + 20 * i, 12, 12);
      ctx.fillStyle = palette.ink;
      ctx.fillText(json.resources[resource]!, left + 18, plane.plot.top + 20 * i + 6);
    });
    return plane;
  }
  const bar = plane.plot.bottom - plane.plot.top;
  for (let i = 0; i < bar; ++i) {
    ctx.fillStyle = heatColour(1 - i / bar);
    ctx.fillRect(left, plane.plot.top + i, 12, 1.5);
  }
  ctx.fillStyle = palette.ink;
  const text = (value: number) => (metric === 'rate' ? si(10 ** value * unit.scale, unit.rate) : seconds(10 ** value));
  [0, 0.25, 0.5, 0.75, 1].forEach(part => ctx.fillText(text(high + (low - high) * part), left + 16, plane.plot.top + 5 + (bar - 10) * part));
  return plane;
}
