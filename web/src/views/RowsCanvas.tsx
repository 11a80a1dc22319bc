// A picture with a row per item, as many as there are: a canvas as large as what is visible, over a scrolling height.
import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readPalette, type Palette } from '../chart/palette';
import { shade } from '../state/theme';

export const ROW_PX = 20;

export interface Visible { first: number; last: number; width: number; height: number; y: (row: number) => number; palette: Palette }

interface Props {
  rows: number;
  head: number;  // pixels above the first row, which do not scroll
  label: string;
  redraw: ReadonlySignal<unknown>;  // whatever else the picture depends on
  draw: (context: CanvasRenderingContext2D, visible: Visible) => void;
  hint: (row: number, x: number, width: number) => ComponentChildren;  // null: nothing to say there
  choose?: (row: number, x: number, width: number) => void;
}

export function RowsCanvas({ rows, head, label, redraw, draw, hint, choose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [over, setOver] = useState<{ x: number; y: number; text: ComponentChildren } | null>(null);
  const latest = useRef({ rows, draw });
  latest.current = { rows, draw };
  const changed = useRef(signal(0)).current;
  useEffect(() => void ++changed.value, [rows, draw]);
  useEffect(() => {
    let due = 0;
    const paint = () => {
      due = 0;
      const { clientWidth: width, clientHeight: height, scrollTop } = box.current!;
      const ratio = devicePixelRatio;
      const element = canvas.current!;
      [element.width, element.height] = [Math.round(width * ratio), Math.round(height * ratio)];
      [element.style.width, element.style.height] = [`${width}px`, `${height}px`];
      const context = element.getContext('2d')!;
      context.scale(ratio, ratio);
      const palette = readPalette();
      context.fillStyle = palette.surface;
      context.fillRect(0, 0, width, height);
      context.font = `11px ${palette.font}`;
      const first = Math.floor(scrollTop / ROW_PX);
      const last = Math.min(latest.current.rows, Math.ceil((scrollTop + height - head) / ROW_PX));
      latest.current.draw(context, { first, last, width, height, palette, y: row => head + row * ROW_PX - scrollTop });
      element.dataset.rows = String(latest.current.rows);
    };
    const ask = () => (due ||= requestAnimationFrame(paint));
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
      <div class="rows-scroll" ref={box} tabIndex={0} role="region" aria-label={label} onMouseMove={move} onMouseLeave={() => setOver(null)} onClick={click}>
        <canvas ref={canvas} role="img" aria-label={`${label}. The table lists the same figures.`} />
        <div style={{ height: `${head + rows * ROW_PX}px` }} aria-hidden="true" />
      </div>
      {over && (
        <div class="tooltip" data-side={over.x > (box.current?.clientWidth ?? 0) / 2 ? 'left' : 'right'} style={{ '--x': `${over.x}px`, '--y': `${over.y}px` }}>{over.text}</div>
      )}
    </div>
  );
}

/// A text cut to a width, the middle left out: kernels' names differ at their ends.
export function fitted(context: CanvasRenderingContext2D, text: string, width: number) {
  if (context.measureText(text).width <= width) return text;
  let keep = Math.max(2, Math.floor(text.length * width / context.measureText(text).width) - 1);
  for (; keep > 2; --keep) {
    const cut = `${text.slice(0, Math.ceil(keep / 2))}…${text.slice(text.length - Math.floor(keep / 2))}`;
    if (context.measureText(cut).width <= width) return cut;
  }
  return '…';
}
