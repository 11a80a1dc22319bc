// The names in the roofline: of roofs and ridges, of a program's rows, of what was measured, and of the points that matter most.
import { number, rate, si, unitsIn } from '../../format';
import { drawTarget } from '../legend';
import type { Plane } from '../plane';
import { circle, fitted, overlaps, type Box, type Surface, type TextStyle } from '../surface';
import type { Scene } from './draw';
import type { Marker } from './points';
import type { Ridge, RoofLine } from './roofs';

const NAME: TextStyle = { weight: 500, halo: true };

/** What was measured, with its name; names that would lie on one another are left to the hover. */
export function drawMeasured(surface: Surface, { measured = [], units }: Scene, { box, x, y }: Plane, taken: Box[]) {
  const targets = measured.map(({ intensity, achieved_flops }) => ({
    x: x.pixel(intensity!),
    y: y.pixel(achieved_flops),
  }));
  targets.forEach((target, i) => {
    const { name } = measured[i]!;
    const width = surface.textWidth(name, NAME);
    const places = [
      [target.x + 10, target.y],
      [target.x - 10 - width, target.y],
      [target.x - width / 2, target.y + 17],
      [target.x - width / 2, target.y - 16],
    ] as const;
    for (const [left, middle] of places) {
      const place = { left, right: left + width, top: middle - 7, bottom: middle + 7 };
      if (place.left < box.left || place.right > box.right || taken.some(other => overlaps(place, other))) continue;
      taken.push(place);
      surface.text(name, left, middle, { ...NAME, baseline: 'middle' });
      break;
    }
  });
  targets.forEach((target, i) =>
    drawTarget(
      surface,
      target.x,
      target.y,
      `${measured[i]!.name}, measured: ${rate(measured[i]!.achieved_flops, units)}`,
    ),
  );
  return targets;
}

/** The name of each of a program's rows beside its point, where there is room; the places that are taken. */
export function drawSeries(surface: Surface, { series, frame }: Scene, markers: Marker[]): Box[] {
  if (!series) return [];
  const taken: Box[] = markers.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  // Totals first, the steps where there is still room.
  const rank = (name: string) => (name === 'Total' ? 0 : /\d/.test(name) ? 3 : name === 'Average' ? 1 : 2);
  const named = markers
    .map(marker => ({ marker, name: series[frame.step[marker.at]!] ?? '' }))
    .sort((a, b) => rank(a.name) - rank(b.name));
  const radius = 13; // clear of the largest, which may lie on the same place
  for (const {
    marker: { x, y },
    name,
  } of named) {
    const width = surface.textWidth(name, NAME);
    const [right, left, middle] = [x + radius + 5, x - radius - 5 - width, x - width / 2];
    const places = [
      [right, y + 4],
      [left, y + 4],
      [middle, y - radius - 5],
      [middle, y + radius + 13],
      [right, y - 9],
      [right, y + 17],
      [left, y - 9],
      [left, y + 17],
    ] as const;
    for (const [start, base] of places) {
      const place = { left: start - 2, right: start + width + 2, top: base - 10, bottom: base + 2 };
      if (taken.some(other => overlaps(place, other))) continue;
      taken.push(place);
      surface.text(name, start, base, NAME);
      break;
    }
  }
  return taken;
}

