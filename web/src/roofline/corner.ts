// Places the legend in the corner where it covers the fewest points and names.
import { overlaps, type Box } from '../plot/surface';
import type { Drawn } from './draw';

const CORNERS = ['top-left', 'bottom-right', 'top-right', 'bottom-left'] as const;
export type Corner = (typeof CORNERS)[number];

const INSET = 8; // px from the plot's edges, as .legend in style.css
const LEFT = 92; // px from the chart's left edge
const ROOF_STEPS = 24;

/** The box that a legend of this size covers in a corner of the plot. */
export function cornerBox(plot: Box, corner: Corner, width: number, height: number): Box {
  const left = corner.endsWith('left') ? LEFT : plot.right - INSET - width;
  const top = corner.startsWith('top') ? plot.top + INSET : plot.bottom - INSET - height;
  return { left, top, right: left + width, bottom: top + height };
}

/** The corner where a legend of that size covers least: points, then names, then roofs; the current one if no other is better. */
export function freeCorner(
  { plane: { box }, marks, roofs, labels }: Drawn,
  width: number,
  height: number,
  now: Corner,
): Corner {
  const points = marks.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  const onRoofs = roofs.flatMap(({ x0, y0, x1, y1 }) =>
    Array.from({ length: ROOF_STEPS + 1 }, (_, i) => {
      const [x, y] = [x0 + ((x1 - x0) * i) / ROOF_STEPS, y0 + ((y1 - y0) * i) / ROOF_STEPS];
      return { left: x, right: x + 1, top: y - 14, bottom: y + 4 }; // with its name
    }),
  );
  const covered = (corner: Corner) => {
    const own = cornerBox(box, corner, width, height);
    const of = (boxes: readonly Box[]) => boxes.filter(other => overlaps(own, other)).length;
    return 10 * of(points) + 3 * of(labels) + of(onRoofs);
  };
  return [now, ...CORNERS].reduce((best, corner) => (covered(corner) < covered(best) ? corner : best));
}
