// Labels in the roofline: roofs and ridges, rows of a program, measured runs, and the most important points.
import { number, rate, si, unitsFor } from '../format';
import { drawTarget, TARGET_RADIUS } from '../plot/legend';
import { roofColour } from '../plot/palette';
import type { Plane } from '../plot/plane';
import { turned, upright, type Room, type Taken } from '../plot/room';
import { circle, fitted, line, type Surface, type TextStyle } from '../plot/surface';
import type { Scene } from './draw';
import type { Marker } from './points';
import type { Ridge, RoofLine } from './roofs';

const NAME: TextStyle = { weight: 500, halo: true, baseline: 'middle' };

const PLATE_PX = 13; // taller than a letter

/** Draws a name at its place, on a background if a line crosses it. */
function drawName(surface: Surface, text: string, { x, y, covers, crossed }: Taken, style: TextStyle = {}) {
  if (crossed) {
    const [from, to] = [covers[0]!, covers.at(-1)!];
    const paint = { stroke: surface.palette.surface, width: PLATE_PX, opacity: 0.85 };
    line(surface, from.left, (from.top + from.bottom) / 2, to.right, (to.top + to.bottom) / 2, paint);
  }
  surface.text(text, x, y, { ...NAME, ...style });
}

/** Each name beside its point, where it covers no point, arrow or other name; the others are left out. */
function drawBeside(surface: Surface, room: Room, names: { x: number; y: number; reach: number; text: string }[]) {
  for (const { x, y, reach, text } of names) {
    const width = surface.textWidth(text, NAME);
    const [right, left, middle] = [x + reach, x - reach - width, x - width / 2];
    const at = room.take(
      [
        [right, y],
        [left, y],
        [middle, y + reach + 6],
        [middle, y - reach - 6],
        [right, y + 12],
        [right, y - 12],
        [left, y + 12],
        [left, y - 12],
      ].map(([start, height]) => upright(start!, height!, width)),
      true,
    );
    if (at) drawName(surface, text, at);
  }
}

/** Where the measured runs are. */
export const placeMeasured = ({ measured = [] }: Scene, { x, y }: Plane) =>
  measured.map(({ intensity, achieved_flops }) => ({
    x: x.pixel(intensity!),
    y: y.pixel(achieved_flops),
    radius: TARGET_RADIUS,
  }));

/** The measured runs with their names; a name that would overlap is shown on hover only. */
export function drawMeasured(
  surface: Surface,
  { measured = [], units }: Scene,
  targets: ReturnType<typeof placeMeasured>,
  room: Room,
) {
  drawBeside(
    surface,
    room,
    targets.map((target, i) => ({ ...target, reach: target.radius + 4, text: measured[i]!.name })),
  );
  targets.forEach((target, i) =>
    drawTarget(
      surface,
      target.x,
      target.y,
      `${measured[i]!.name}, measured: ${rate(measured[i]!.achieved_flops, units)}`,
    ),
  );
}

const LARGEST_REACH = 22; // beyond the radius of the largest point

/** The name of each of a program's rows beside its point: totals first, the steps where there is still room. */
export function drawSeries(surface: Surface, { series, frame }: Scene, markers: Marker[], room: Room) {
  if (!series) return;
  const rank = (name: string) => (name === 'Total' ? 0 : /\d/.test(name) ? 3 : name === 'Average' ? 1 : 2);
  const names = markers
    .map(({ at, x, y }) => ({ x, y, reach: LARGEST_REACH, text: series[frame.step[at]!] ?? '' }))
    .sort((a, b) => rank(a.text) - rank(b.text));
  drawBeside(surface, room, names);
}

const RIDGE_GAP_PX = 3; // between a ridge's name and the frame or another name
const STEP_PX = 30; // from one place along a peak to the next

