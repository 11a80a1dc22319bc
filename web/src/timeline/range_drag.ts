// Dragging along the timeline marks a range of time.
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Scale } from '../plot/plane';
import type { TimeWindow } from './tracks';

const CLICK_PX = 4; // a shorter movement is a click

interface Options {
  window: TimeWindow; // in view
  time: Scale; // from times (s) to x in the box (px)
  onRange: (range: TimeWindow) => void;
  onClick: (x: number, y: number) => void;
}

/** The box's pointer handlers, and `over`, the pointer's position in the box; null: outside, or dragging. */
export function useRangeDrag(box: RefObject<HTMLElement>, { window, time, onRange, onClick }: Options) {
  const [over, setOver] = useState<{ x: number; y: number } | null>(null);
  const began = useRef<number | null>(null); // s
  const placeOf = (event: PointerEvent) => {
    const { left, top } = box.current!.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const timeAt = (x: number) => Math.max(window.from, Math.min(window.to, time.value(x)));
  const isClick = (from: number, x: number) => Math.abs(time.pixel(from) - x) < CLICK_PX;
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      box.current!.setPointerCapture(event.pointerId);
      began.current = timeAt(placeOf(event).x);
    },
    onPointerMove: (event: PointerEvent) => {
      const at = placeOf(event);
      setOver(at);
      const from = began.current;
      if (from === null || isClick(from, at.x)) return;
      const now = timeAt(at.x);
      onRange({ from: Math.min(from, now), to: Math.max(from, now) });
    },
    onPointerUp: (event: PointerEvent) => {
      const from = began.current;
      began.current = null;
      const { x, y } = placeOf(event);
      if (from !== null && isClick(from, x)) onClick(x, y);
    },
    onPointerCancel: () => void (began.current = null),
    onPointerLeave: () => setOver(null),
  };
  return { over: began.current === null ? over : null, handlers };
}
