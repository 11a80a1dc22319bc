// The lane left of the chart: operations without FLOPs, which have a bandwidth and no intensity.
import { si } from '../format';
import { ticksOf, type Plane, type Scale, type Tick } from '../plot/plane';
import { Room } from '../plot/room';
import { crisp, line, type Surface } from '../plot/surface';
import type { Marker } from './points';
import type { RoofLine } from './roofs';

/**
 * Lane points stand where their bandwidth would be at the left edge: y = bandwidth * intensity there, so each memory's roof
 * meets the lane at that memory's full bandwidth.
 */
export const laneDecade = (bandwidth: number, x: Scale) => Math.log10(bandwidth * x.axis.low);

const LABEL_PX = 9;
const HALF_PX = 4; // half the height of a label
const OFF_PX = 5; // from a tick's line to the middle of its label
const APART_PX = 16; // between two labels
const BEYOND = 10; // the scale ends a decade above the fastest memory, so that it has a label
const TITLE_PX = 10;

/** The lane's title and its grid in B/s; returns the ticks. `fastest`: bandwidth of the fastest memory, B/s. */
export function drawLane(surface: Surface, { box, x, y }: Plane, width: number, fastest: number): Tick[] {
  const { palette } = surface;
  const title = { colour: palette.muted, size: TITLE_PX };
  surface.text('No FLOPs: bytes/s', box.left - width, box.bottom + 31, title);
  const bandwidths: Scale = {
    ...y,
    axis: {
      low: y.axis.low / x.axis.low,
      high: y.axis.high / x.axis.low,
      log: true,
      title: 'B/s',
      label: bandwidth => si(bandwidth, 'B/s'),
    },
    at: decade => y.at(decade + Math.log10(x.axis.low)),
    pixel: bandwidth => y.at(laneDecade(bandwidth, x)),
  };
  const highest = Math.max(box.top + LABEL_PX + 4, y.at(laneDecade(BEYOND * fastest, x)));
  let below = Infinity;
  const ticks = ticksOf(bandwidths).filter(({ pixel, label }) => {
    if (!label || pixel < highest || below - pixel < APART_PX) return false;
    below = pixel;
    return true;
  });
  for (const { pixel } of ticks)
    line(surface, box.left - width, crisp(pixel), box.left, crisp(pixel), { stroke: palette.gridMinor });
  return ticks;
}

/** Labels each tick above or below its line, where the label covers no point. Labels are drawn over the roofs, to stay readable. */
export function labelLane(
  surface: Surface,
  { box, x, y }: Plane,
  width: number,
  ticks: readonly Tick[],
  markers: readonly Marker[],
  roofs: readonly RoofLine[],
) {
  const style = {
    colour: surface.palette.muted,
    size: LABEL_PX,
    align: 'center',
    baseline: 'middle',
    halo: true,
  } as const;
  const middle = box.left - width / 2;
  const inLane = markers.filter(({ x, radius }) => x - radius < box.left);
  const memories = roofs.filter(({ roof }) => roof.kind === 'memory').map(({ roof }) => y.at(laneDecade(roof.rate, x)));
  const flat = memories.map(at => ({ x0: box.left - width, y0: at, x1: box.left, y1: at }));
  const room = new Room({ ...box, left: box.left - width, right: box.left }, inLane, flat);
  for (const { pixel, label } of ticks) {
    const half = Math.min(width, surface.textWidth(label, style)) / 2;
    const [left, right] = [middle - half, middle + half];
    const at = room.take(
      [pixel - OFF_PX, pixel + OFF_PX + 1].map(height => {
        return { x: middle, y: height, covers: [{ left, right, top: height - HALF_PX, bottom: height + HALF_PX }] };
      }),
      true,
    );
    if (at) surface.text(label, middle, at.y, style);
  }
}
