// Predicted against measured on a log-log canvas: the diagonal, the band around it, a point per operation.
import type { Palette } from '../chart/palette';
import { scaleOf, ticksOf } from '../chart/scale';
import { seconds } from '../format';

export interface ParityPoint { op: number; x: number; y: number; colour: string }
export interface PlacedPoint extends ParityPoint { px: number; py: number }

interface Options { points: ParityPoint[]; band: number; palette: Palette; selected: number | null; width: number; height: number; xTitle: string }

/// Draws and tells where each point stands. x and y are seconds.
export function drawParity(context: CanvasRenderingContext2D, { points, band, palette, selected, width, height, xTitle }: Options): PlacedPoint[] {
  context.clearRect(0, 0, width, height);
  const values = points.flatMap(({ x, y }) => [x, y]);
  if (values.length === 0) return [];
  const low = Math.floor(Math.log10(Math.min(...values)) - 0.1);
  const high = Math.ceil(Math.log10(Math.max(...values)) + 0.1);
  const plot = { left: 64, top: 12, right: width - 16, bottom: height - 40 };
  const scale = scaleOf({ x0: low, x1: high, y0: low, y1: high }, plot);
  context.font = `11px ${palette.font}`;
  context.lineWidth = 1;

  let free = 0;  // where the next label has room
  for (const { decade, label, major } of ticksOf(low, high, 1, plot.right - plot.left)) {
    context.strokeStyle = major ? palette.grid : palette.gridMinor;
    line(context, scale.x(decade), plot.top, scale.x(decade), plot.bottom);
    context.fillStyle = palette.muted;
    context.textAlign = 'center';
    const half = context.measureText(seconds(10 ** decade)).width / 2 + 4;
    if (!label || scale.x(decade) - half < free) continue;
    context.fillText(seconds(10 ** decade), scale.x(decade), plot.bottom + 14);
    free = scale.x(decade) + half;
  }
  for (const { decade, label, major } of ticksOf(low, high, 1, plot.bottom - plot.top)) {
    context.strokeStyle = major ? palette.grid : palette.gridMinor;
    line(context, plot.left, scale.y(decade), plot.right, scale.y(decade));
    context.fillStyle = palette.muted;
    context.textAlign = 'right';
    if (label) context.fillText(seconds(10 ** decade), plot.left - 6, scale.y(decade) + 4);
  }
  context.textAlign = 'center';
  context.fillText(xTitle, (plot.left + plot.right) / 2, height - 8);
  context.save();
  context.translate(12, (plot.top + plot.bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.fillText('measured', 0, 0);
  context.restore();

  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top);
  context.clip();
  // Error = x / y - 1: the band's edges are y = x / (1 + band) and y = x / (1 - band).
  const edges = [-Math.log10(1 + band), -Math.log10(1 - band)] as const;
  context.fillStyle = palette.density;
  context.globalAlpha = 0.35;
  context.beginPath();
  context.moveTo(scale.x(low), scale.y(low + edges[0]));
  context.lineTo(scale.x(high), scale.y(high + edges[0]));
  context.lineTo(scale.x(high), scale.y(high + edges[1]));
  context.lineTo(scale.x(low), scale.y(low + edges[1]));
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = palette.roof;
  line(context, scale.x(low), scale.y(low), scale.x(high), scale.y(high));
  const placed = points.map(point => ({ ...point, px: scale.x(Math.log10(point.x)), py: scale.y(Math.log10(point.y)) }));
  for (const { op, px, py, colour } of placed) {
    context.beginPath();
    context.arc(px, py, op === selected ? 6 : 4, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    context.strokeStyle = op === selected ? palette.ink : palette.surface;
    context.stroke();
  }
  context.restore();
  return placed;
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
