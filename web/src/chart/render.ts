// Draws the roofline chart on a canvas. A pure function of its arguments, used for the screen and for the PNG.
import { number, prefixFactor, rate, si, type Units } from '../format';
import { POINT_FLAGS } from '../protocol';
import type { Arrows } from '../state/compare';
import type { Frame } from '../state/engine';
import { trace } from './markers';
import type { Palette } from './palette';
import { laneDecade, placePoints, type Marker, type Outside } from './points';
import { roofLines, shown, type Ridge, type RoofLine } from './roofs';
import { scaleOf, ticksOf, type Box, type Scale } from './scale';
import { makeSprite, SpriteLayer, type Sprite } from './sprites';
import type { LogWindow } from '../state/view';

export interface Scene {
  frame: Frame;
  window: LogWindow;
  units: Units;
  palette: Palette;
  switched: readonly string[];  // roofs shown or hidden against their default
  arrows?: Arrows | null;       // from another run to this one
  series?: readonly string[] | null;  // of a profile's program level: the steps' names, which the points are labelled by
  measured?: readonly Target[];  // of whole runs, beside the operations
  selected: number | null;
  hovered: number | null;
  width: number;
  height: number;
  ratio: number;                // device pixels per pixel
}

/// A point that is no operation, in FLOP/B and FLOP/s.
export interface Target { name: string; intensity: number | null; achieved_flops: number }

export interface Drawn { scale: Scale; markers: Marker[]; outside: Outside; targets: { x: number; y: number }[] }

const LANE_WIDTH = 28;
const BIG = 8;  // radius from which a marker is drawn first and on its own, so that small ones lie on top

export function drawChart(ctx: CanvasRenderingContext2D, scene: Scene): Drawn {
  const { frame, window, width, height, palette } = scene;
  const lane = hasLane(frame);
  const plot: Box = { left: 56 + (lane ? LANE_WIDTH : 0), top: 22, right: width - 12, bottom: height - 36 };
  const scale = scaleOf(window, plot);
  const frameBox: Box = lane ? { ...plot, left: plot.left - LANE_WIDTH } : plot;

  ctx.fillStyle = palette.surface;
  ctx.fillRect(0, 0, width, height);
  ctx.lineJoin = 'round';
  drawAxes(ctx, scene, scale, frameBox);
  const roofs = roofLines(frame.json.roofs.filter(roof => shown(roof, scene.switched)), window);
  const { markers, outside } = placePoints(frame, scale, plot.left - LANE_WIDTH / 2, scene.series ? seriesRadius(scene.series, frame) : undefined);
  ctx.save();
  ctx.beginPath();
  ctx.rect(frameBox.left, frameBox.top, frameBox.right - frameBox.left, frameBox.bottom - frameBox.top);
  ctx.clip();
  drawDensity(ctx, scene, scale);
  drawRoofs(ctx, scene, scale, roofs.lines, lane);
  drawHierarchy(ctx, scene, scale, markers);
  drawArrows(ctx, scene, scale, markers);
  drawComparison(ctx, scene, scale);
  drawMarkers(ctx, scene, markers);
  const taken = drawSeries(ctx, scene, markers);
  drawRoofLabels(ctx, scene, scale, roofs, taken, markers);
  const targets = drawMeasured(ctx, scene, scale, taken);
  ctx.restore();
  return { scale, markers, outside, targets };
}

const hasLane = ({ flags }: Frame) => flags.some(flag => (flag & POINT_FLAGS.lane) !== 0);

function font(ctx: CanvasRenderingContext2D, palette: Palette, size = 11, weight = 400) {
  ctx.font = `${weight} ${size}px ${palette.font}`;
}

