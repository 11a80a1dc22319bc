// The window of the roofline chart. It opens on the points and the ridges and stays while sliders move, so that before and after can be
// compared; it is fitted again if something is outside it, or if it is over 1.3 times as wide or high as needed.
import { batch, computed, effect } from '@preact/signals';
import { chartFrame, panelFrame, type Frame } from '../core/engine';
import { measuredPoints } from '../model/model';
import { held } from '../core/pointer';
import { changeView, densityWindow, openingWindow, sourcesOpened, viewState, zoom, type LogWindow } from '../core/view';

const decadesOf = ({ json: { axes } }: Frame): LogWindow => ({
  x0: axes.log_x0,
  x1: axes.log_x1,
  y0: axes.log_y0,
  y1: axes.log_y1,
});

/** The window shown: zoomed, or the opening one. */
export const chartWindow = computed<LogWindow>(
  () => zoom.value ?? (chartFrame.value ? decadesOf(chartFrame.value) : { x0: -2, x1: 4, y0: 8, y1: 15 }),
);

/** Zooms to a window. */
export const moveTo = (window: LogWindow) => changeView({ zoom: window });

/** Shows the machine's full range. */
export function showDecades() {
  const frame = panelFrame.value;
  if (frame) moveTo(decadesOf(frame));
}

/** Shows the points and the ridges, as when it opened. */
export function fitPoints() {
  const frame = panelFrame.value;
  const wanted = fitted(frame);
  if (wanted) showHome(wanted);
  changeView({ zoom: undefined });
}

let homeOf: string | null = null;

effect(() => {
  const frame = panelFrame.value;
  if (!frame) return;
  const wanted = fitted(frame) ?? decadesOf(frame);
  const plane = `${sourcesOpened.peek()} ${frame.plane}`;
  const moved = plane !== homeOf;
  if (!moved && (held.value || (openingWindow.peek() && suits(openingWindow.peek()!, wanted)))) return;
  homeOf = plane;
  showHome(wanted, frame);
});

/** Tells the core the window, which it needs only to count operations not drawn as points. */
export function showHome(window: LogWindow, frame = panelFrame.peek()) {
  batch(() => {
    openingWindow.value = window;
    densityWindow.value = (frame?.json.density.ops ?? 0) > 0 ? window : null;
  });
}

/** The window to store in a link; undefined: the opening one. */
export function linkedZoom(): LogWindow | undefined {
  const opens = fitted(panelFrame.peek());
  const stays =
    openingWindow.value && opens && JSON.stringify(openingWindow.value) !== JSON.stringify(opens)
      ? openingWindow.value
      : undefined;
  return viewState.value.zoom ?? stays;
}

/** Zooms around a point, which keeps its place; all in decades. The limits are 30 decades and a twentieth of one. */
export function zoomed({ x0, x1, y0, y1 }: LogWindow, atX: number, atY: number, factor: number): LogWindow {
  const width = (x1 - x0) * factor;
  if (width > 30 || width < 0.05) return { x0, x1, y0, y1 };
  return {
    x0: atX - (atX - x0) * factor,
    x1: atX + (x1 - atX) * factor,
    y0: atY - (atY - y0) * factor,
    y1: atY + (y1 - atY) * factor,
  };
}

/** Zooms about the middle. */
export function zoomCentre(factor: number) {
  const { x0, x1, y0, y1 } = chartWindow.value;
  moveTo(zoomed(chartWindow.value, (x0 + x1) / 2, (y0 + y1) / 2, factor));
}

const PAD = 0.25; // decades around what must be seen
const LEAST = 2; // decades
const HEADROOM = 0.1; // of the height, for the names over the highest roof
const FOOTROOM = 0.08; // of the height, for the largest point at the lower edge
const TOLERANCE = PAD - 0.05;

const MAX_SIZE_RATIO = 1.3; // to the fitted window: after an extreme value is undone, the axes shrink again

