// The roofline chart with its legend, tooltip and buttons. The table is its text alternative.
import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { surfaceOf } from '../plot/canvas';
import { useExportedChart } from '../plot/exported';
import { paletteOf } from '../plot/palette';
import { drawScene, type Drawn } from './draw';
import { Glide } from './glide';
import { drawRoofline, sceneNow } from './picture';
import { hasPlace, type Outside } from './points';
import { colourRows, pointRows } from './colour_rows';
import { arrows } from '../compare/comparison';
import { chartFrame, panelFrame, timesOnly, units } from '../core/engine';
import { measuredPoints } from '../model/model';
import { nextRefresh, pixelRatio } from '../core/printing';
import { shade } from '../core/theme';
import { changeView, selected, viewState } from '../core/view';
import { askOpenColumns } from '../sources/asked_columns';
import { chartWindow, fitPoints, showDecades, zoomCentre } from './window';
import { IconButton } from '../widgets/IconButton';
import { Legend } from './Legend';
import { OutsideBadges } from './OutsideBadges';
import { attachPointer } from './pointer';
import { hideTooltip, hovered, hoveredTarget, Tooltip } from './Tooltip';
import { Select } from '../widgets/Select';
import { withCodeOnce } from '../widgets/Sentence';

const outside = signal<Outside>({ left: 0, right: 0, top: 0, bottom: 0 });

/** Draws at most once per screen refresh, whenever something it shows has changed. */
function attachDrawing(canvas: HTMLCanvasElement) {
  const glide = new Glide();
  let drawn: Drawn | null = null;
  let due = 0;
  const size = signal({ width: canvas.clientWidth, height: canvas.clientHeight });
  const draw = () => {
    due = 0;
    const palette = paletteOf(shade.peek());
    const scene = sceneNow(palette);
    const { width, height } = size.peek();
    if (!scene || width < 80 || height < 80) return;
    const frame = glide.at(scene.frame, performance.now());
    if (glide.moving) due = requestAnimationFrame(draw);
    drawn = drawScene(surfaceOf(canvas, width, height, palette, pixelRatio()), {
      ...scene,
      frame,
      hovered: hovered.peek()?.op ?? null,
    });
    if (JSON.stringify(outside.peek()) !== JSON.stringify(drawn.outside)) outside.value = drawn.outside;
    canvas.dataset.painted = String(scene.frame.revision);
    canvas.dataset.arrows = String(scene.arrows?.b.length ?? 0);
    canvas.dataset.markers = String(drawn.markers.length);
    canvas.dataset.symbols = [...new Set(drawn.markers.map(({ symbol }) => symbol))].sort().join(' ');
    canvas.dataset.measured = JSON.stringify(drawn.targets.map(({ x, y }) => [Math.round(x), Math.round(y)]));
  };
  const dispose = effect(() => {
    void [
      chartFrame.value,
      arrows.value,
      measuredPoints.value,
      chartWindow.value,
      colourRows.value,
      size.value,
      shade.value,
      viewState.value,
      selected.value,
      hovered.value?.op,
    ];
    due ||= nextRefresh(draw);
  });
  const observer = new ResizeObserver(entries => {
    for (const { contentRect } of entries) size.value = { width: contentRect.width, height: contentRect.height };
  });
  observer.observe(canvas);
  attachPointer(
    canvas,
    () => drawn,
    (op, at) => (hovered.value = op === null ? null : { op, ...at }),
    (target, at) => (hoveredTarget.value = target === null ? null : { target, ...at }),
  );
  return () => {
    dispose();
    observer.disconnect();
    cancelAnimationFrame(due);
    hideTooltip(); // a removed canvas gets no pointerleave
  };
}

/** The chart with legend, buttons and tooltip. */
export function RooflineChart() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => attachDrawing(canvas.current!), []);
  useExportedChart(canvas, async () => {
    const rows = await pointRows();
    return surface => drawRoofline(surface, rows);
  });
  return (
    <>
      <NoPoints />
      <div class="chart">
        <Legend />
        <div class="chart-plot">
          <canvas
            ref={canvas}
            tabIndex={0}
            role="img"
            aria-label="Roofline chart: performance over intensity. Arrow keys walk the operations; the table lists them."
          />
          <ChartTools />
          <OutsideBadges outside={outside.value} />
          <Tooltip />
        </div>
      </div>
    </>
  );
}

/** Why the chart has no points, and what to collect. */
export function NoPoints() {
  const frame = panelFrame.value;
  if (!frame || frame.json.shown.ops === 0 || frame.json.density.ops > 0) return null;
  if (frame.points.some((_, at) => hasPlace(frame, at))) return null;
  const { collect } = frame.json.limits;
  const mapColumns = timesOnly.value ? askOpenColumns() : null;
  return (
    <p class="no-points">
      {timesOnly.value
        ? 'Times only: no operation has a place on the roofline.'
        : 'No operation has both FLOPs and bytes, so the chart has no points.'}{' '}
      {collect && withCodeOnce(`Collect them with \`${collect}\`.`)}
      {mapColumns && (
        <>
          If the table has shapes or work under other names,{' '}
          <button type="button" class="link" onClick={() => mapColumns()}>
            map its columns…
          </button>
        </>
      )}
    </p>
  );
}

/** The memory whose intensity is on the x axis, if there are several. */
function MemoryChoice() {
  const memories = panelFrame.value?.json.memories ?? [];
  if (memories.length < 2) return null;
  const names: Record<string, string> = { '': 'the bottleneck', all: 'all memories, connected' };
  return (
    <label class="memory-choice" title="The memory whose bytes the intensity counts">
      <span>Intensity of</span>
      <Select
        label="Intensity of"
        value={viewState.value.memory ?? ''}
        options={['', ...memories, 'all'].map(name => [name, names[name] ?? name] as const)}
        onChange={memory => changeView({ memory: memory || undefined })}
      />
    </label>
  );
}

/** The prefix of rates: the one that fits each, or one for all. */
function UnitChoice() {
  const { rateUnit } = viewState.value;
  const { rate } = units.value;
  return (
    <Select<'' | 'G' | 'T'>
      class="unit-choice"
      label="Unit of rates"
      title="Unit of rates, in every view"
      value={rateUnit ?? ''}
      options={[
        ['', rate],
        ['G', `G${rate}`],
        ['T', `T${rate}`],
      ]}
      onChange={prefix => changeView({ rateUnit: prefix || undefined })}
    />
  );
}

/** Zoom and units, over the chart. */
function ChartTools() {
  return (
    <div class="chart-tools" role="group" aria-label="Zoom and units">
      <MemoryChoice />
      <UnitChoice />
      <IconButton icon="plus" label="Zoom in" keys="+" onClick={() => zoomCentre(0.7)} />
      <IconButton icon="minus" label="Zoom out" keys="−" onClick={() => zoomCentre(1 / 0.7)} />
      <IconButton icon="fit" label="Fit the points" keys="F" onClick={fitPoints} />
      <IconButton icon="decades" label="Show the machine’s full range" keys="D" onClick={showDecades} />
    </div>
  );
}
