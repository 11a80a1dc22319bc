// Grid, frame, tick labels and titles: the same for every plane.
import { ticksOf, type Plane, type Tick } from './plane';
import { crisp, line, rect, type Surface } from './surface';

const LEFT = 60;
const TOP = 26;
const RIGHT = 12;
const BOTTOM = 36;

/** The box of a plane that fills the surface, with room for its axes and `right` pixels more beside it. */
export const plotBox = ({ width, height }: Surface, right = 0) => ({
  left: LEFT,
  top: TOP,
  right: width - RIGHT - right,
  bottom: height - BOTTOM,
});

/** Draws grid, frame, ticks and titles. `lane`: width left of the y axis for points without intensity, in pixels. */
export function drawAxes(surface: Surface, { box, x, y }: Plane, lane = 0) {
  const { palette } = surface;
  const frame = { ...box, left: box.left - lane };
  const [xTicks, yTicks] = [ticksOf(x), ticksOf(y)];
  for (const major of [false, true])
    surface.path(
      path => {
        for (const { pixel } of xTicks.filter(tick => tick.major === major)) {
          path.moveTo(crisp(pixel), box.top);
          path.lineTo(crisp(pixel), box.bottom);
        }
        for (const { pixel } of yTicks.filter(tick => tick.major === major)) {
          path.moveTo(box.left, crisp(pixel));
          path.lineTo(box.right, crisp(pixel));
        }
      },
      { stroke: major ? palette.grid : palette.gridMinor },
    );
  rect(
    surface,
    { left: crisp(frame.left), top: crisp(frame.top), right: crisp(frame.right), bottom: crisp(frame.bottom) },
    { stroke: palette.grid },
  );
  if (lane) line(surface, crisp(box.left), box.top, crisp(box.left), box.bottom, { stroke: palette.grid });

  const below = { colour: palette.muted, align: 'center', baseline: 'top' } as const;
  if (lane) surface.text('0', box.left - lane / 2, box.bottom + 5, below);
  for (const { pixel, label } of withRoom(surface, xTicks, lane ? box.left + 6 : 0, surface.width))
    surface.text(label, pixel, box.bottom + 5, below);
  const beside = { colour: palette.muted, align: 'right', baseline: 'middle' } as const;
  for (const { pixel, label } of yTicks) if (label) surface.text(label, frame.left - 6, pixel, beside);
  surface.text(x.axis.title, box.right, box.bottom + 31, { align: 'right' });
  surface.text(y.axis.title, 8, 14);
}

/** The ticks whose labels neither overlap nor reach over an end: powers of ten, and those between where all of them have room. */
function withRoom(surface: Surface, ticks: Tick[], start: number, end: number) {
  const placed = ticks
    .filter(({ label }) => label)
    .map(tick => ({ ...tick, half: surface.textWidth(tick.label) / 2 + 3 }))
    .filter(({ pixel, half }) => pixel - half >= start && pixel + half <= end);
  let right = -Infinity;
  const apart = ({ pixel, half }: (typeof placed)[number]) => {
    if (pixel - half < right) return false;
    right = pixel + half;
    return true;
  };
  if (placed.every(apart)) return placed;
  right = -Infinity;
  return placed.filter(({ major }) => major).filter(apart);
}
