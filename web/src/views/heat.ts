// Cells of a heat map, and the line where another resource begins to bound.
import type { Palette } from '../chart/palette';
import type { Plane } from './plane';

// Dark to light through blue, green and yellow, evenly in lightness, for eyes that confuse red and green too.
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]] as const;

export function heatColour(part: number): string {
  const at = Math.max(0, Math.min(1, part)) * (RAMP.length - 1);
  const i = Math.min(RAMP.length - 2, Math.floor(at));
  const mixed = RAMP[i]!.map((channel, c) => Math.round(channel + (RAMP[i + 1]![c]! - channel) * (at - i)));
  return `#${mixed.map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
}

/// Where each cell ends: half way to its neighbours, in pixels.
function edges(values: number[], place: (value: number) => number): number[] {
  const at = values.map(place);
  return [at[0]!, ...at.slice(1).map((pixel, i) => (pixel + at[i]!) / 2), at[at.length - 1]!];
}

export function drawHeat(ctx: CanvasRenderingContext2D, plane: Plane, xs: number[], ys: number[], colour: (i: number) => string | null, bound: Float32Array, palette: Palette) {
  const { plot } = plane;
  const [left, bottom] = [edges(xs, plane.x), edges(ys, plane.y)];
  // One pixel at a time into a picture: a rectangle per cell would cost ten times as much.
  const [width, height] = [Math.round(plot.right - plot.left), Math.round(plot.bottom - plot.top)];
  const columnAt = cellsAt(left, plot.left, width, 1);
  const rowAt = cellsAt(bottom, plot.top, height, -1);
  const colours = new Uint32Array(xs.length * ys.length);
  for (let i = 0; i < colours.length; ++i) {
    const hex = colour(i);
    if (hex) colours[i] = (255 << 24 | Number.parseInt(hex.slice(5, 7), 16) << 16 | Number.parseInt(hex.slice(3, 5), 16) << 8 | Number.parseInt(hex.slice(1, 3), 16)) >>> 0;
  }
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const line = (255 << 24 | 0xffffff) >>> 0;
  for (let y = 0; y < height; ++y) {
    const row = rowAt[y]! * xs.length;
    const above = rowAt[Math.max(0, y - 1)]! * xs.length;
    for (let x = 0; x < width; ++x) {
      const column = columnAt[x]!;
      const here = bound[row + column];
      const edge = here !== bound[row + columnAt[Math.max(0, x - 1)]!] || here !== bound[above + column];
      pixels[y * width + x] = edge && colours[row + column] ? line : colours[row + column]!;
    }
  }
  const picture = document.createElement('canvas');
  picture.width = width;
  picture.height = height;
  picture.getContext('2d')!.putImageData(image, 0, 0);
  ctx.drawImage(picture, plot.left, plot.top);
  ctx.strokeStyle = palette.grid;
  ctx.strokeRect(plot.left + 0.5, plot.top + 0.5, width, height);
}

/// The cell under each pixel. `direction` -1: pixels run against the values.
function cellsAt(edge: number[], start: number, pixels: number, direction: 1 | -1): Int32Array {
  const cells = new Int32Array(pixels);
  const last = edge.length - 2;
  for (let pixel = 0, cell = direction === 1 ? 0 : last; pixel < pixels; ++pixel) {
    const at = start + pixel + 0.5;
    if (direction === 1) while (cell < last && at > edge[cell + 1]!) ++cell;
    else while (cell > 0 && at > edge[cell]!) --cell;
    cells[pixel] = cell;
  }
  return cells;
}
