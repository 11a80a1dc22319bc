// Position and size of the points on the screen, and the number of points outside the view.
import { MARKER_ALL, MARKER_LEAST, MARKER_MOST, POINT_FLAGS, STATUSES, SYMBOLS } from '../protocol';
import type { StatusName, SymbolName } from '../protocol';
import type { Frame } from '../core/engine';
import type { Plane } from '../plot/plane';
import type { Colours } from './colouring';
import { laneDecade } from './lane';

export interface Marker {
  at: number; // index into the frame's point columns
  op: number;
  x: number;
  y: number;
  radius: number;
  symbol: SymbolName;
  status: StatusName;
  colour: string;
  hollow: boolean;
  aboveRoof: boolean;
}

export interface Outside {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const radiusOf = (share: number) => Math.min(MARKER_MOST, Math.max(MARKER_LEAST, MARKER_ALL * Math.sqrt(share || 0)));

const inLane = ({ flags }: Frame, at: number) => (flags[at]! & POINT_FLAGS.lane) !== 0;

/** Whether a point has a place on the chart: a rate, and an intensity or the lane. */
export const hasPlace = (frame: Frame, at: number) =>
  frame.attained[at]! > 0 && (inLane(frame, at) || frame.intensity[at]! > 0);

/** The points in view, longest time first, and the number outside each edge. */
export function placePoints(
  frame: Frame,
  plane: Plane,
  laneX: number,
  colours: Colours,
  radius?: (at: number) => number,
): { markers: Marker[]; outside: Outside } {
  const { points, intensity, attained, share, status, symbol, flags } = frame;
  const { box: plot } = plane;
  const markers: Marker[] = [];
  const outside: Outside = { left: 0, right: 0, top: 0, bottom: 0 };
  for (let at = 0; at < points.length; ++at) {
    if (!hasPlace(frame, at)) continue;
    const value = attained[at]!;
    const lane = inLane(frame, at);
    const x = lane ? laneX : plane.x.pixel(intensity[at]!);
    const y = plane.y.at(lane ? laneDecade(value, plane.x) : Math.log10(value));
    if (!lane && x < plot.left) ++outside.left;
    else if (!lane && x > plot.right) ++outside.right;
    else if (y < plot.top) ++outside.top;
    else if (y > plot.bottom) ++outside.bottom;
    else {
      markers.push({
        at,
        op: points[at]!,
        x,
        y,
        radius: radius?.(at) ?? radiusOf(share[at]!),
        symbol: SYMBOLS[symbol[at]!]!,
        hollow: (flags[at]! & POINT_FLAGS.predicted) !== 0,
        status: STATUSES[status[at]!]!,
        colour: colours.of(points[at]!, at),
        aboveRoof: (flags[at]! & POINT_FLAGS.above_roof) !== 0,
      });
    }
  }
  return { markers, outside };
}

/** The marker under the cursor: the smallest that covers it, else the nearest within a few pixels. */
export function hit(markers: Marker[], x: number, y: number, reach = 6): Marker | null {
  let best: Marker | null = null;
  let least = Infinity;
  for (const marker of markers) {
    const distance = Math.hypot(marker.x - x, marker.y - y) - marker.radius;
    if (distance > reach) continue;
    const rank = distance <= 0 ? marker.radius : 1000 + distance;
    if (rank < least) [best, least] = [marker, rank];
  }
  return best;
}
