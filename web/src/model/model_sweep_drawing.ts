// Draws a model's sweep: a curve per compared value, with the change of bound and the limit of memory.
import { count, timeTick } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { drawCurve, drawGuide, drawKnot, drawLabel } from '../plot/curves';
import { drawLeads, leadsOf } from '../plot/leads';
import { DOTTED, drawCornerLegend, type LegendEntry } from '../plot/legend';
import { seriesColour } from '../plot/palette';
import { planeOf, type Axis, type Plane } from '../plot/plane';
import { line, type Surface } from '../plot/surface';
import { METRICS, type Columns, type SweepJson } from './model_sweep';

const MARGIN = 1.3; // above the highest and below the lowest value

interface Scene {
  json: SweepJson;
  columns: Columns;
  metric: string;
  log: boolean;
  current: number | null;
  hovered: number | null;
  colours: readonly number[]; // of the curves
}

/** The curves of a metric: the estimates, and the bounds dashed. */
export function drawModelSweep(
  surface: Surface,
  { json, columns, metric, log, current, hovered, ...scene }: Scene,
): Plane {
  const { palette } = surface;
  const colours = scene.colours.map(number => seriesColour(palette, number));
  const { key, values: xs } = json.axis;
  const { name, unit, hasEstimate, better } = METRICS[metric]!;
  const kinds = hasEstimate ? ['typical_', ''] : [''];
  const all = json.curves
    .flatMap((_, i) => kinds.flatMap(kind => [...columns[`${kind}${metric}${i}`]!]))
    .filter(value => value > 0 && Number.isFinite(value));
  const [low, high] = all.length ? [Math.min(...all), Math.max(...all)] : [1, 10];
  const x: Axis = { low: xs[0]!, high: xs[xs.length - 1]!, log, title: key };
  const plane = planeOf(
    x,
    {
      low: low / MARGIN,
      high: high * MARGIN,
      log: true,
      title: unit === 's' ? name : name.toLowerCase().startsWith(unit) ? name : `${name} (${unit})`,
      ...(unit === 's' && { label: timeTick }),
    },
    plotBox(surface),
  );
  const { box } = plane;
  drawAxes(surface, plane);
  surface.clip(box, () => {
    for (const at of [current, hovered === null ? null : xs[hovered]!]) if (at !== null) drawGuide(surface, plane, at);
    json.curves.forEach(({ error_p90 }, i) => {
      const fits = columns[`fits${i}`]!;
      const stroke = colours[i]!;
      for (const kind of kinds) {
        const values = columns[`${kind}${metric}${i}`]!;
        const paint = hasEstimate && !kind ? { stroke, dash: [5, 4] } : { stroke, width: 2 };
        drawCurve(surface, plane, xs, at => (fits[at] ? values[at]! : NaN), paint);
        // Estimates that do not fit in memory are dotted and pale; their bounds are left out.
        if (kind === kinds[0])
          drawCurve(surface, plane, xs, at => (fits[at] && fits[at + 1] !== 0 ? NaN : values[at]!), {
            ...paint,
            dash: DOTTED,
            opacity: 0.5,
          });
        // 90% of published runs are in this range.
        if (kind && error_p90 !== null)
          for (const factor of [1 - error_p90, 1 + error_p90])
            drawCurve(surface, plane, xs, at => (fits[at] ? values[at]! / factor : NaN), {
              stroke,
              width: 1,
              opacity: 0.35,
            });
      }
    });
    let lowest = -Infinity;
    json.curves.forEach(({ crossings, fit, fits_to }, i) => {
      const colour = colours[i]!;
      const place = (at: number, kind = '') =>
        [
          plane.x.pixel(at),
          plane.y.pixel(
            columns[`${kind}${metric}${i}`]![
              Math.max(
                0,
                xs.findIndex(value => value >= at),
              )
            ]!,
          ),
        ] as const;
      for (const { at, to } of crossings) {
        const [px, py] = place(at);
        drawKnot(surface, px, py, colour);
        drawLabel(
          surface,
          plane,
          json.curves.length > 1 ? count(at) : `${to} from ${count(at)}`,
          px + 7,
          py - 8,
          colour,
        );
      }
      if (fits_to !== null && fits_to > 0) {
        const [px, py] = place(fits_to, kinds[0]);
        line(surface, px, py - 7, px, py + 7, { stroke: colour, width: 2 });
        lowest = Math.max(lowest + 14, py + 18); // no two labels at one height
        drawLabel(surface, plane, fit, px + 6, lowest, colour);
      }
    });
    if (better && json.curves.length > 1) {
      const fitting = (curve: number, i: number) =>
        columns[`fits${curve}`]![i] === 0 ? NaN : columns[`${kinds[0]!}${metric}${curve}`]![i]!;
      drawLeads(
        surface,
        plane,
        leadsOf(xs, json.curves.length, fitting, better === 'least'),
        xs[xs.length - 1]!,
        colours,
      );
    }
    const named = json.curves
      .map(({ label }, i): LegendEntry => ({ text: label, colour: colours[i]!, sample: 'line' }))
      .filter(({ text }) => text);
    const entries: LegendEntry[] = hasEstimate
      ? [...named, { text: 'bound', colour: palette.muted, sample: 'dashed' }]
      : named;
    if (hasEstimate && json.curves.some(({ error_p90 }) => error_p90 !== null))
      entries.push({ text: 'thin: range of 90% of published runs', colour: palette.muted, sample: 'thin' });
    if (json.curves.some((_, i) => columns[`fits${i}`]!.includes(0)))
      entries.push({ text: 'does not fit', colour: palette.muted, sample: 'dotted' });
    const points = kinds.flatMap(kind =>
      json.curves.flatMap((_, i) =>
        xs.map((at, j) => [plane.x.pixel(at), plane.y.pixel(columns[`${kind}${metric}${i}`]![j]!)] as const),
      ),
    );
    drawCornerLegend(surface, plane, entries, points);
  });
  return plane;
}
