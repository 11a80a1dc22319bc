// Draws the roofline: axes, density, roofs, points, arrows and their names. A pure function of its arguments.
import { prefixFactor, tick, type Units, grouped } from '../format';
import type { Arrows } from '../compare/comparison';
import type { Frame } from '../core/engine';
import type { LogWindow } from '../core/view';
import { drawAxes } from '../plot/axes';
import { LANE_WIDTH, POINT_FLAGS } from '../protocol';
import { outline, paintHatch } from '../plot/markers';
import { planeOf, type Axis, type Plane } from '../plot/plane';
import { packed } from '../plot/ramp';
import { Room, type Segment } from '../plot/room';
import { line, type Box, type Path, type Stamp, type Surface } from '../plot/surface';
import type { Colours } from './colouring';
import { drawMeasured, drawNames, drawRoofLabels, drawSeries, placeMeasured } from './labels';
import { roofColour } from '../plot/palette';
import { drawLane, laneDecade, labelLane } from './lane';
import { placePoints, type Marker, type Outside } from './points';
import { isShown, roofLines, type RoofLine } from './roofs';

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
  labelled?: Readonly<Record<number, string>> | undefined; // operations whose names are drawn next to their points
}

/** A measured run, in FLOP/B and FLOP/s: a point that is no operation. */
interface Target {
  name: string;
  intensity: number | null;
  achieved_flops: number;
}

export interface Drawn {
  plane: Plane;
  markers: Marker[];
  outside: Outside;
  targets: { x: number; y: number }[];
}

const BIG = 8; // radius from which a marker is drawn first and on its own, so that small ones lie on top

/** Draws the scene; returns the positions of its points. */
export function drawScene(surface: Surface, scene: Scene): Drawn {
  const { frame, window } = scene;
  const lane = frame.flags.some(flag => (flag & POINT_FLAGS.lane) !== 0) ? LANE_WIDTH : 0;
  const box: Box = { left: 56 + lane, top: 22, right: surface.width - 12, bottom: surface.height - 36 };
  const plane = planeOf(intensityAxis(scene), rateAxis(scene), box);
  drawAxes(surface, plane, lane);
  const laneTicks = lane ? drawLane(surface, plane, lane, fastestMemory(frame)) : [];
  const roofs = roofLines(
    frame.json.roofs.filter(roof => isShown(roof, scene.switched)),
    window,
  );
  const radius = scene.series ? seriesRadius(scene.series, frame) : undefined;
  const { markers, outside } = placePoints(frame, plane, box.left - LANE_WIDTH / 2, scene.colours, radius);
  const { x, y } = plane;
  const lines = roofs.lines.map(({ x0, y0, x1, y1 }) => ({ x0: x.at(x0), y0: y.at(y0), x1: x.at(x1), y1: y.at(y1) }));
  const targets = placeMeasured(scene, plane);
  const moves = whatIfMoves(scene, plane, markers);
  const compared = comparedMoves(scene, plane);
  const flags = markers.filter(({ aboveRoof }) => aboveRoof).map(flagOf);
  const room = new Room(box, [...targets, ...tips(moves), ...markers, ...flags], lines, [...moves, ...compared]);
  const plot = { ...box, left: box.left - lane };
  surface.clip(plot, () => {
    drawDensity(surface, scene, plane);
    drawRoofs(surface, plane, roofs.lines, lane);
    if (lane) labelLane(surface, plane, lane, laneTicks, markers, roofs.lines);
    drawHierarchy(surface, scene, plane, markers);
    drawWhatIf(surface, moves, scene.selected);
    for (const move of compared) drawArrow(surface, move, surface.palette.ink, move.op === scene.selected);
  });
  drawMarkers(surface, scene, markers); // whole, also at the edge
  surface.clip(plot, () => {
    drawSeries(surface, scene, markers, room);
    drawRoofLabels(surface, scene, plane, roofs, room);
    drawMeasured(surface, scene, targets, room);
    drawNames(surface, scene, markers, room);
  });
  return { plane, markers, outside, targets };
}

/** B/s; infinite: no memory's bandwidth is known. */
const fastestMemory = ({ json: { roofs } }: Scene['frame']) =>
  roofs.reduce((most, { kind, rate }) => (kind === 'memory' ? Math.max(most, rate) : most), 0) || Infinity;

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
const plainTick = (value: number) => (value < 1e-4 ? value.toExponential(0) : grouped(Number(value.toPrecision(3)), 6));

let density: { cells: Uint32Array; colour: string; canvas: HTMLCanvasElement } | null = null;

