// A plot with a row per item, as many as there are: a canvas as large as what is visible, over a scrolling height.
import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { nextRefresh, pixelRatio } from '../core/printing';
import { shade } from '../core/theme';
import { surfaceOf } from './canvas';
import { useFigure } from './figures';
import { paletteOf } from './palette';
import type { Surface } from './surface';
import { HoverCard } from './HoverCard';

export const ROW_PX = matchMedia('(pointer: coarse)').matches ? 40 : 20;

/** The rows in view, and where they are. */
export interface Visible {
  first: number;
  last: number;
  y: (row: number) => number;
}

interface Props {
  rows: number;
  head: number; // pixels above the first row, which do not scroll
  label: string;
  redraw: ReadonlySignal<unknown>; // further dependencies of the picture
  draw: (surface: Surface, visible: Visible) => void;
  hint: (row: number, x: number, width: number) => ComponentChildren; // null: none
  choose?: (row: number, x: number, width: number) => void;
}

/** The rows; exports draw those in view. */
export function RowsPlot({ rows, head, label, redraw, draw, hint, choose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [over, setOver] = useState<{ x: number; y: number; text: ComponentChildren } | null>(null);
  const newest = useRef({ rows, draw });
  newest.current = { rows, draw };
  const drawVisible = (surface: Surface) => {
    const { scrollTop } = box.current!;
    const first = Math.floor(scrollTop / ROW_PX);
    const last = Math.min(newest.current.rows, Math.ceil((scrollTop + surface.height - head) / ROW_PX));
    newest.current.draw(surface, { first, last, y: row => head + row * ROW_PX - scrollTop });
  };
  useFigure(canvas, () => drawVisible);
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
      void [redraw.value, changed.value, shade.value];
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
  }, [redraw, head]);

  const at = (event: MouseEvent) => {
    const { left, top } = box.current!.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const row = Math.floor((y - head + box.current!.scrollTop) / ROW_PX);
    return { x, y, row: y >= head && row < rows ? row : -1 };
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
        <div style={{ height: `${head + rows * ROW_PX}px` }} aria-hidden="true" />
      </div>
      {over && (
        <HoverCard x={over.x} y={over.y}>
          {over.text}
        </HoverCard>
      )}
    </div>
  );
}
