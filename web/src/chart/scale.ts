// From decades to pixels, and the ticks in between.
import { tick } from '../format';
import type { LogWindow } from '../state/view';

export interface Box { left: number; top: number; right: number; bottom: number }

export interface Scale {
  window: LogWindow;
  plot: Box;
  x: (decade: number) => number;
  y: (decade: number) => number;
  decadeX: (pixel: number) => number;
  decadeY: (pixel: number) => number;
}

export function scaleOf(window: LogWindow, plot: Box): Scale {
  const sx = (plot.right - plot.left) / (window.x1 - window.x0);
  const sy = (plot.bottom - plot.top) / (window.y1 - window.y0);
  return {
    window, plot,
    x: decade => plot.left + (decade - window.x0) * sx,
    y: decade => plot.bottom - (decade - window.y0) * sy,
    decadeX: pixel => window.x0 + (pixel - plot.left) / sx,
    decadeY: pixel => window.y0 + (plot.bottom - pixel) / sy,
  };
}

export interface Tick { decade: number; label: string; major: boolean }

/// Ticks at powers of ten of the shown quantity (value * unitScale), in steps of `unit`; 2 and 5 get labels where there is room, the rest lines only.
export function ticksOf(low: number, high: number, unitScale: number, pixels: number, unit = 1): Tick[] {
  const shift = Math.log10(unitScale);
  const perDecade = pixels / (high - low);
  const labelled = perDecade > 240 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : perDecade > 110 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(36 / perDecade));  // decades per label where they are crowded
  const ticks: Tick[] = [];
  for (let decade = Math.floor(low + shift); decade <= high + shift; ++decade) {
    for (let digit = 1; digit <= 9; ++digit) {
      const at = decade + Math.log10(digit) - shift;
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      const label = labelled.includes(digit) && decade % every === 0 ? (unit === 1 ? tick(digit * 10 ** decade) : plainTick((digit * 10 ** decade) / unit)) : '';
      ticks.push({ decade: at, label, major: digit === 1 });
    }
  }
  return ticks;
}

/// In a fixed unit: 0.001, 20, 5,000.
const plainTick = (value: number) => (value < 1e-4 ? value.toExponential(0) : Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 6 }));

/// The window around one point in decades, the point keeping its place. Zooming out stops at 30 decades, in at a twentieth of one.
export function zoomed({ x0, x1, y0, y1 }: LogWindow, atX: number, atY: number, factor: number): LogWindow {
  const width = (x1 - x0) * factor;
  if (width > 30 || width < 0.05) return { x0, x1, y0, y1 };
  return {
    x0: atX - (atX - x0) * factor, x1: atX + (x1 - atX) * factor,
    y0: atY - (atY - y0) * factor, y1: atY + (y1 - atY) * factor,
  };
}
