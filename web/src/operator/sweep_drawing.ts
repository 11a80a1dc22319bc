// Draws a sweep: curves per format with their crossings, or a map.
import { NO_RESOURCE } from '../protocol';
import { count, seconds, si, timeTick, type Units } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { roofsNow } from '../plot/bounds';
import { drawCells, drawColourBar } from '../plot/cells';
import { drawGuide, drawKnot, drawLabel, drawTogether } from '../plot/curves';
import { drawLeads, drawLeadsKey } from '../plot/leads';
import { drawCornerLegend, type LegendEntry } from '../plot/legend';
import { limitColour, seriesColour } from '../plot/palette';
import { contains, planeOf, type Axis, type Plane } from '../plot/plane';
import { packed, rampOf } from '../plot/ramp';
import type { Paint, Surface } from '../plot/surface';
import type { SweepRange, SweepView } from '../core/view';
import { formatLabel, type Operator } from './operator';
import { axisName, valueAt, type Columns, type LeadJson, type Metric, type SweepJson } from './operator_sweep';

export interface Scene {
  json: SweepJson;
  columns: Columns;
  now: Operator;
  shown: SweepView;
  metric: Metric;
  format: number;
  units: Units;
  colours: readonly number[]; // of the formats
}

/** Value of one point in a column such as "typical0": seconds, or FLOP/s (MAC/s) of the unit that takes longer. */
function valueOf({ columns, metric, units: unit }: Scene, column: string, i: number) {
  const time = columns[column]![i]!;
  return metric === 'rate' ? (columns[`unit_flops${/\d+$/.exec(column)![0]}`]![i]! * unit.scale) / time : time;
}

const ABOVE_BANDS = 1.4; // from the axis to the lowest curve: the bands that show the fastest format are between them

/** Limits of an axis around the values, each 1, 2 or 5 times a power of ten. The lower is below the least value / `clearance`. */
function extent(values: number[], clearance: number): [number, number] {
  const known = values.filter(value => value > 0 && Number.isFinite(value));
  if (known.length === 0) return [1, 10];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const steps = (of: number) => [0.5, 1, 2, 5, 10, 20].map(step => step * 10 ** Math.floor(Math.log10(of)));
  return [
    steps(least)
      .filter(step => step < least / clearance)
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

export function drawCurves(surface: Surface, scene: Scene, hovered: number | null): Plane {
  const { palette } = surface;
  const { json, columns, now, shown, metric, units: unit } = scene;
  const colours = scene.colours.map(number => seriesColour(palette, number));
  const xs = json.axes[0]!;
  const names = json.formats.flatMap((_, f) => [`predicted${f}`, `typical${f}`]).filter(name => columns[name]);
  const [low, high] = extent(
    names.flatMap(name => xs.map((_, i) => valueOf(scene, name, i))),
    json.formats.length > 1 ? ABOVE_BANDS : 1,
  );
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
        paint: { stroke: colours[f]!, ...paint },
      }));
    drawTogether(surface, plane, xs, curvesOf('predicted', estimated ? { dash: [5, 4] } : { width: 2 }));
    if (estimated) drawTogether(surface, plane, xs, curvesOf('typical', { width: 2 }));
    const entries = json.formats.map(
      (_, f): LegendEntry => ({
        text: formatLabel(now.formats[f] ?? ''),
        colour: colours[f]!,
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
          colours,
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
      drawKnot(surface, px, py, colours[f]!, json.formats.length > 1 ? 2.5 : 4);
      if (json.formats.length > 1) continue;
      drawLabel(surface, plane, count(at), px + 7, py + (metric === 'rate' ? 14 : -8), colours[f]!);
    }
  });
  return plane;
}

/** Writes each area's name at the cell nearest to its centre. Areas below 2% of the map get none. */
function nameAreas(
  surface: Surface,
  plane: Plane,
  areas: Float32Array,
  { axes: [xs = [], ys = []] }: SweepJson,
  name: (area: number) => string | null,
) {
  const sums = new Map<number, { cells: number; column: number; row: number }>();
  areas.forEach((area, i) => {
    const sum = sums.get(area) ?? { cells: 0, column: 0, row: 0 };
    sums.set(area, {
      cells: sum.cells + 1,
      column: sum.column + (i % xs.length),
      row: sum.row + Math.floor(i / xs.length),
    });
  });
  for (const [area, { cells, column, row }] of sums) {
    const text = name(area);
    if (text === null || cells < areas.length / 50) continue;
    const away = (i: number) =>
      Math.abs((i % xs.length) - column / cells) / xs.length +
      Math.abs(Math.floor(i / xs.length) - row / cells) / ys.length;
    let best = areas.indexOf(area);
    areas.forEach((other, i) => {
      if (other === area && away(i) < away(best)) best = i;
    });
    const x = plane.x.pixel(xs[best % xs.length]!);
    const y = plane.y.pixel(ys[Math.floor(best / xs.length)]!);
    drawLabel(surface, plane, text, x - surface.textWidth(text) / 2, y, surface.palette.ink);
  }
}

