// Draws the roofline: axes, density, roofs, points, arrows and their names. A pure function of its arguments.
import { number, prefixFactor, rate, si, tick, type Units } from '../../format';
import type { Arrows } from '../../state/compare';
import type { Frame } from '../../state/engine';
import type { LogWindow } from '../../state/view';
import { drawAxes } from '../axes';
import { drawTarget } from '../legend';
import { LANE_WIDTH, POINT_FLAGS } from '../../protocol';
import { outline } from '../markers';
import { planeOf, type Axis, type Plane } from '../plane';
import { packed } from '../ramp';
import { circle, line, overlaps, type Box, type Path, type Stamp, type Surface, type TextStyle } from '../surface';
import type { Colours } from './colouring';
import { laneDecade, placePoints, type Marker, type Outside } from './points';
import { isShown, roofLines, type Ridge, type RoofLine } from './roofs';

export interface Scene {
  frame: Frame;
  window: LogWindow;
  units: Units;
  switched: readonly string[]; // roofs shown or hidden against their default
  arrows?: Arrows | null; // from another run to this one
  series?: readonly string[] | null; // of a profile's program level: the steps' names, which the points are labelled by
  measured?: readonly Target[]; // of whole runs, beside the operations
  colours: Colours;
  selected: number | null;
  hovered: number | null;
  names?: ReadonlyMap<number, string>; // of operations, for the titles in SVG
}

/** A point that is no operation, in FLOP/B and FLOP/s. */
export interface Target {
  name: string;
  intensity: number | null;
  achieved_flops: number;
}

export interface Drawn {
  plane: Plane;
  markers: Marker[];
  outside: Outside;
  targets: { x: number; y: number }[];
  roofs: { x0: number; y0: number; x1: number; y1: number }[]; // pixels
}

const BIG = 8; // radius from which a marker is drawn first and on its own, so that small ones lie on top

/** Draws the scene and tells where its points are. */
export function drawScene(surface: Surface, scene: Scene): Drawn {
  const { frame, window } = scene;
  const lane = frame.flags.some(flag => (flag & POINT_FLAGS.lane) !== 0) ? LANE_WIDTH : 0;
  const box: Box = { left: 56 + lane, top: 22, right: surface.width - 12, bottom: surface.height - 36 };
  const plane = planeOf(intensityAxis(scene), rateAxis(scene), box);
  drawAxes(surface, plane, lane);
  const roofs = roofLines(
    frame.json.roofs.filter(roof => isShown(roof, scene.switched)),
    window,
  );
  const radius = scene.series ? seriesRadius(scene.series, frame) : undefined;
  const { markers, outside } = placePoints(frame, plane, box.left - LANE_WIDTH / 2, scene.colours, radius);
  let targets: Drawn['targets'] = [];
  surface.clip({ ...box, left: box.left - lane }, () => {
    drawDensity(surface, scene, plane);
    drawRoofs(surface, plane, roofs.lines, lane);
    drawHierarchy(surface, scene, plane, markers);
    drawWhatIf(surface, scene, plane, markers);
    drawComparison(surface, scene, plane);
    drawMarkers(surface, scene, markers);
    const taken = drawSeries(surface, scene, markers);
    drawRoofLabels(surface, scene, plane, roofs, taken, markers);
    targets = drawMeasured(surface, scene, plane, taken);
  });
  const { x, y } = plane;
  return {
    plane,
    markers,
    outside,
    targets,
    roofs: roofs.lines.map(({ x0, y0, x1, y1 }) => ({ x0: x.at(x0), y0: y.at(y0), x1: x.at(x1), y1: y.at(y1) })),
  };
}

const intensityAxis = ({ window, units }: Scene): Axis => ({
  low: 10 ** window.x0,
  high: 10 ** window.x1,
  log: true,
  title: `Intensity (${units.intensity})`,
  factor: units.scale,
});

function rateAxis({ window, units }: Scene): Axis {
  const unit = prefixFactor(units);
  const label = unit === 1 ? tick : (shown: number) => plainTick(shown / unit);
  return {
    low: 10 ** window.y0,
    high: 10 ** window.y1,
    log: true,
    title: `Performance (${units.prefix}${units.rate})`,
    factor: units.scale,
    label,
  };
}

/** In a fixed unit: 0.001, 20, 5,000. */
const plainTick = (value: number) =>
  value < 1e-4
    ? value.toExponential(0)
    : Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 });

let density: { revision: number; colour: string; canvas: HTMLCanvasElement } | null = null;

