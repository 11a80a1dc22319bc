// A plot with a row per item, as many as there are: a canvas as large as what is visible, over a scrolling height.
import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { panelFrame } from '../core/engine';
import { nextRefresh, pixelRatio } from '../core/printing';
import { shade } from '../core/theme';
import { selected } from '../core/view';
import { surfaceOf } from './canvas';
import { useExportedChart } from './exported';
import { paletteOf } from './palette';
import { fitted, type Surface } from './surface';
import { HoverCard } from './HoverCard';

export const ROW_PX = matchMedia('(pointer: coarse)').matches ? 40 : 20;
export const HEAD_PX = 24; // above the first row, does not scroll
export const NAME_PX = 240; // greatest width of row names

/** The rows in view, and where they are. */
export interface Visible {
  first: number;
  last: number;
  y: (row: number) => number;
}

interface Props {
  rows: number;
  label: string;
  draw: (surface: Surface, visible: Visible) => void;
  hint: (row: number, x: number, width: number) => ComponentChildren; // null: none
  choose?: (row: number, x: number, width: number) => void;
}

/** Draws a row's name, right-aligned at `right`, where its figures begin. */
export function drawRowName(surface: Surface, name: string, top: number, right: number, current: boolean) {
  const { ink, muted } = surface.palette;
  surface.text(fitted(surface, name, right - 12), right - 6, top + ROW_PX / 2, {
    colour: current ? ink : muted,
    align: 'right',
    baseline: 'middle',
  });
}

/** The rows; exports draw those in view. They are drawn again when the selection or the frame changes. */
export function RowsPlot({ rows, label, draw, hint, choose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [over, setOver] = useState<{ x: number; y: number; text: ComponentChildren } | null>(null);
  const newest = useRef({ rows, draw });
  newest.current = { rows, draw };
  const drawVisible = (surface: Surface) => {
    const { scrollTop } = box.current!;
    const first = Math.floor(scrollTop / ROW_PX);
    const last = Math.min(newest.current.rows, Math.ceil((scrollTop + surface.height - HEAD_PX) / ROW_PX));
    newest.current.draw(surface, { first, last, y: row => HEAD_PX + row * ROW_PX - scrollTop });
  };
  useExportedChart(canvas, () => drawVisible);
  const changed = useRef(signal(0)).current;
  useEffect(() => void ++changed.value, [rows, draw]);
  useEffect(() => {
    let due = 0;
    const paint = () => {
      due = 0;
      const { clientWidth: width, clientHeight: height } = box.current!;
      const element = canvas.current!;
      [element.style.width, element.style.height] = [`${width}px`, `${height}px`];
      drawVisible(surfaceOf(element, width, height, paletteOf(shade.peek()), pixelRatio()));
      element.dataset.rows = String(newest.current.rows);
    };
    const ask = () => (due ||= nextRefresh(paint));
    const dispose = effect(() => {
      void [selected.value, panelFrame.value?.revision, changed.value, shade.value];
      ask();
    });
    const observer = new ResizeObserver(ask);
    observer.observe(box.current!);
    box.current!.addEventListener('scroll', ask, { passive: true });
    return () => {
      dispose();
      observer.disconnect();
      cancelAnimationFrame(due);
    };
  }, []);

  const at = (event: MouseEvent) => {
    const { left, top } = box.current!.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const row = Math.floor((y - HEAD_PX + box.current!.scrollTop) / ROW_PX);
    return { x, y, row: y >= HEAD_PX && row < rows ? row : -1 };
  };
  const move = (event: MouseEvent) => {
    const { x, y, row } = at(event);
    const text = row >= 0 ? hint(row, x, box.current!.clientWidth) : null;
    setOver(text ? { x, y, text } : null);
  };
  const click = (event: MouseEvent) => {
    const { x, row } = at(event);
    if (row >= 0) choose?.(row, x, box.current!.clientWidth);
  };
  return (
    <div class="rows-canvas">
      <div
        class="rows-scroll"
        ref={box}
        tabIndex={0}
        role="region"
        aria-label={label}
        onMouseMove={move}
        onMouseLeave={() => setOver(null)}
        onClick={click}
      >
        <canvas ref={canvas} role="img" aria-label={`${label}. The table lists the same figures.`} />
        <div style={{ height: `${HEAD_PX + rows * ROW_PX}px` }} aria-hidden="true" />
      </div>
      {over && (
        <HoverCard x={over.x} y={over.y}>
          {over.text}
        </HoverCard>
      )}
    </div>
  );
}
