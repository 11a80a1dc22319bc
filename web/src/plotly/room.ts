// Places the names of a chart's points: each beside its own dot, within the chart and on no other name. The first one gets the best place
// that there is; the others are left out where every place lies on a dot or a line. Each is nearest to its own dot.
import type { Data, Layout, PlotData } from 'plotly.js';
import { Room, upright, type Segment } from '../plot/room';
import type { Box } from '../plot/surface';

/** Names of the points of a trace, the most important first in `order`: it may cover other dots and lines, the others may not. */
export interface Names {
  trace: number;
  order: readonly number[]; // indexes of its points
  texts: readonly string[]; // of all its points
}

interface Size {
  width: number; // px
  height: number;
}

const FONT = 11; // px, as in the layout's theme

// Plotly's distances of a text from the middle of its marker, whose radius is r: see textPointPosition in its src/components/drawing.
const gapOf = (r: number) => r / 0.8 + 1;
function besideOf(r: number, width: number): [position: string, dx: number, dy: number][] {
  const [right, left] = [gapOf(r), -gapOf(r) - width];
  const [below, above] = [gapOf(r) + FONT / 2, -gapOf(r) - FONT / 2];
  return [
    ['middle right', right, 0],
    ['middle left', left, 0],
    ['top center', -width / 2, above],
    ['bottom center', -width / 2, below],
    ['top right', right, above],
    ['bottom left', left, below],
    ['top left', left, above],
    ['bottom right', right, below],
  ];
}

/** px from a point to a box. */
const away = ({ left, right, top, bottom }: Box, { x, y }: { x: number; y: number }) =>
  Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));

type Pixel = (value: number) => number;
interface ErrorBars {
  array: number[];
  arrayminus: number[];
}
interface Named {
  x: number[];
  y: number[];
  marker: { size: number | number[] };
  error_x?: ErrorBars;
  error_y?: ErrorBars;
}
type Line = Pick<PlotData, 'mode'> & { x: number[]; y: number[]; line: { shape: string } };

/** The steps of a line of shape "hv" or "vh". */
const segmentsOf = ({ x, y, line }: Line, xPixel: Pixel, yPixel: Pixel): Segment[] =>
  x.slice(1).flatMap((_, i) => {
    const [x0, x1, y0, y1] = [xPixel(x[i]!), xPixel(x[i + 1]!), yPixel(y[i]!), yPixel(y[i + 1]!)];
    const [cornerX, cornerY] = line.shape === 'vh' ? [x0, y1] : [x1, y0];
    return [
      { x0, y0, x1: cornerX, y1: cornerY },
      { x0: cornerX, y0: cornerY, x1, y1 },
    ];
  });

const errorBarsOf = ({ x: xs, y: ys, error_x, error_y }: Named, xPixel: Pixel, yPixel: Pixel): Segment[] =>
  xs.flatMap((x, i) => {
    const y = ys[i]!;
    const ends = (value: number, bars: ErrorBars | undefined) =>
      [value - (bars?.arrayminus[i] ?? 0), value + (bars?.array[i] ?? 0)] as const;
    const [[left, right], [low, high]] = [ends(x, error_x), ends(y, error_y)];
    return [
      { x0: xPixel(left), x1: xPixel(right), y0: yPixel(y), y1: yPixel(y) },
      { x0: xPixel(x), x1: xPixel(x), y0: yPixel(low), y1: yPixel(high) },
    ];
  });

/** The data with `text` and `textposition` of that trace set for a chart of that size. Both axes have a range. */
export function withNames(
  data: Data[],
  { trace, order, texts }: Names,
  { margin, xaxis, yaxis, shapes = [] }: Partial<Layout>,
  { width, height }: Size,
  widthOf: (text: string) => number,
): Data[] {
  const { l = 0, r = 0, t = 0, b = 0 } = margin ?? {};
  const pixel = (axis: Partial<Layout['xaxis']> | undefined, start: number, end: number) => {
    const [low, high] = axis!.range as [number, number];
    return (value: number) =>
      start + ((end - start) * ((axis!.type === 'log' ? Math.log10(value) : value) - low)) / (high - low);
  };
  const [xPixel, yPixel] = [pixel(xaxis, l, width - r), pixel(yaxis, height - b, t)];
  const named = data[trace] as Named;
  const radius = (i: number) => [named.marker.size].flat().at(Array.isArray(named.marker.size) ? i : 0)! / 2;
  const points = named.x.map((x, i) => ({ x: xPixel(x), y: yPixel(named.y[i]!), radius: radius(i) }));
  const lines = data.map(one => one as Line).filter(({ mode }) => mode === 'lines');
  const room = new Room({ left: l, right: width - 4, top: 0, bottom: height - b }, points, [
    ...lines.flatMap(line => segmentsOf(line, xPixel, yPixel)),
    ...errorBarsOf(named, xPixel, yPixel),
    // Rules across the whole chart.
    ...shapes.flatMap(({ xref, yref, x0, y0 }): Segment[] => {
      if (xref === 'paper') return [{ x0: l, x1: width - r, y0: yPixel(y0 as number), y1: yPixel(y0 as number) }];
      return yref === 'paper' ? [{ x0: xPixel(x0 as number), x1: xPixel(x0 as number), y0: t, y1: height - b }] : [];
    }),
  ]);
  const shown = new Map<number, string>();
  for (const i of order) {
    const { x, y, radius } = points[i]!;
    const length = widthOf(texts[i]!);
    const places = besideOf(radius, length)
      .map(([position, dx, dy]) => ({ ...upright(x + dx, y + dy, length), position }))
      .filter(({ covers: [box] }) => points.every(point => away(box!, point) >= away(box!, points[i]!)));
    const place = i === order[0] ? room.take(places) : room.take(places, true, 1);
    if (place) shown.set(i, place.position);
  }
  // Plotly removes the element of an empty text, and does not make it again when the point gets a name.
  const text = texts.map((name, i) => (shown.has(i) ? name : ' '));
  const textposition = texts.map((_, i) => shown.get(i) ?? 'middle right');
  return data.map((one, i) => (i === trace ? ({ ...one, text, textposition } as Data) : one));
}