/** The names of roofs and ridges. */
export function drawRoofLabels(
  surface: Surface,
  { units, frame }: Scene,
  plane: Plane,
  { lines, ridges }: { lines: RoofLine[]; ridges: Ridge[] },
  room: Room,
) {
  const { box, x, y } = plane;
  const { palette } = surface;
  const place = (
    text: string,
    colour: string,
    places: (width: number) => [left: number, middle: number][],
    clear = false,
    gap = 0,
  ) => {
    const width = surface.textWidth(text, NAME);
    const at = room.take(
      places(width).map(([left, middle]) => upright(left, middle, width)),
      clear,
      gap,
    );
    if (at) drawName(surface, text, at, { colour });
  };
  /** Left edges of a name's places along a peak, the rightmost first. */
  const placesAlong = (start: number, width: number) => {
    const right = box.right - 6 - width;
    const steps = Math.max(0, Math.floor((right - start) / STEP_PX));
    return Array.from({ length: steps + 1 }, (_, i) => right - i * STEP_PX);
  };
  const colourOf = (whatif: boolean) => (whatif ? palette.whatif : palette.ink);
  for (const { roof, x0, y1 } of [...lines].sort((one, other) => other.roof.rate - one.roof.rate)) {
    if (roof.kind !== 'compute' || roof.achievable) continue;
    const at = y.at(y1);
    place(`${roof.name} ${rate(roof.rate, unitsFor(units, roof.integer))}`, roofColour(palette, roof), width => {
      const along = placesAlong(x.at(x0), width);
      const beside = (...middles: number[]) =>
        middles.flatMap(middle => along.map(left => [left, middle] as [number, number]));
      return [...beside(at - 9, at + 9), [x.at(x0) - 8 - width, at - 5], ...beside(at - 22, at + 22)];
    });
  }
  // With a what-if, its ridge is named first: of two that are close only one has room.
  const whatifFirst = [...ridges].sort((a, b) => Number(b.memory.whatif) - Number(a.memory.whatif));
  for (const { x: decade, y: height, memory, peak } of whatifFirst) {
    if (frame.json.roofs.length > 6 && !peak.in_play) continue;
    const [px, py] = [x.at(decade), y.at(height)];
    if (px < box.left || px > box.right || py < box.top || py > box.bottom) continue;
    circle(surface, px, py, 3, {
      fill: palette.surface,
      stroke: memory.whatif ? palette.whatif : palette.roof,
      width: 1.5,
    });
    const places = (width: number): [number, number][] => [
      [px - 8 - width, py - 9], // above the roof are no points
      [px + 8, py - 9],
      [px - 8 - width, py - 23],
      [px + 10, py + 11],
      [px + 10, py + 26],
    ];
    // May be left out: the diagnosis has it too.
    place(`ridge ${number(10 ** decade * units.scale)}`, colourOf(memory.whatif), places, true, RIDGE_GAP_PX);
  }
  const achievableLast = [...lines].sort((a, b) => Number(a.roof.achievable) - Number(b.roof.achievable));
  const peaks = lines.filter(({ roof }) => roof.kind === 'compute' && roof.achievable);
  for (const roofLine of achievableLast) {
    const { roof, x0, y1 } = roofLine;
    const colour = roofColour(palette, roof);
    if (roof.kind !== 'compute') drawSlopeLabel(surface, plane, roofLine, colour, room);
    else if (roof.achievable) {
      const text = `typical ${peaks.length > 1 ? `${roof.name} ` : ''}${rate(roof.rate, unitsFor(units, roof.integer))}`;
      place(text, colour, width => placesAlong(x.at(x0), width).map(left => [left, y.at(y1) + 9]), true);
    }
  }
}

const SLOPE_PLACES = [0.7, 0.55, 0.42, 0.85, 0.3, 0.62, 0.48, 0.78, 0.36, 0.2, 0.12]; // fractions of the visible slope
const SLOPE_PX = 11; // from the line to the middle of its name

/** Along a memory's roof: above it, else below; of an achievable one below, where there is room. */
function drawSlopeLabel(surface: Surface, { x, y }: Plane, { roof, x0, y0, x1 }: RoofLine, colour: string, room: Room) {
  const low = Math.max(x0, x0 + (Math.log10(y.axis.low) - y0));
  const high = Math.min(x1, x0 + (Math.log10(y.axis.high) - y0));
  const [ax, bx] = [x.at(low), x.at(high)];
  const [ay, by] = [y.at(y0 + low - x0), y.at(y0 + high - x0)];
  const text = `${roof.achievable ? 'typical' : roof.name} ${si(roof.rate, 'B/s')}`;
  const length = Math.hypot(bx - ax, by - ay),
    width = surface.textWidth(text, NAME);
  if (length < width + 24) return;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const along = (roof.whatif ? [0.85, ...SLOPE_PLACES] : SLOPE_PLACES).filter(
    at => Math.min(at, 1 - at) * length > width / 2,
  );
  const at = room.take(
    (roof.achievable ? [-SLOPE_PX] : [SLOPE_PX, -SLOPE_PX]).flatMap(off =>
      along.map(at => turned(ax + (bx - ax) * at + off * dy, ay + (by - ay) * at - off * dx, width, dx, dy)),
    ),
    roof.achievable,
  );
  if (at) drawName(surface, text, at, { colour, align: 'center', turn: Math.atan2(dy, dx) });
}

const LONGEST_PX = 180;
const WIDEST = 1.25; // a diamond, in radii of the circle of equal area

/** The names of the `labelled` operations, each beside its point; left out if it would cover a point or an arrow. */
export function drawNames(surface: Surface, { labelled }: Scene, markers: Marker[], room: Room) {
  if (!labelled) return;
  const names = markers.flatMap(({ op, x, y, radius }) => {
    const name = labelled[op];
    return name === undefined
      ? []
      : [{ x, y, reach: radius * WIDEST + 6, text: fitted(surface, name, LONGEST_PX, NAME) }];
  });
  drawBeside(surface, room, names);
}