/** The names of roofs and ridges. */
export function drawRoofLabels(
  surface: Surface,
  { units, frame }: Scene,
  plane: Plane,
  { lines, ridges }: { lines: RoofLine[]; ridges: Ridge[] },
  taken: Box[],
  markers: Marker[],
) {
  const { box, x, y } = plane;
  const { palette } = surface;
  /** At the first of the places (right end, baseline) that is free. */
  const place = (text: string, colour: string, ...places: [right: number, baseline: number][]) => {
    const width = surface.textWidth(text, NAME);
    for (const [right, baseline] of places) {
      const at = { left: right - width - 3, right: right + 3, top: baseline - 10, bottom: baseline + 2 };
      if (
        at.left < box.left ||
        at.right > box.right ||
        at.top < box.top ||
        at.bottom > box.bottom ||
        taken.some(other => overlaps(at, other))
      )
        continue;
      taken.push(at);
      surface.text(text, right - width, baseline, { ...NAME, colour });
      return;
    }
  };
  const colourOf = (whatif: boolean) => (whatif ? palette.whatif : palette.ink);
  for (const { roof, y1 } of [...lines].sort((one, other) => other.roof.rate - one.roof.rate)) {
    if (roof.kind !== 'compute' || roof.achievable) continue;
    const [right, at] = [box.right - 6, y.at(y1)];
    place(
      `${roof.name} ${rate(roof.rate, unitsIn(units, roof.name))}`,
      colourOf(roof.whatif),
      [right, at - 5],
      [right - 150, at - 5],
      [right, at + 13],
      [right - 150, at + 13],
    );
  }
  for (const { x: decade, y: height, memory, peak } of ridges) {
    if (frame.json.roofs.length > 6 && !peak.in_play) continue;
    const [px, py] = [x.at(decade), y.at(height)];
    if (px < box.left || px > box.right || py < box.top || py > box.bottom) continue;
    circle(surface, px, py, 3, {
      fill: palette.surface,
      stroke: memory.whatif ? palette.whatif : palette.roof,
      width: 1.5,
    });
    const text = `ridge ${number(10 ** decade * units.scale)}`;
    place(text, colourOf(memory.whatif), [px - 8, py - 6], [px + 10 + surface.textWidth(text, NAME), py + 15]); // above the roof no points are in the way
  }
  for (const roofLine of lines)
    if (roofLine.roof.kind !== 'compute' && !roofLine.roof.achievable)
      drawSlopeLabel(surface, plane, roofLine, colourOf(roofLine.roof.whatif), markers);
}

const SLOPE_PLACES = [0.7, 0.55, 0.42, 0.85, 0.3]; // along what is visible of it

/** Along a memory's roof, right of the legend, where no points lie. */
function drawSlopeLabel(
  surface: Surface,
  { x, y }: Plane,
  { roof, x0, y0, x1 }: RoofLine,
  colour: string,
  markers: Marker[],
) {
  const low = Math.max(x0, x0 + (Math.log10(y.axis.low) - y0));
  const high = Math.min(x1, x0 + (Math.log10(y.axis.high) - y0));
  const [ax, bx] = [x.at(low), x.at(high)];
  const [ay, by] = [y.at(y0 + low - x0), y.at(y0 + high - x0)];
  const text = `${roof.name} ${si(roof.rate, 'B/s')}`;
  const length = Math.hypot(bx - ax, by - ay),
    half = surface.textWidth(text, NAME) / 2;
  if (length < 2 * half + 24) return;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  /** Whether a point would lie on the text, its middle that far along. */
  const hidden = (at: number) =>
    markers.some(marker => {
      const along = (marker.x - ax) * dx + (marker.y - ay) * dy - at * length,
        above = (marker.x - ax) * dy - (marker.y - ay) * dx;
      return Math.abs(along) < half + marker.radius && above > -marker.radius && above < 18 + marker.radius;
    });
  const places = roof.whatif ? [0.85, ...SLOPE_PLACES] : SLOPE_PLACES;
  const at = places.find(place => place * length > half && (1 - place) * length > half && !hidden(place)) ?? places[0]!; // among many points it stays
  const [px, py] = [ax + (bx - ax) * at + 6 * dy, ay + (by - ay) * at - 6 * dx]; // above the line
  surface.text(text, px, py, { ...NAME, colour, align: 'center', turn: Math.atan2(dy, dx) });
}

const LONGEST_PX = 180;

/** The names of those operations beside their points, where there is room. */
export function drawNames(surface: Surface, { labelled }: Scene, { box }: Plane, markers: Marker[], taken: Box[]) {
  if (!labelled) return;
  const style: TextStyle = { ...NAME, baseline: 'middle' };
  for (const marker of markers) {
    const name = labelled.get(marker.op);
    if (name === undefined) continue;
    const text = fitted(surface, name, LONGEST_PX, NAME);
    const width = surface.textWidth(text, NAME);
    const { x, y, radius } = marker;
    const reach = radius + 6;
    const places = [
      [x + reach, y],
      [x - reach - width, y],
      [x - width / 2, y + reach + 6],
      [x - width / 2, y - reach - 6],
      [x + reach, y + 12],
      [x + reach, y - 12],
    ] as const;
    for (const [left, middle] of places) {
      const place = { left, right: left + width, top: middle - 7, bottom: middle + 7 };
      if (place.left < box.left || place.right > box.right || taken.some(other => overlaps(place, other))) continue;
      taken.push(place);
      surface.text(text, left, middle, style);
      break;
    }
  }
}
