// The chart as a picture of its own: title, chart, legend, at twice the size.
import { count } from '../format';
import { frame, units } from '../state/engine';
import { measuredPoints } from '../state/model';
import { selected, viewState } from '../state/view';
import { legendEntries, seriesNames } from './Legend';
import { trace } from './markers';
import { readPalette } from './palette';
import { drawChart, paintTarget } from './render';
import { chartWindow } from './window';

const WIDTH = 1000, HEIGHT = 600, HEADER = 56, FOOTER = 32, RATIO = 2;

export function chartPng(): Promise<Blob | null> {
  const now = frame.value!;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH * RATIO, (HEADER + HEIGHT + FOOTER) * RATIO];
  const ctx = canvas.getContext('2d')!;
  const palette = readPalette();
  ctx.scale(RATIO, RATIO);
  ctx.fillStyle = palette.surface;
  ctx.fillRect(0, 0, WIDTH, HEADER + HEIGHT + FOOTER);

  ctx.fillStyle = palette.ink;
  ctx.font = `600 15px ${palette.font}`;
  ctx.fillText(now.json.source, 16, 24, WIDTH - 32);
  ctx.font = `13px ${palette.font}`;
  ctx.fillText(now.json.headline, 16, 44, WIDTH - 32);

  ctx.save();
  ctx.translate(0, HEADER);
  drawChart(ctx, {
    frame: now, window: chartWindow.value, units: units.value, palette, switched: viewState.value.roofs ?? [], series: seriesNames(),
    measured: measuredPoints.value, selected: selected.value, hovered: null, width: WIDTH, height: HEIGHT, ratio: RATIO,
  });
  ctx.restore();

  ctx.font = `11px ${palette.font}`;
  let x = 20;
  for (const [status, ops] of legendEntries()) {
    const text = `${status.replace('-', ' ')} ${count(ops)}`;
    ctx.beginPath();
    trace(ctx, 'circle', x, HEADER + HEIGHT + 12, 4);
    ctx.fillStyle = palette.status[status];
    ctx.fill();
    ctx.fillStyle = palette.ink;
    ctx.fillText(text, x + 9, HEADER + HEIGHT + 16);
    x += ctx.measureText(text).width + 28;
  }
  if (measuredPoints.value.length > 0) {
    paintTarget(ctx, palette, x, HEADER + HEIGHT + 12);
    ctx.fillText('measured', x + 11, HEADER + HEIGHT + 16);
  }
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}
