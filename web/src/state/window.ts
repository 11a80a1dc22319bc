// Which part of the roofline's plane is on the screen, and how it moves.
import { computed } from '@preact/signals';
import { chartFrame, panelFrame } from './engine';
import { measuredPoints } from './model';
import { changeView, zoom, type LogWindow } from './view';

/** Zoomed, or the machine's own decades. */
export const chartWindow = computed<LogWindow>(() => {
  if (zoom.value) return zoom.value;
  const axes = chartFrame.value?.json.axes;
  return axes
    ? { x0: axes.log_x0, x1: axes.log_x1, y0: axes.log_y0, y1: axes.log_y1 }
    : { x0: -2, x1: 4, y0: 8, y1: 15 };
});

/** Shows that part. */
export const moveTo = (window: LogWindow) => changeView({ zoom: window });
/** Shows the machine's own decades again. */
export const resetZoom = () => changeView({ zoom: undefined });

/** The window around one point in decades, the point keeping its place. Zooming out stops at 30 decades, in at a twentieth of one. */
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

/** Shows every point and, so that they can be judged, the roofs above them. */
export function fitPoints() {
  const now = panelFrame.value;
  if (!now) return;
  const measured = measuredPoints.value;
  const xs = [...finiteLogs(now.intensity), ...measured.map(({ intensity }) => Math.log10(intensity!))];
  const ys = [
    ...finiteLogs(now.attained.filter((_, i) => now.intensity[i]! > 0)),
    ...measured.map(({ achieved_flops }) => Math.log10(achieved_flops)),
  ];
  if (xs.length === 0) return;
  const ridge = now.json.roofs
    .filter(roof => roof.in_play && roof.kind === 'compute')
    .map(roof => Math.log10(roof.rate));
  const pad = 0.3;
  moveTo({
    x0: Math.min(...xs) - pad,
    x1: Math.max(...xs) + pad,
    y0: Math.min(...ys) - pad,
    y1: Math.max(...ys, ...ridge) + pad,
  });
}

const finiteLogs = (values: Float32Array) => Array.from(values, value => Math.log10(value)).filter(Number.isFinite);
