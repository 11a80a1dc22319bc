// The lane left of the chart: operations without FLOPs, which have a bandwidth and no intensity.
import { tick } from '../format';
import { ticksOf, type Plane, type Scale } from '../plot/plane';
import { crisp, line, type Surface } from '../plot/surface';

/**
 * Lane points stand where their bandwidth would be at the left edge: y = bandwidth * intensity there, so each memory's roof
 * meets the lane at that memory's full bandwidth.
 */
export const laneDecade = (bandwidth: number, x: Scale) => Math.log10(bandwidth * x.axis.low);

const LABEL_PX = 9;
const APART_PX = 16; // between two labels
const BEYOND = 10; // the scale ends a decade above the fastest memory, so that it has a label

/** The lane's scale in B/s; `fastest`: bandwidth of the fastest memory, B/s. */
export function drawLaneScale(surface: Surface, { box, x, y }: Plane, width: number, fastest: number) {
  const { palette } = surface;
  const small = { colour: palette.muted, size: LABEL_PX, align: 'center' } as const;
  const middle = box.left - width / 2;
  surface.text('B/s', middle, box.top + 4, { ...small, baseline: 'top' });
  const bandwidths: Scale = {
    ...y,
    axis: {
      low: y.axis.low / x.axis.low,
      high: y.axis.high / x.axis.low,
      log: true,
      title: 'B/s',
      label: tick,
    },
    at: decade => y.at(decade + Math.log10(x.axis.low)),
    pixel: bandwidth => y.at(laneDecade(bandwidth, x)),
  };
  const highest = Math.max(box.top + 2 * LABEL_PX + 6, y.at(laneDecade(BEYOND * fastest, x)));
  let below = Infinity;
  for (const { pixel, label } of ticksOf(bandwidths)) {
    if (!label || pixel < highest || below - pixel < APART_PX) continue;
    below = pixel;
    line(surface, box.left - width, crisp(pixel), box.left, crisp(pixel), { stroke: palette.gridMinor });
    surface.text(label, middle, pixel - 2, small);
  }
}
