// Maps: a colour per cell, lines between areas, and the colour bar.
import { contains, nearest, type Plane, type Scale } from './plane';
import { rampOf, type Packed } from './ramp';
import { rect, type Box, type Surface } from './surface';

/** Where each cell ends: half way to its neighbours, in pixels. */
function edges(values: readonly number[], scale: Scale): number[] {
  const at = values.map(scale.pixel);
  return [at[0]!, ...at.slice(1).map((pixel, i) => (pixel + at[i]!) / 2), at[at.length - 1]!];
}

export interface Cells {
  xs: readonly number[];
  ys: readonly number[];
  colour: (i: number) => Packed; // of the cell in column i % xs.length; 0: none
  area: (i: number) => number; // where it changes there is a line
  border: Packed;
}

/** Draws the cells: one pixel at a time into a picture, because a rectangle per cell would cost ten times as much. */
export function drawCells(surface: Surface, { box, x, y }: Plane, { xs, ys, colour, area, border }: Cells) {
  const [width, height] = [Math.round(box.right - box.left), Math.round(box.bottom - box.top)];
  if (width <= 0 || height <= 0) return;
  const columnAt = cellsAt(edges(xs, x), box.left, width, 1);
  const rowAt = cellsAt(edges(ys, y), box.top, height, -1);
  const colours = Uint32Array.from({ length: xs.length * ys.length }, (_, i) => colour(i));
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let down = 0; down < height; ++down) {
    const row = rowAt[down]! * xs.length;
    const above = rowAt[Math.max(0, down - 1)]! * xs.length;
    for (let across = 0; across < width; ++across) {
      const column = columnAt[across]!;
      const here = area(row + column);
      const edge = here !== area(row + columnAt[Math.max(0, across - 1)]!) || here !== area(above + column);
      pixels[down * width + across] = edge && colours[row + column] ? border : colours[row + column]!;
    }
  }
  const picture = document.createElement('canvas');
  [picture.width, picture.height] = [width, height];
  picture.getContext('2d')!.putImageData(image, 0, 0);
  surface.image(picture, { left: box.left, top: box.top, right: box.left + width, bottom: box.top + height });
  rect(
    surface,
    { left: box.left + 0.5, top: box.top + 0.5, right: box.left + width + 0.5, bottom: box.top + height + 0.5 },
    { stroke: surface.palette.grid },
  );
}

/** The cell under each pixel. `direction` -1: pixels run against the values. */
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

const BAR_PX = 12;

/** The ramp from bottom to top with five of its values; `text` names the value at 0..1. */
export function drawColourBar(
  surface: Surface,
  { left, top, bottom }: Pick<Box, 'left' | 'top' | 'bottom'>,
  text: (part: number) => string,
) {
  const height = Math.max(1, Math.round(bottom - top));
  const ramp = rampOf(surface.palette);
  const bar = document.createElement('canvas');
  [bar.width, bar.height] = [1, height];
  const image = new ImageData(1, height);
  new Uint32Array(image.data.buffer).forEach((_, i, pixels) => (pixels[i] = ramp(1 - i / height)));
  bar.getContext('2d')!.putImageData(image, 0, 0);
  surface.image(bar, { left, top, right: left + BAR_PX, bottom });
  for (const part of [0, 0.25, 0.5, 0.75, 1])
    surface.text(text(part), left + BAR_PX + 4, bottom - 5 - (height - 10) * part, { baseline: 'middle' });
}

export interface Cell {
  column: number;
  row: number; // 0 where there is one axis
}

/** The cell under a point of the plot; null outside it. */
export function cellAt(plane: Plane, [xs, ys]: number[][], { x, y }: { x: number; y: number }): Cell | null {
  if (!xs || !contains(plane, x, y)) return null;
  return { column: nearest(xs, plane.x, x), row: ys ? nearest(ys, plane.y, y) : 0 };
}
