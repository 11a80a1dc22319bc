// Places labels on a plot: never on each other, and where they cover the fewest points and lines.
import { overlaps, type Box } from './surface';

export interface Segment {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A possible place of a label and the boxes it covers. */
export interface Place {
  x: number;
  y: number; // its middle
  covers: Box[];
}

/** `crossed`: a line or an arrow crosses it. */
export type Taken<P extends Place = Place> = P & { crossed: boolean };

interface Point {
  x: number;
  y: number;
  radius: number;
}

const MOST_POINTS = 500; // labels avoid only the first ones: avoiding more would leave no place free
const SMALL_PX = 6; // a point of this radius hides one letter, a larger one more
const HALF_HEIGHT = 6; // of a line of text
const LINE_WEIGHT = 3; // small points: a line crosses the whole label

export class Room {
  readonly taken: Box[] = []; // by labels
  private readonly blocked: Box[] = [];
  private readonly points: readonly Point[];

  constructor(
    private readonly plot: Box,
    points: readonly Point[], // the most important first
    private readonly lines: readonly Segment[],
    private readonly arrows: readonly Segment[] = [], // an arrow counts as much as a point
  ) {
    this.points = points.slice(0, MOST_POINTS);
  }

  /** Keeps labels out of a box. */
  block(box: Box) {
    this.blocked.push(box);
  }

  /**
   * Takes the place that covers least, the first of equals; null: every place overlaps a label
   * or a blocked box, or leaves the plot. `clear`: a place that covers a point or an arrow is not taken either.
   * `gap`: px kept free to labels, blocked boxes and the plot's edges; then no place that crosses a line is taken.
   */
  take<P extends Place>(places: readonly P[], clear = false, gap = 0): Taken<P> | null {
    let best: Taken<P> | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const place of places) {
      if (!place.covers.every(box => this.isFree(grown(box, gap)))) continue;
      const points = this.points
        .filter(point => place.covers.some(box => covers(box, point)))
        .reduce((sum, { radius }) => sum + Math.max(1, radius / SMALL_PX), 0);
      const crossing = (lines: readonly Segment[]) =>
        lines.filter(line => place.covers.some(box => crosses(line, box))).length;
      const [lines, arrows] = [crossing(this.lines), crossing(this.arrows)];
      if (clear && points + arrows > 0) continue;
      if (gap > 0 && lines > 0) continue;
      const cost = points + arrows + LINE_WEIGHT * lines;
      if (cost < least) [best, least] = [{ ...place, crossed: lines + arrows > 0 }, cost];
      if (cost === 0) break;
    }
    if (best) this.taken.push(...best.covers);
    return best;
  }

  private isFree(box: Box) {
    const { left, right, top, bottom } = this.plot;
    if (box.left < left || box.right > right || box.top < top || box.bottom > bottom) return false;
    return ![...this.taken, ...this.blocked].some(other => overlaps(box, other));
  }
}

const grown = ({ left, right, top, bottom }: Box, by: number): Box => ({
  left: left - by,
  right: right + by,
  top: top - by,
  bottom: bottom + by,
});

const covers = ({ left, right, top, bottom }: Box, { x, y, radius }: Point) =>
  x + radius > left && x - radius < right && y + radius > top && y - radius < bottom;

/** A name of that width whose text begins at `x`. */
export const upright = (x: number, y: number, width: number): Place => ({
  x,
  y,
  covers: [{ left: x - 2, right: x + width + 2, top: y - HALF_HEIGHT, bottom: y + HALF_HEIGHT }],
});

/** A name of that width in the direction (dx, dy), its middle at (x, y). */
export function turned(x: number, y: number, width: number, dx: number, dy: number): Place {
  const boxes = Math.ceil(width / (2 * HALF_HEIGHT));
  return {
    x,
    y,
    covers: Array.from({ length: boxes }, (_, i) => {
      const along = ((i + 0.5) / boxes - 0.5) * width;
      const [px, py] = [x + along * dx, y + along * dy];
      return { left: px - HALF_HEIGHT, right: px + HALF_HEIGHT, top: py - HALF_HEIGHT, bottom: py + HALF_HEIGHT };
    }),
  };
}

/** Whether any of a line lies in a box. */
function crosses({ x0, y0, x1, y1 }: Segment, { left, right, top, bottom }: Box) {
  let [from, to] = [0, 1]; // the part of the line inside the box
  for (const [start, way, low, high] of [
    [x0, x1 - x0, left, right],
    [y0, y1 - y0, top, bottom],
  ] as const) {
    if (way === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const [a, b] = [(low - start) / way, (high - start) / way];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return from <= to;
}