function drawAxes(ctx: CanvasRenderingContext2D, { palette, units }: Scene, scale: Scale, frameBox: Box) {
  const { plot, window } = scale;
  const lane = frameBox.left < plot.left;
  font(ctx, palette);
  const xTicks = ticksOf(window.x0, window.x1, units.scale, plot.right - plot.left);
  const yTicks = ticksOf(window.y0, window.y1, units.scale, plot.bottom - plot.top, prefixFactor(units));
  for (const major of [false, true]) {
    ctx.beginPath();
    for (const { decade, major: isMajor } of xTicks) {
      if (isMajor !== major) continue;
      const x = crisp(scale.x(decade));
      ctx.moveTo(x, plot.top);
      ctx.lineTo(x, plot.bottom);
    }
    for (const { decade, major: isMajor } of yTicks) {
      if (isMajor !== major) continue;
      const y = crisp(scale.y(decade));
      ctx.moveTo(plot.left, y);
      ctx.lineTo(plot.right, y);
    }
    ctx.lineWidth = 1;
    ctx.strokeStyle = major ? palette.grid : palette.gridMinor;
    ctx.stroke();
  }
  ctx.strokeStyle = palette.grid;
  ctx.strokeRect(crisp(frameBox.left), crisp(frameBox.top), frameBox.right - frameBox.left, frameBox.bottom - frameBox.top);
  if (lane) strokeLine(ctx, crisp(plot.left), plot.top, crisp(plot.left), plot.bottom);

  ctx.fillStyle = palette.muted;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (const { decade, label } of xTicks) {
    const x = scale.x(decade);
    if (label && x < plot.right - 4 && (!lane || x > plot.left + 16)) ctx.fillText(label, x, plot.bottom + 5);
  }
  if (lane) ctx.fillText('0', (frameBox.left + plot.left) / 2, plot.bottom + 5);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  for (const { decade, label } of yTicks) if (label) ctx.fillText(label, frameBox.left - 6, scale.y(decade));
  ctx.fillStyle = palette.ink;
  ctx.textBaseline = 'alphabetic';
  ctx.textAlign = 'right';
  ctx.fillText(`Intensity (${units.intensity})`, plot.right, plot.bottom + 31);
  ctx.textAlign = 'left';
  ctx.fillText(`Performance (${units.prefix}${units.rate})`, 8, 14);
}

const crisp = (pixel: number) => Math.round(pixel) + 0.5;