/** The operations that are no points, as a picture of one pixel per cell, the more the darker. */
function drawDensity(surface: Surface, { frame }: Scene, { x, y }: Plane) {
  const { density: grid } = frame.json;
  const { density: colour } = surface.palette;
  if (grid.ops === 0 || frame.density.length === 0) return;
  if (density?.revision !== frame.revision || density.colour !== colour) {
    const canvas = density?.canvas ?? document.createElement('canvas');
    [canvas.width, canvas.height] = [grid.width, grid.height];
    density = { revision: frame.revision, colour, canvas };
    paintDensity(canvas.getContext('2d')!, frame, colour);
  }
  surface.image(density.canvas, {
    left: x.at(grid.log_x0),
    right: x.at(grid.log_x1),
    top: y.at(grid.log_y1),
    bottom: y.at(grid.log_y0),
  });
}

function paintDensity(ctx: CanvasRenderingContext2D, { density: cells, json }: Frame, colour: string) {
  const { width, height } = json.density;
  const image = ctx.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  let most = 1;
  for (const cell of cells) if (cell > most) most = cell;
  const full = Math.log1p(most);
  cells.forEach((cell, i) => {
    if (cell > 0)
      pixels[(height - 1 - Math.floor(i / width)) * width + (i % width)] = packed(
        colour,
        (40 + (170 * Math.log1p(cell)) / full) / 255,
      );
  });
  ctx.putImageData(image, 0, 0);
}

function drawRoofs(surface: Surface, { box, x, y }: Plane, lines: RoofLine[], lane: number) {
  const { palette } = surface;
  for (const { roof, x0, y0, x1, y1 } of lines) {
    const dash = roof.achievable ? [5, 4] : roof.kind === 'link' ? [1, 3] : null;
    surface.path(
      path => {
        if (lane && roof.kind === 'memory') {
          path.moveTo(box.left - lane, y.at(laneDecade(roof.rate, x)));
          path.lineTo(x.at(x0), y.at(y0));
        } else path.moveTo(x.at(x0), y.at(y0));
        path.lineTo(x.at(x1), y.at(y1));
      },
      { stroke: roof.whatif ? palette.whatif : palette.roof, width: roof.achievable ? 1 : 1.5, ...(dash && { dash }) },
    );
  }
}

/** An operation's intensities of all memories, joined by a line: the further right of its own, the more of its traffic a nearer memory takes. */
function drawHierarchy(surface: Surface, { frame, selected, hovered }: Scene, { x }: Plane, markers: Marker[]) {
  const { memory_intensity: intensity, points } = frame;
  const memories = intensity.length / points.length;
  if (!(memories > 0)) return;
  for (const marker of markers) {
    const chosen = marker.op === selected || marker.op === hovered;
    const xs = [marker.x];
    for (let memory = 0; memory < memories; ++memory) {
      const value = intensity[memory * points.length + marker.at]!;
      if (value > 0) xs.push(x.pixel(value));
    }
    if (xs.length < 2) continue;
    const colour = chosen ? surface.palette.ink : surface.palette.muted;
    const opacity = chosen ? 1 : 0.4;
    line(surface, Math.min(...xs), marker.y, Math.max(...xs), marker.y, { stroke: colour, opacity });
    surface.path(
      path => {
        for (const at of xs) path.circle(at, marker.y, chosen ? 3 : 2);
      },
      { fill: colour, opacity },
    );
  }
}

const MOST_ARROWS = 200;

/** From today's point to where the what-if puts it. */
function drawWhatIf(surface: Surface, { frame, selected }: Scene, { x, y }: Plane, markers: Marker[]) {
  const { whatif_intensity: intensity, whatif_attained: attained } = frame;
  if (intensity.length === 0) return;
  const { whatif } = surface.palette;
  for (const { at, op, x: x0, y: y0, symbol, radius } of markers.slice(0, MOST_ARROWS)) {
    const [tipX, tipY] = [x.pixel(intensity[at]!), y.pixel(attained[at]!)];
    if (!(Math.hypot(tipX - x0, tipY - y0) > radius)) continue;
    surface.path(path => outline(path, symbol, tipX, tipY, radius), { stroke: whatif, opacity: 0.7 });
    drawArrow(surface, x0, y0, tipX, tipY, whatif, op === selected);
  }
}

/** From where each operation was in the run before to where it is now. */
function drawComparison(surface: Surface, { arrows, selected }: Scene, { x, y }: Plane) {
  arrows?.b.forEach((op, i) =>
    drawArrow(
      surface,
      x.pixel(arrows.intensity_a[i]!),
      y.pixel(arrows.attained_a[i]!),
      x.pixel(arrows.intensity_b[i]!),
      y.pixel(arrows.attained_b[i]!),
      surface.palette.ink,
      op === selected,
    ),
  );
}