const COLOUR_BAR_PX = 88; // for the colour bar

export function drawMap(surface: Surface, scene: Scene): Plane {
  const { json, shown, now } = scene;
  const [xs, ys] = [json.axes[0]!, json.axes[1]!];
  const hasBar = scene.metric === 'time' || scene.metric === 'rate';
  const plane = planeOf(axisOf(xs, shown.x), axisOf(ys, shown.y!), plotBox(surface, hasBar ? COLOUR_BAR_PX : 0));
  drawAxes(surface, plane);
  if (scene.metric === 'fastest') drawFastest(surface, plane, scene);
  else drawFormatMap(surface, plane, scene);
  const [x, y] = [valueAt(now, shown.x.keys[0]!), valueAt(now, shown.y!.keys[0]!)];
  const [px, py] = [plane.x.pixel(x), plane.y.pixel(y)];
  if (contains(plane, px, py)) drawKnot(surface, px, py, surface.palette.ink, 4);
  return plane;
}

/** The fastest format at each point by the estimates, in its colour; grey: several tie. */
function drawFastest(surface: Surface, plane: Plane, { json, columns, now, colours: numbers }: Scene) {
  const { palette } = surface;
  const [xs, ys] = [json.axes[0]!, json.axes[1]!];
  const fastest = columns.fastest!;
  const colours = json.fastest.map(formats =>
    formats.length > 1
      ? packed(palette.muted, TIED_OPACITY)
      : packed(seriesColour(palette, numbers[formats[0]!]!), FASTEST_OPACITY),
  );
  drawCells(surface, plane, {
    xs,
    ys,
    area: i => fastest[i]!,
    border: packed(palette.surface),
    colour: i => colours[fastest[i]!] ?? 0,
  });
  nameAreas(
    surface,
    plane,
    fastest,
    json,
    area => json.fastest[area]?.map(format => formatLabel(now.formats[format]!)).join(' = ') ?? null,
  );
}

const [FASTEST_OPACITY, TIED_OPACITY] = [0.55, 0.25]; // the grid and the names stay readable

/** The time or the rate of one format, or what bounds it. */
function drawFormatMap(surface: Surface, plane: Plane, scene: Scene) {
  const { palette } = surface;
  const { json, columns, metric, format, units: unit } = scene;
  const bound = columns[`bound${format}`]!;
  const times = columns[`typical${format}`]!.some(Number.isFinite) ? `typical${format}` : `predicted${format}`;
  const logs = Float32Array.from(bound, (_, i) => Math.log10(valueOf(scene, times, i)));
  let [low, high] = [Infinity, -Infinity];
  for (const log of logs) if (Number.isFinite(log)) [low, high] = [Math.min(low, log), Math.max(high, log)];
  const ramp = rampOf(palette);
  const limits = json.resources.map(name => packed(limitColour(palette, name, roofsNow())));
  drawCells(surface, plane, {
    xs: json.axes[0]!,
    ys: json.axes[1]!,
    area: i => bound[i]!,
    border: packed(palette.surface),
    colour:
      metric === 'bound'
        ? i => limits[bound[i]!] ?? 0
        : i => (Number.isFinite(logs[i]) ? ramp((logs[i]! - low) / (high - low || 1)) : 0),
  });
  nameAreas(surface, plane, bound, json, area => (area === NO_RESOURCE ? null : `bound by ${json.resources[area]!}`));
  if (metric === 'bound') return;
  const { box } = plane;
  const text = (value: number) => (metric === 'rate' ? si(value, unit.rate) : seconds(value));
  drawColourBar(surface, { left: box.right + 12, top: box.top, bottom: box.bottom }, part =>
    text(10 ** (low + (high - low) * part)),
  );
}