function strokeLine(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

let shade: { revision: number; colour: string; canvas: HTMLCanvasElement } | null = null;

/// The ops beyond the top K, as a picture of one pixel per cell, the more the darker.
function drawDensity(ctx: CanvasRenderingContext2D, { frame, palette }: Scene, scale: Scale) {
  const { density: grid } = frame.json;
  if (grid.ops === 0 || frame.density.length === 0) return;
  if (shade?.revision !== frame.revision || shade.colour !== palette.density) {
    const canvas = shade?.canvas ?? document.createElement('canvas');
    [canvas.width, canvas.height] = [grid.width, grid.height];
    shade = { revision: frame.revision, colour: palette.density, canvas };
    paintDensity(canvas.getContext('2d')!, frame, palette.density);
  }
  const [left, right] = [scale.x(grid.log_x0), scale.x(grid.log_x1)];
  const [top, bottom] = [scale.y(grid.log_y1), scale.y(grid.log_y0)];
  ctx.imageSmoothingEnabled = true;
  ctx.drawImage(shade.canvas, left, top, right - left, bottom - top);
}

function paintDensity(ctx: CanvasRenderingContext2D, { density, json }: Frame, colour: string) {
  const { width, height } = json.density;
  const [red, green, blue] = (colour.match(/\w\w/g) ?? []).map(hex => parseInt(hex, 16));
  const image = ctx.createImageData(width, height);
  let most = 1;
  for (const cell of density) if (cell > most) most = cell;
  const full = Math.log1p(most);
  for (let row = 0; row < height; ++row) {
    for (let column = 0; column < width; ++column) {
      const cell = density[row * width + column]!;
      if (cell === 0) continue;
      const at = 4 * ((height - 1 - row) * width + column);
      image.data.set([red!, green!, blue!, 40 + 170 * (Math.log1p(cell) / full)], at);
    }
  }
  ctx.putImageData(image, 0, 0);
}

function drawRoofs(ctx: CanvasRenderingContext2D, { palette }: Scene, scale: Scale, lines: RoofLine[], lane: boolean) {
  for (const { roof, x0, y0, x1, y1 } of lines) {
    ctx.strokeStyle = roof.whatif ? palette.whatif : palette.roof;
    ctx.lineWidth = roof.achievable ? 1 : 1.5;
    ctx.setLineDash(roof.achievable ? [5, 4] : roof.kind === 'link' ? [1, 3] : []);
    ctx.beginPath();
    if (lane && roof.kind === 'memory') ctx.moveTo(scale.plot.left - LANE_WIDTH, scale.y(laneDecade(roof.rate, scale)));
    else ctx.moveTo(scale.x(x0), scale.y(y0));
    ctx.lineTo(scale.x(x0), scale.y(y0));
    ctx.lineTo(scale.x(x1), scale.y(y1));
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

/// An operation's intensities of all memories, joined by a line: the further right of its own, the more of its traffic a nearer memory takes.
function drawHierarchy(ctx: CanvasRenderingContext2D, { frame, palette, selected, hovered }: Scene, scale: Scale, markers: Marker[]) {
  const { memory_intensity: intensity, points } = frame;
  if (intensity.length === 0) return;
  const memories = intensity.length / points.length;
  for (const marker of markers) {
    const chosen = marker.op === selected || marker.op === hovered;
    const xs = [marker.x];
    for (let memory = 0; memory < memories; ++memory) {
      const value = intensity[memory * points.length + marker.at]!;
      if (value > 0) xs.push(scale.x(Math.log10(value)));
    }
    if (xs.length < 2) continue;
    ctx.globalAlpha = chosen ? 1 : 0.4;
    ctx.strokeStyle = ctx.fillStyle = chosen ? palette.ink : palette.muted;
    ctx.lineWidth = 1;
    strokeLine(ctx, Math.min(...xs), marker.y, Math.max(...xs), marker.y);
    for (const x of xs) {
      ctx.beginPath();
      ctx.arc(x, marker.y, chosen ? 3 : 2, 0, 2 * Math.PI);
      ctx.fill();
    }
  }
  ctx.globalAlpha = 1;
}

const MOST_ARROWS = 200;

/// From today's point to where the what-if puts it.
function drawArrows(ctx: CanvasRenderingContext2D, { frame, palette, selected }: Scene, scale: Scale, markers: Marker[]) {
  const { whatif_intensity: intensity, whatif_attained: attained } = frame;
  if (intensity.length === 0) return;
  ctx.strokeStyle = ctx.fillStyle = palette.whatif;
  for (const marker of markers.slice(0, MOST_ARROWS)) {
    const [x, y] = [scale.x(Math.log10(intensity[marker.at]!)), scale.y(Math.log10(attained[marker.at]!))];
    drawArrow(ctx, marker.x, marker.y, x, y, marker.op === selected);
  }
  ctx.globalAlpha = 1;
}

/// From where each operation was in the run before to where it is now.
function drawComparison(ctx: CanvasRenderingContext2D, { arrows, palette, selected }: Scene, scale: Scale) {
  if (!arrows) return;
  ctx.strokeStyle = ctx.fillStyle = palette.ink;
  arrows.b.forEach((op, i) => {
    const [x0, y0] = [scale.x(Math.log10(arrows.intensity_a[i]!)), scale.y(Math.log10(arrows.attained_a[i]!))];
    const [x1, y1] = [scale.x(Math.log10(arrows.intensity_b[i]!)), scale.y(Math.log10(arrows.attained_b[i]!))];
    drawArrow(ctx, x0, y0, x1, y1, op === selected);
  });
  ctx.globalAlpha = 1;
}

function drawArrow(ctx: CanvasRenderingContext2D, x0: number, y0: number, x: number, y: number, strong: boolean) {
  const length = Math.hypot(x - x0, y - y0);
  if (!(length > 4) || !Number.isFinite(length)) return;
  const [dx, dy] = [(x - x0) / length, (y - y0) / length];
  ctx.globalAlpha = strong ? 1 : 0.55;
  ctx.lineWidth = strong ? 2 : 1;
  strokeLine(ctx, x0, y0, x - dx * 4, y - dy * 4);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x - dx * 6 - dy * 3, y - dy * 6 + dx * 3);
  ctx.lineTo(x - dx * 6 + dy * 3, y - dy * 6 - dx * 3);
  ctx.closePath();
  ctx.fill();
}

function drawMarkers(ctx: CanvasRenderingContext2D, { palette, selected, hovered, width, height, ratio, series }: Scene, markers: Marker[]) {
  for (const marker of markers.filter(({ radius }) => radius > BIG).sort((a, b) => b.radius - a.radius)) paintMarker(ctx, palette, marker);
  layer.start(Math.round(width * ratio), Math.round(height * ratio));
  for (const marker of markers) if (marker.radius <= BIG) layer.add(sprite(marker, palette, ratio), marker.x * ratio, marker.y * ratio);
  const flag = known('flag', palette, ratio, () => makeSprite(16, ratio, (sprite, middle) => paintFlag(sprite, palette, middle)));
  for (const { aboveRoof, x, y, radius } of markers) if (aboveRoof) layer.add(flag, x * ratio, (y - radius - 7) * ratio);
  layer.draw(ctx);
  for (const marker of markers) {
    if (marker.op !== selected && marker.op !== hovered) continue;
    if (!series) paintMarker(ctx, palette, marker);  // in front of others
    ring(ctx, marker, marker.op === selected ? palette.ink : palette.muted, 1.5);
  }
}

function paintMarker(ctx: CanvasRenderingContext2D, palette: Palette, { symbol, status, hollow, x, y, radius }: MarkerLook & { x: number; y: number }) {
  ctx.beginPath();
  trace(ctx, symbol, x, y, radius);
  ctx.fillStyle = ctx.strokeStyle = palette.status[status];
  ctx.lineWidth = hollow ? 1.5 : 1;
  if (!hollow) {
    ctx.globalAlpha = 0.82;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = palette.surface;
  }
  ctx.stroke();
}

type MarkerLook = Pick<Marker, 'symbol' | 'status' | 'hollow' | 'radius'>;

const layer = new SpriteLayer();
const sprites = new Map<string, Sprite>();
let spritesFor: { palette: Palette; ratio: number } | null = null;

/// Made once per look.
function known(key: string, palette: Palette, ratio: number, make: () => Sprite) {
  if (spritesFor?.palette !== palette || spritesFor.ratio !== ratio) {
    sprites.clear();
    spritesFor = { palette, ratio };
  }
  let made = sprites.get(key);
  if (!made) sprites.set(key, (made = make()));
  return made;
}

function sprite({ symbol, status, hollow, radius }: MarkerLook, palette: Palette, ratio: number) {
  const rounded = Math.round(radius * 2) / 2;
  return known(`${symbol} ${status} ${hollow} ${rounded}`, palette, ratio, () =>
    // A star reaches beyond its nominal radius.
    makeSprite(Math.ceil(4 * rounded) + 4, ratio, (ctx, middle) => paintMarker(ctx, palette, { symbol, status, hollow, radius: rounded, x: middle, y: middle })));
}

export const TARGET_RADIUS = 6;

/// A ring with a dot in it, which no operation has.
export function paintTarget(ctx: CanvasRenderingContext2D, palette: Palette, x: number, y: number) {
  ctx.beginPath();
  ctx.arc(x, y, TARGET_RADIUS, 0, 2 * Math.PI);
  ctx.fillStyle = palette.surface;
  ctx.fill();
  ctx.strokeStyle = ctx.fillStyle = palette.ink;
  ctx.lineWidth = 2;
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(x, y, 2.5, 0, 2 * Math.PI);
  ctx.fill();
}

/// What was measured, with its name; names that would lie on one another are left to the hover.
function drawMeasured(ctx: CanvasRenderingContext2D, { measured = [], palette }: Scene, scale: Scale, taken: Label[]) {
  font(ctx, palette, 11, 500);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const targets = measured.map(({ intensity, achieved_flops }) => ({ x: scale.x(Math.log10(intensity!)), y: scale.y(Math.log10(achieved_flops)) }));
  targets.forEach(({ x, y }, i) => {
    const { name } = measured[i]!;
    const width = ctx.measureText(name).width;
    for (const [left, middle] of [[x + 10, y], [x - 10 - width, y], [x - width / 2, y + 17], [x - width / 2, y - 16]] as const) {
      const box = { left, right: left + width, top: middle - 7, bottom: middle + 7 };
      if (box.left < scale.plot.left || box.right > scale.plot.right || taken.some(other => overlaps(box, other))) continue;
      taken.push(box);
      halo(ctx, palette, name, left, middle, palette.ink);
      break;
    }
  });
  for (const { x, y } of targets) paintTarget(ctx, palette, x, y);
  return targets;
}

function ring(ctx: CanvasRenderingContext2D, { symbol, x, y, radius }: Marker, colour: string, width: number) {
  ctx.beginPath();
  trace(ctx, symbol, x, y, radius + 3);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

/// A caret over a point above its roof: the peak, the clock or the byte count is wrong.
function paintFlag(ctx: CanvasRenderingContext2D, palette: Palette, middle: number) {
  ctx.beginPath();
  ctx.moveTo(middle - 4, middle + 2);
  ctx.lineTo(middle, middle - 2);
  ctx.lineTo(middle + 4, middle + 2);
  ctx.strokeStyle = palette.ink;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

/// Totals are drawn first and largest, so that what lies on the same place shows within them.
const seriesRadius = (series: readonly string[], { step }: Frame) => (at: number) => ({ Total: 12, 'Total (HW)': 10.5, Average: 8.5 })[series[step[at]!]!] ?? 5;

/// The name of each of a program's rows beside its point, where there is room; the places that are taken.
function drawSeries(ctx: CanvasRenderingContext2D, { series, frame, palette }: Scene, markers: Marker[]): Label[] {
  if (!series) return [];
  const taken: Label[] = markers.map(({ x, y, radius }) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }));
  font(ctx, palette, 11, 500);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  // Totals first, the steps where there is still room.
  const rank = (name: string) => (name === 'Total' ? 0 : /\d/.test(name) ? 3 : name === 'Average' ? 1 : 2);
  const named = markers.map(marker => ({ marker, name: series[frame.step[marker.at]!] ?? '' })).sort((a, b) => rank(a.name) - rank(b.name));
  const radius = 13;  // clear of the largest, which may lie on the same place
  for (const { marker: { x, y }, name } of named) {
    const width = ctx.measureText(name).width;
    for (const [left, base] of [[x + radius + 5, y + 4], [x - radius - 5 - width, y + 4], [x - width / 2, y - radius - 5], [x - width / 2, y + radius + 13],
      [x + radius + 5, y - 9], [x + radius + 5, y + 17], [x - radius - 5 - width, y - 9], [x - radius - 5 - width, y + 17]] as const) {
      const box = { left: left - 2, right: left + width + 2, top: base - 10, bottom: base + 2 };
      if (taken.some(other => overlaps(box, other))) continue;
      taken.push(box);
      halo(ctx, palette, name, left, base, palette.ink);
      break;
    }
  }
  return taken;
}

type Label = Box;
const overlaps = (a: Label, b: Label) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function drawRoofLabels(ctx: CanvasRenderingContext2D, { palette, units, frame }: Scene, scale: Scale, { lines, ridges }: { lines: RoofLine[]; ridges: Ridge[] }, taken: Label[], markers: Marker[]) {
  const { plot } = scale;
  ctx.textBaseline = 'alphabetic';
  font(ctx, palette, 11, 500);
  /// At the first of the places (right end, baseline) that is free.
  const place = (text: string, colour: string, ...places: [right: number, baseline: number][]) => {
    const width = ctx.measureText(text).width;
    for (const [right, baseline] of places) {
      const box = { left: right - width - 3, right: right + 3, top: baseline - 10, bottom: baseline + 2 };
      if (box.left < plot.left || box.right > plot.right || box.top < plot.top || box.bottom > plot.bottom || taken.some(other => overlaps(box, other))) continue;
      taken.push(box);
      halo(ctx, palette, text, right - width, baseline, colour);
      return;
    }
  };
  const colourOf = (whatif: boolean) => (whatif ? palette.whatif : palette.ink);
  ctx.textAlign = 'left';
  for (const { roof, y1 } of [...lines].sort((one, other) => other.roof.rate - one.roof.rate)) {
    if (roof.kind !== 'compute' || roof.achievable) continue;
    const [right, y] = [plot.right - 6, scale.y(y1)];
    place(`${roof.name} ${rate(roof.rate, units)}`, colourOf(roof.whatif), [right, y - 5], [right - 150, y - 5], [right, y + 13], [right - 150, y + 13]);
  }
  for (const { x, y, memory, peak } of ridges) {
    if (frame.json.roofs.length > 6 && !peak.in_play) continue;
    const [px, py] = [scale.x(x), scale.y(y)];
    if (px < plot.left || px > plot.right || py < plot.top || py > plot.bottom) continue;
    ctx.beginPath();
    ctx.arc(px, py, 3, 0, 2 * Math.PI);
    ctx.fillStyle = palette.surface;
    ctx.fill();
    ctx.strokeStyle = memory.whatif ? palette.whatif : palette.roof;
    ctx.lineWidth = 1.5;
    ctx.stroke();
    const text = `ridge ${number(10 ** x * units.scale)}`;
    place(text, colourOf(memory.whatif), [px - 8, py - 6], [px + 10 + ctx.measureText(text).width, py + 15]);  // above the roof no points are in the way
  }
  for (const line of lines) if (line.roof.kind !== 'compute' && !line.roof.achievable) slopeLabel(ctx, palette, scale, line, colourOf(line.roof.whatif), markers);
}

const SLOPE_PLACES = [0.7, 0.55, 0.42, 0.85, 0.3];  // along what is visible of it

/// Along a memory's roof, right of the legend, where no points lie.
function slopeLabel(ctx: CanvasRenderingContext2D, palette: Palette, scale: Scale, { roof, x0, y0, x1 }: RoofLine, colour: string, markers: Marker[]) {
  const { window } = scale;
  const low = Math.max(x0, x0 + (window.y0 - y0));
  const high = Math.min(x1, x0 + (window.y1 - y0));
  const [ax, bx] = [scale.x(low), scale.x(high)];
  const [ay, by] = [scale.y(y0 + low - x0), scale.y(y0 + high - x0)];
  const text = `${roof.name} ${si(roof.rate, 'B/s')}`;
  const length = Math.hypot(bx - ax, by - ay), half = ctx.measureText(text).width / 2;
  if (length < 2 * half + 24) return;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  /// Whether a point would lie on the text, its middle that far along.
  const hidden = (at: number) => markers.some(({ x, y, radius }) => {
    const along = (x - ax) * dx + (y - ay) * dy - at * length, above = (x - ax) * dy - (y - ay) * dx;
    return Math.abs(along) < half + radius && above > -radius && above < 18 + radius;
  });
  const places = roof.whatif ? [0.85, ...SLOPE_PLACES] : SLOPE_PLACES;
  const at = places.find(place => place * length > half && (1 - place) * length > half && !hidden(place)) ?? places[0]!;  // among many points it stays
  ctx.save();
  ctx.translate(ax + (bx - ax) * at, ay + (by - ay) * at);
  ctx.rotate(Math.atan2(dy, dx));
  ctx.textAlign = 'center';
  halo(ctx, palette, text, 0, -6, colour);
  ctx.restore();
}

/// Text that stays readable over points and lines.
function halo(ctx: CanvasRenderingContext2D, palette: Palette, text: string, x: number, y: number, colour: string) {
  ctx.strokeStyle = palette.surface;
  ctx.lineWidth = 4;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}
