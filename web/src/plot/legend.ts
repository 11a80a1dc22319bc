// Draws legends into plots.
import type { SymbolName } from '../protocol';
import { outline, paintHatch } from './markers';
import type { Plane } from './plane';
import { circle, line, rect, type Surface } from './surface';

export interface LegendEntry {
  text: string;
  colour: string;
  sample: 'line' | 'dashed' | 'dotted' | 'thin' | 'box' | 'dot' | 'hollow' | 'above' | 'target' | SymbolName;
}

/** The dashes of values that do not fit in memory. */
export const DOTTED = [2, 4];
const SAMPLE_PX = 16;
const GAP_PX = 6;
const LINE_PX = 15;
const BETWEEN_PX = 16;
const MARGIN_PX = 8;
const style = { baseline: 'middle', weight: 500, halo: true } as const;

/** Entries below each other, or beside each other as long as there is room; (x, y) is the middle of the first one's left end. */
export function drawLegend(
  surface: Surface,
  entries: readonly LegendEntry[],
  x: number,
  y: number,
  direction: 'down' | 'across' = 'down',
) {
  const start = x;
  for (const entry of entries) {
    const width = SAMPLE_PX + GAP_PX + surface.textWidth(entry.text, style);
    if (direction === 'across' && x > start && x + width > surface.width) [x, y] = [start, y + LINE_PX];
    drawSample(surface, entry, x, y);
    surface.text(entry.text, x + SAMPLE_PX + GAP_PX, y, {
      ...style,
      colour: entry.sample === 'line' ? entry.colour : surface.palette.ink,
    });
    if (direction === 'across') x += width + BETWEEN_PX;
    else y += LINE_PX;
  }
}

/** How high entries beside each other are, in as many lines as they need. */
export function legendHeight(surface: Surface, entries: readonly LegendEntry[], start: number) {
  let [x, lines] = [start, 1];
  for (const { text } of entries) {
    const width = SAMPLE_PX + GAP_PX + surface.textWidth(text, style);
    if (x > start && x + width > surface.width) [x, lines] = [start, lines + 1];
    x += width + BETWEEN_PX;
  }
  return lines * LINE_PX;
}

/** Draws the entries in the corner of a plane where the fewest of the points (in pixels) are. */
export function drawCornerLegend(
  surface: Surface,
  { box }: Plane,
  entries: readonly LegendEntry[],
  points: readonly (readonly [x: number, y: number])[],
) {
  const width = SAMPLE_PX + GAP_PX + Math.max(0, ...entries.map(({ text }) => surface.textWidth(text, style)));
  const height = LINE_PX * entries.length;
  const [left, right] = [box.left + MARGIN_PX, box.right - MARGIN_PX - width];
  const [top, bottom] = [box.top + MARGIN_PX, box.bottom - MARGIN_PX - height];
  const covered = ([x, y]: readonly [number, number]) =>
    points.filter(
      ([px, py]) =>
        px > x - MARGIN_PX && px < x + width + MARGIN_PX && py > y - MARGIN_PX && py < y + height + MARGIN_PX,
    ).length;
  const corners = [
    [left, top],
    [right, bottom],
    [left, bottom],
    [right, top],
  ] as const;
  const [x, y] = corners.reduce((best, corner) => (covered(corner) < covered(best) ? corner : best));
  drawLegend(surface, entries, x, y + LINE_PX / 2);
}

function drawSample(surface: Surface, { sample, colour }: LegendEntry, x: number, y: number) {
  switch (sample) {
    case 'line':
      return line(surface, x, y, x + SAMPLE_PX, y, { stroke: colour, width: 2 });
    case 'dashed':
      return line(surface, x, y, x + SAMPLE_PX, y, { stroke: colour, dash: [5, 4] });
    case 'dotted':
      return line(surface, x, y, x + SAMPLE_PX, y, { stroke: colour, width: 2, dash: DOTTED });
    case 'thin':
      return line(surface, x, y, x + SAMPLE_PX, y, { stroke: colour, width: 1, opacity: 0.35 });
    case 'box':
      return rect(surface, { left: x + 2, top: y - 6, right: x + 14, bottom: y + 6 }, { fill: colour });
    case 'dot':
      return circle(surface, x + SAMPLE_PX / 2, y, 4, { fill: colour });
    case 'hollow':
      return circle(surface, x + SAMPLE_PX / 2, y, 4, { stroke: colour, width: 1.5 });
    case 'above':
      return paintHatch(surface, x + SAMPLE_PX / 2, y, 4.5, colour, path => path.circle(x + SAMPLE_PX / 2, y, 4.5));
    case 'target':
      return drawTarget(surface, x + SAMPLE_PX / 2, y);
    default:
      return surface.path(path => outline(path, sample, x + SAMPLE_PX / 2, y, 4.5), { fill: colour });
  }
}

export const TARGET_RADIUS = 6;

/** The marker of a measured run: a ring with a dot. */
export function drawTarget(surface: Surface, x: number, y: number, title?: string) {
  const { palette } = surface;
  circle(surface, x, y, TARGET_RADIUS, {
    fill: palette.surface,
    stroke: palette.ink,
    width: 2,
    ...(title !== undefined && { title }),
  });
  circle(surface, x, y, 2.5, { fill: palette.ink });
}
