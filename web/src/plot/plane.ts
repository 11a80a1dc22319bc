// From values to pixels and back, and the ticks in between.
import { tick } from '../format';
import type { Box } from './surface';

export interface Axis {
  low: number;
  high: number;
  log: boolean;
  title: string;
  factor?: number; // shown = value * factor
  label?: (shown: number) => string;
}

/** One axis on the screen. A position is the decade on a logarithmic axis, else the value. */
export interface Scale {
  axis: Axis;
  pixels: number;
  at: (position: number) => number;
  position: (pixel: number) => number;
  pixel: (value: number) => number;
  value: (pixel: number) => number;
}

export interface Plane {
  box: Box;
  x: Scale;
  y: Scale;
}

function scaleOf(axis: Axis, start: number, end: number): Scale {
  const of = axis.log ? Math.log10 : (value: number) => value;
  const low = of(axis.low);
  const perPosition = (end - start) / (of(axis.high) - low || 1);
  const at = (position: number) => start + (position - low) * perPosition;
  const position = (pixel: number) => low + (pixel - start) / perPosition;
  return {
    axis,
    at,
    position,
    pixels: Math.abs(end - start),
    pixel: value => at(of(value)),
    value: pixel => (axis.log ? 10 ** position(pixel) : position(pixel)),
  };
}

/** The plane of two axes in a box. */
export const planeOf = (x: Axis, y: Axis, box: Box): Plane => ({
  box,
  x: scaleOf(x, box.left, box.right),
  y: scaleOf(y, box.bottom, box.top),
});

/** Whether a pixel is within the axes. */
export const contains = ({ box }: Plane, x: number, y: number) =>
  x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;

export interface Tick {
  pixel: number;
  label: string; // '': only a line
  major: boolean;
}

const FEW_DECADES = 0.6; // below, steps as on a linear axis say more
const ROUNDING = 1e-9;

/** Ticks at round values of what is shown; on a logarithmic axis powers of ten, with 2 and 5 labelled where there is room. */
export function ticksOf(scale: Scale): Tick[] {
  const { log, low, high } = scale.axis;
  return log && Math.log10(high / low) > FEW_DECADES ? decades(scale) : steps(scale);
}

function decades({ axis, pixels, at }: Scale): Tick[] {
  const { factor = 1, label = tick } = axis;
  const shift = Math.log10(factor);
  const [low, high] = [Math.log10(axis.low), Math.log10(axis.high)];
  const perDecade = pixels / (high - low);
  const labelled = perDecade > 320 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : perDecade > 110 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(36 / perDecade)); // decades per label where they are crowded
  const ticks: Tick[] = [];
  for (let decade = Math.floor(low + shift); decade <= high + shift; ++decade)
    for (let digit = 1; digit <= 9; ++digit) {
      const position = decade + Math.log10(digit) - shift;
      if (position < low - ROUNDING || position > high + ROUNDING) continue;
      ticks.push({
        pixel: at(position),
        major: digit === 1,
        label: labelled.includes(digit) && decade % every === 0 ? label(digit * 10 ** decade) : '',
      });
    }
  return ticks;
}

/** 1, 2 or 5 of a decade, at least as large as asked for. */
export function roundStep(least: number) {
  const decade = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(digit => digit * decade).find(size => size >= least)!;
}

function steps({ axis, pixels, pixel }: Scale): Tick[] {
  const { factor = 1, label = tick } = axis;
  const [low, high] = [axis.low * factor, axis.high * factor];
  const step = roundStep((high - low) / Math.max(2, Math.floor(pixels / 48)));
  const ticks: Tick[] = [];
  for (let i = Math.ceil(low / step - ROUNDING); i * step <= high * (1 + ROUNDING); ++i)
    ticks.push({ pixel: pixel((i * step) / factor), label: label(Number((i * step).toPrecision(12))), major: true });
  return ticks;
}

/** The place of the value nearest to a pixel. */
export function nearest(values: readonly number[], scale: Scale, pixel: number) {
  let best = 0;
  let least = Infinity;
  values.forEach((value, i) => {
    const away = Math.abs(scale.pixel(value) - pixel);
    if (away < least) [best, least] = [i, away];
  });
  return best;
}