/** Density of the operations not drawn as points: one pixel per cell, darker for more operations. */
function drawDensity(surface: Surface, { frame }: Scene, { x, y }: Plane) {
  const { density: grid } = frame.json;
  const { density: colour } = surface.palette;
  if (grid.ops === 0 || frame.density.length === 0) return;
  const { density: cells } = frame;
  const same =
    density?.colour === colour &&
    density.cells.length === cells.length &&
    density.cells.every((cell, i) => cell === cells[i]);
  if (!same) {
    const canvas = density?.canvas ?? document.createElement('canvas');
    [canvas.width, canvas.height] = [grid.width, grid.height];
    density = { cells, colour, canvas };
    paintDensity(canvas.getContext('2d')!, frame, colour);
  }
  surface.image(density!.canvas, {
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
    const dash = roof.whatif ? [9, 3, 2, 3] : roof.achievable ? [5, 4] : roof.kind === 'link' ? [1, 3] : null;
    surface.path(
      path => {
        if (lane && roof.kind === 'memory') {
          path.moveTo(box.left - lane, y.at(laneDecade(roof.rate, x)));
          path.lineTo(x.at(x0), y.at(y0));
        } else path.moveTo(x.at(x0), y.at(y0));
        path.lineTo(x.at(x1), y.at(y1));
      },
      { stroke: roofColour(palette, roof), width: roof.achievable ? 1 : 1.75, ...(dash && { dash }) },
    );
  }
}

/** An operation's intensity for each memory, connected by a line: the longer the line, the more traffic the caches absorb. */
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
const SHORTEST_PX = 4; // of an arrow

/** Where an operation moves, in pixels. */
interface Move extends Segment {
  op: number;
}
/** Of the what-if, with the operation's marker. */
interface MarkerMove extends Move {
  symbol: Marker['symbol'];
  radius: number;
}

const lengthOf = ({ x0, y0, x1, y1 }: Segment) => Math.hypot(x1 - x0, y1 - y0);

/** From today's point to where the what-if puts it. */
function whatIfMoves({ frame }: Scene, { x, y }: Plane, markers: Marker[]): MarkerMove[] {
  const { whatif_intensity: intensity, whatif_attained: attained } = frame;
  if (intensity.length === 0) return [];
  return markers
    .slice(0, MOST_ARROWS)
    .map(({ at, op, x: x0, y: y0, symbol, radius }) => {
      return { op, symbol, radius, x0, y0, x1: x.pixel(intensity[at]!), y1: y.pixel(attained[at]!) };
    })
    .filter(move => lengthOf(move) > move.radius);
}

const tips = (moves: MarkerMove[]) => moves.map(({ x1, y1, radius }) => ({ x: x1, y: y1, radius }));

function drawWhatIf(surface: Surface, moves: MarkerMove[], selected: number | null) {
  const { whatif } = surface.palette;
  for (const move of moves) {
    const { op, symbol, radius, x1, y1 } = move;
    surface.path(path => outline(path, symbol, x1, y1, radius), { stroke: whatif, opacity: 0.7 });
    drawArrow(surface, move, whatif, op === selected);
  }
}

/** From where each operation was in the run before to where it is now. */
function comparedMoves({ arrows }: Scene, { x, y }: Plane): Move[] {
  const moves = Array.from(arrows?.b ?? [], (op, i) => ({
    op,
    x0: x.pixel(arrows!.intensity_a[i]!),
    y0: y.pixel(arrows!.attained_a[i]!),
    x1: x.pixel(arrows!.intensity_b[i]!),
    y1: y.pixel(arrows!.attained_b[i]!),
  }));
  return moves.filter(move => Number.isFinite(lengthOf(move)));
}

function drawArrow(surface: Surface, move: Segment, colour: string, strong: boolean) {
  const length = lengthOf(move);
  if (!(length > SHORTEST_PX)) return;
  const { x0, y0, x1: x, y1: y } = move;
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
    if (!series) paintMarker(surface, marker); // on top of the others
    surface.path(path => outline(path, marker.symbol, marker.x, marker.y, marker.radius + 3), {
      stroke: marker.op === selected ? palette.ink : palette.muted,
      width: 1.5,
    });
  }
}

type MarkerStyle = Pick<Marker, 'symbol' | 'colour' | 'hollow' | 'aboveRoof' | 'radius'>;

function paintMarker(
  surface: Surface,
  { symbol, colour, hollow, aboveRoof, x, y, radius }: MarkerStyle & { x: number; y: number },
  title?: string,
) {
  const { palette } = surface;
  const trace = (path: Path) => outline(path, symbol, x, y, radius);
  if (hollow) return surface.path(trace, { stroke: colour, width: 1.5, ...(title !== undefined && { title }) });
  surface.path(trace, { fill: colour, opacity: aboveRoof ? 0.3 : 0.82, ...(title !== undefined && { title }) });
  if (aboveRoof) return paintHatch(surface, x, y, radius, colour, trace);
  surface.path(trace, { stroke: palette.surface });
}

function markerStamp({ symbol, colour, hollow, aboveRoof, radius, x, y }: Marker, title?: string): Stamp {
  const rounded = Math.round(radius * 2) / 2;
  return {
    key: `${symbol} ${colour} ${hollow} ${aboveRoof} ${rounded}`,
    x,
    y,
    size: Math.ceil(4 * rounded) + 4, // a star reaches beyond its nominal radius
    paint: (surface, atX, atY) =>
      paintMarker(surface, { symbol, colour, hollow, aboveRoof, radius: rounded, x: atX, y: atY }),
    ...(title !== undefined && { title }),
  };
}

/** A caret over a point above its roof: the peak, the clock or the byte count is wrong. */
const flagOf = ({ x, y, radius }: Marker) => ({ x, y: y - radius - 7, radius: 4 });
const flagStamp = (marker: Marker): Stamp => ({ key: 'flag', size: 16, ...flagOf(marker), paint: paintFlag });

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

/** Totals are drawn first and largest, so that other points at the same place stay visible. */
const seriesRadius =
  (series: readonly string[], { step }: Frame) =>
  (at: number) =>
    ({ Total: 12, 'Total (HW)': 10.5, Average: 8.5 })[series[step[at]!]!] ?? 5;