function drawArrow(surface: Surface, x0: number, y0: number, x: number, y: number, colour: string, strong: boolean) {
  const length = Math.hypot(x - x0, y - y0);
  if (!(length > 4) || !Number.isFinite(length)) return;
  const [dx, dy] = [(x - x0) / length, (y - y0) / length];
  const opacity = strong ? 1 : 0.55;
  line(surface, x0, y0, x - dx * 4, y - dy * 4, { stroke: colour, width: strong ? 2 : 1, opacity });
  surface.path(
    path => {
      path.moveTo(x, y);
      path.lineTo(x - dx * 6 - dy * 3, y - dy * 6 + dx * 3);
      path.lineTo(x - dx * 6 + dy * 3, y - dy * 6 - dx * 3);
      path.close();
    },
    { fill: colour, opacity },
  );
}

function drawMarkers(surface: Surface, { selected, hovered, series, names }: Scene, markers: Marker[]) {
  const { palette } = surface;
  const titleOf = ({ op, status }: Marker) => names && `${names.get(op) ?? `#${op}`}: ${status}`;
  for (const marker of markers.filter(({ radius }) => radius > BIG).sort((a, b) => b.radius - a.radius))
    paintMarker(surface, marker, titleOf(marker));
  surface.stamps([
    ...markers.filter(({ radius }) => radius <= BIG).map(marker => markerStamp(marker, titleOf(marker))),
    ...markers.filter(({ aboveRoof }) => aboveRoof).map(flagStamp),
  ]);
  for (const marker of markers) {
    if (marker.op !== selected && marker.op !== hovered) continue;
    if (!series) paintMarker(surface, marker); // in front of others
    surface.path(path => outline(path, marker.symbol, marker.x, marker.y, marker.radius + 3), {
      stroke: marker.op === selected ? palette.ink : palette.muted,
      width: 1.5,
    });
  }
}

type MarkerStyle = Pick<Marker, 'symbol' | 'colour' | 'hollow' | 'radius'>;

function paintMarker(
  surface: Surface,
  { symbol, colour, hollow, x, y, radius }: MarkerStyle & { x: number; y: number },
  title?: string,
) {
  const { palette } = surface;
  const trace = (path: Path) => outline(path, symbol, x, y, radius);
  if (hollow) return surface.path(trace, { stroke: colour, width: 1.5, ...(title !== undefined && { title }) });
  surface.path(trace, { fill: colour, opacity: 0.82, ...(title !== undefined && { title }) });
  surface.path(trace, { stroke: palette.surface });
}

function markerStamp({ symbol, colour, hollow, radius, x, y }: Marker, title?: string): Stamp {
  const rounded = Math.round(radius * 2) / 2;
  return {
    key: `${symbol} ${colour} ${hollow} ${rounded}`,
    x,
    y,
    size: Math.ceil(4 * rounded) + 4, // a star reaches beyond its nominal radius
    paint: (surface, atX, atY) => paintMarker(surface, { symbol, colour, hollow, radius: rounded, x: atX, y: atY }),
    ...(title !== undefined && { title }),
  };
}

/** A caret over a point above its roof: the peak, the clock or the byte count is wrong. */
const flagStamp = ({ x, y, radius }: Marker): Stamp => ({
  key: 'flag',
  size: 16,
  x,
  y: y - radius - 7,
  paint: paintFlag,
});

function paintFlag(surface: Surface, x: number, y: number) {
  surface.path(
    path => {
      path.moveTo(x - 4, y + 2);
      path.lineTo(x, y - 2);
      path.lineTo(x + 4, y + 2);
    },
    { stroke: surface.palette.ink, width: 1.5 },
  );
}

const NAME: TextStyle = { weight: 500, halo: true };

/** What was measured, with its name; names that would lie on one another are left to the hover. */
function drawMeasured(surface: Surface, { measured = [], units }: Scene, { box, x, y }: Plane, taken: Box[]) {
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

/** Totals are drawn first and largest, so that what lies on the same place shows within them. */
const seriesRadius =
  (series: readonly string[], { step }: Frame) =>
  (at: number) =>
    ({ Total: 12, 'Total (HW)': 10.5, Average: 8.5 })[series[step[at]!]!] ?? 5;

/** The name of each of a program's rows beside its point, where there is room; the places that are taken. */
function drawSeries(surface: Surface, { series, frame }: Scene, markers: Marker[]): Box[] {
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

function drawRoofLabels(
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
      `${roof.name} ${rate(roof.rate, units)}`,
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