/** Whether the window shows everything and is not much larger than needed. */
const suits = (window: LogWindow, wanted: LogWindow) =>
  window.x0 <= wanted.x0 + TOLERANCE &&
  window.x1 >= wanted.x1 - TOLERANCE &&
  window.y0 <= wanted.y0 + TOLERANCE &&
  window.y1 >= wanted.y1 - TOLERANCE &&
  window.x1 - window.x0 < MAX_SIZE_RATIO * (wanted.x1 - wanted.x0) &&
  window.y1 - window.y0 < MAX_SIZE_RATIO * (wanted.y1 - wanted.y0);

const known = new WeakMap<Frame, { measured: object; window: LogWindow | null }>();

/** The opening window, cached per frame. */
function fitted(frame: Frame | null): LogWindow | null {
  if (!frame) return null;
  const measured = measuredPoints.value;
  let answer = known.get(frame);
  if (answer?.measured !== measured) known.set(frame, (answer = { measured, window: fit(frame) }));
  return answer.window;
}

/** Includes every point, its what-if, the measured runs, and the ridges of the roofs in play; null: the frame has none of them. */
function fit(frame: Frame): LogWindow | null {
  const { json, intensity, attained, whatif_intensity, whatif_attained, memory_intensity } = frame;
  const x = new Range();
  const y = new Range();
  let slowestLane = Infinity;
  for (let i = 0; i < intensity.length; ++i) {
    if (intensity[i] === 0) slowestLane = Math.min(slowestLane, attained[i]! || Infinity);
    if (!(intensity[i]! > 0)) continue;
    x.add(intensity[i]!);
    y.add(attained[i]!);
  }
  whatif_intensity.forEach(x.add);
  whatif_attained.forEach((rate, i) => whatif_intensity[i]! > 0 && y.add(rate));
  memory_intensity.forEach(x.add);
  for (const { intensity: at, achieved_flops } of measuredPoints.value) {
    x.add(at!);
    y.add(achieved_flops);
  }
  addDensity(frame, x, y);
  const roofs = json.roofs.filter(roof => roof.in_play && !roof.achievable);
  const memories = roofs.filter(({ kind }) => kind === 'memory');
  for (const peak of roofs.filter(({ kind }) => kind === 'compute')) {
    y.add(peak.rate);
    if (memories[0]) x.add(peak.rate / memories[0].rate);
  }
  if (x.empty && y.empty && !Number.isFinite(slowestLane)) return null;
  const [x0, x1] = x.padded();
  if (Number.isFinite(slowestLane)) y.add(slowestLane * 10 ** x0); // where a lane's point stands (roofline/points.ts)
  const [y0, y1] = y.padded(FOOTROOM, HEADROOM);
  return { x0, x1, y0, y1 };
}

/** Includes the density cells that hold operations. */
function addDensity({ json: { density: grid }, density }: Frame, x: Range, y: Range) {
  if (grid.ops === 0) return;
  let [left, right, bottom, top] = [grid.width, -1, grid.height, -1];
  for (let row = 0, i = 0; row < grid.height; ++row)
    for (let column = 0; column < grid.width; ++column, ++i) {
      if (density[i] === 0) continue;
      left = Math.min(left, column);
      right = Math.max(right, column);
      bottom = Math.min(bottom, row);
      top = row;
    }
  if (right < 0) return;
  const at = (low: number, high: number, cells: number, i: number) => 10 ** (low + ((high - low) * (i + 0.5)) / cells);
  for (const column of [left, right]) x.add(at(grid.log_x0, grid.log_x1, grid.width, column));
  for (const row of [bottom, top]) y.add(at(grid.log_y0, grid.log_y1, grid.height, row));
}

/** Lowest and highest of positive values, in decades. */
class Range {
  private low = Infinity;
  private high = -Infinity;

  get empty() {
    return this.low > this.high;
  }

  add = (value: number) => {
    if (!(value > 0 && value < Infinity)) return;
    const decade = Math.log10(value);
    this.low = Math.min(this.low, decade);
    this.high = Math.max(this.high, decade);
  };

  /** The range with padding; `below` and `above` of it at least at the ends, and never less than LEAST decades. */
  padded(below = 0, above = 0): [number, number] {
    if (this.empty) return [0, LEAST];
    const range = this.high - this.low;
    const pad = Math.max(PAD, (LEAST - range) / 2);
    return [this.low - Math.max(pad, below * range), this.high + Math.max(pad, above * range)];
  }
}
