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
