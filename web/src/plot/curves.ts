// Curves, marks on them, and their labels.
import type { Plane } from './plane';
import { circle, line, type Paint, type Surface, type TextStyle } from './surface';

/** A curve through the points that have a positive value, with gaps where they have none. */
export function drawCurve(
  surface: Surface,
  { x, y }: Plane,
  xs: readonly number[],
  value: (i: number) => number,
  paint: Paint,
) {
  surface.path(path => {
    let drawing = false;
    xs.forEach((at, i) => {
      const height = value(i);
      if (!(height > 0)) drawing = false;
      else if (drawing) path.lineTo(x.pixel(at), y.pixel(height));
      else {
        path.moveTo(x.pixel(at), y.pixel(height));
        drawing = true;
      }
    });
  }, paint);
}

const COINCIDE_PX = 1.5;
const WHOLE_LINE = [14, 0]; // a solid line as dashes

/** Curves of one kind. Where one covers others that are drawn already, it is dashed, so that all of them are seen. */
export function drawTogether(
  surface: Surface,
  plane: Plane,
  xs: readonly number[],
  curves: readonly { value: (i: number) => number; paint: Paint }[],
) {
  const heights = curves.map(({ value }) => xs.map((_, i) => plane.y.pixel(value(i))));
  curves.forEach(({ value, paint }, c) => {
    const covered = (i: number) =>
      heights.slice(0, c).filter(other => Math.abs(other[i]! - heights[c]![i]!) < COINCIDE_PX).length;
    const [on, off] = (paint.dash ?? WHOLE_LINE) as [number, number];
    let from = 0;
    while (from < xs.length - 1) {
      const under = Math.min(covered(from), covered(from + 1));
      let to = from + 1;
      while (to < xs.length - 1 && Math.min(covered(to), covered(to + 1)) === under) ++to;
      const first = from;
      drawCurve(surface, plane, xs.slice(first, to + 1), i => value(first + i), {
        ...paint,
        ...(under > 0 && { dash: [on, off + under * (on + off)] }),
      });
      from = to;
    }
  });
}

/** A dashed line from bottom to top. */
export function drawGuide(surface: Surface, { box, x }: Plane, value: number) {
  const at = x.pixel(value);
  line(surface, at, box.top, at, box.bottom, { stroke: surface.palette.muted, dash: [2, 3] });
}

/** A small circle on a curve. */
export const drawKnot = (surface: Surface, x: number, y: number, colour: string, radius = 4) =>
  circle(surface, x, y, radius, { fill: surface.palette.surface, stroke: colour, width: 2 });

/** Text that stays readable over lines, kept inside the plane. */
export function drawLabel(surface: Surface, { box }: Plane, text: string, x: number, y: number, colour: string) {
  const style: TextStyle = { colour, weight: 500, halo: true };
  const width = surface.textWidth(text, style);
  surface.text(text, Math.max(box.left + 4, Math.min(box.right - width - 4, x)), y, style);
}
