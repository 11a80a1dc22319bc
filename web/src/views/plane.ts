// What the canvases of the sweep and the machines share: a plane with axes, logarithmic or linear.
import type { Palette } from '../chart/palette';
import type { Box } from '../chart/scale';
import { tick } from '../format';

export interface Axis { low: number; high: number; log: boolean; title: string }

export interface Plane {
  plot: Box;
  x: (value: number) => number;
  y: (value: number) => number;
  xAt: (pixel: number) => number;
  yAt: (pixel: number) => number;
}

const of = ({ log }: Axis, value: number) => (log ? Math.log10(value) : value);

export function planeOf(xAxis: Axis, yAxis: Axis, plot: Box): Plane {
  const map = (axis: Axis, start: number, end: number) => {
    const [low, high] = [of(axis, axis.low), of(axis, axis.high)];
    const scale = (end - start) / (high - low || 1);
    return {
      to: (value: number) => start + (of(axis, value) - low) * scale,
      from: (pixel: number) => {
        const at = low + (pixel - start) / scale;
        return axis.log ? 10 ** at : at;
      },
    };
  };
  const x = map(xAxis, plot.left, plot.right);
  const y = map(yAxis, plot.bottom, plot.top);
  return { plot, x: x.to, y: y.to, xAt: x.from, yAt: y.from };
}

/// Values to label: 1, 2, 5 times powers of ten, as many as there is room for.
function ticks({ low, high, log }: Axis, pixels: number, room: number): number[] {
  const most = Math.max(2, Math.floor(pixels / room));
  if (!log) {
    const rough = (high - low) / most;
    const decade = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(digit => digit * decade).find(size => size >= rough)!;
    const values = [];
    for (let value = Math.ceil(low / step) * step; value <= high * (1 + 1e-9); value += step) values.push(value);
    return values;
  }
  const decades = Math.log10(high / low);
  const digits = decades * 3 <= most ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / most));
  const values = [];
  for (let decade = Math.floor(Math.log10(low)); decade <= Math.log10(high) + 1e-9; decade += 1)
    for (const digit of digits) {
      const value = digit * 10 ** decade;
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9) && decade % every === 0) values.push(value);
    }
  return values;
}

export function drawPlane(ctx: CanvasRenderingContext2D, palette: Palette, plane: Plane, xAxis: Axis, yAxis: Axis) {
  const { plot } = plane;
  ctx.font = `11px ${palette.font}`;
  ctx.lineWidth = 1;
  ctx.strokeStyle = palette.grid;
  ctx.fillStyle = palette.muted;
  ctx.beginPath();
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (const value of ticks(xAxis, plot.right - plot.left, 60)) {
    const x = Math.round(plane.x(value)) + 0.5;
    ctx.moveTo(x, plot.top);
    ctx.lineTo(x, plot.bottom);
    ctx.fillText(tick(value), x, plot.bottom + 5);
  }
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  for (const value of ticks(yAxis, plot.bottom - plot.top, 36)) {
    const y = Math.round(plane.y(value)) + 0.5;
    ctx.moveTo(plot.left, y);
    ctx.lineTo(plot.right, y);
    ctx.fillText(tick(value), plot.left - 6, y);
  }
  ctx.rect(plot.left + 0.5, plot.top + 0.5, plot.right - plot.left, plot.bottom - plot.top);
  ctx.stroke();
  ctx.fillStyle = palette.ink;
  ctx.textBaseline = 'alphabetic';
  ctx.fillText(xAxis.title, plot.right, plot.bottom + 31);
  ctx.textAlign = 'left';
  ctx.fillText(yAxis.title, 8, 14);
}

/// Text that stays readable over lines; kept inside the plot.
export function label(ctx: CanvasRenderingContext2D, palette: Palette, { plot }: Plane, text: string, x: number, y: number, colour: string) {
  const width = ctx.measureText(text).width;
  const left = Math.max(plot.left + 4, Math.min(plot.right - width - 4, x));
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  ctx.strokeStyle = palette.surface;
  ctx.lineWidth = 4;
  ctx.lineJoin = 'round';
  ctx.strokeText(text, left, y);
  ctx.fillStyle = colour;
  ctx.fillText(text, left, y);
}

/// Colours that tell curves apart, as the statuses have them.
export const seriesColour = (palette: Palette, i: number) => {
  const { status, whatif, accent } = palette;
  return [accent, status['memory-inefficient'], status['compute-bound'], whatif, status['compute-inefficient'], status['latency-bound'], status['link-inefficient'], palette.ink][i % 8]!;
};
