// The part of the run that the timeline shows: kept in the view, changed by buttons, keys and the wheel.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Scale } from '../plot/plane';
import { changeView, viewState } from '../core/view';
import type { TimeWindow } from './tracks';

const STEP = 0.7;
const LEAST_PART = 1e-5; // of the run: the segments' starts have seven digits

/** `part`, or null if it ends after the run, which a filter may have shortened. */
export const partInRun = (part: TimeWindow | null, time_s: number) =>
  part && part.to <= time_s * (1 + LEAST_PART) ? part : null;

/** The zoom of a run of that length. `zoomed`: the part in view; null: all. */
export function zoomOf(time_s: number) {
  const [from, to] = viewState.value.timeWindow ?? [];
  const zoomed = partInRun(from === undefined ? null : { from, to: to! }, time_s);
  const window = zoomed ?? { from: 0, to: time_s };
  const set = (part: TimeWindow | null) => changeView({ timeWindow: part ? [part.from, part.to] : undefined });
  const scale = (factor: number, at = (window.from + window.to) / 2) => {
    const length = Math.min(time_s, Math.max(time_s * LEAST_PART, (window.to - window.from) * factor));
    const before = ((at - window.from) / (window.to - window.from)) * length;
    const from = Math.max(0, Math.min(time_s - length, at - before));
    set(length >= time_s * 0.999 ? null : { from, to: from + length });
  };
  return {
    zoomed,
    window,
    set,
    zoomIn: (at?: number) => scale(STEP, at),
    zoomOut: (at?: number) => scale(1 / STEP, at),
    pan: (by: number) => {
      const length = window.to - window.from;
      const from = Math.max(0, Math.min(time_s - length, window.from + by * length));
      if (zoomed) set({ from, to: from + length });
    },
  };
}

export type Zoom = ReturnType<typeof zoomOf>;

/** The action of a key; undefined: none. */
export function keyAction({ set, zoomIn, zoomOut, pan }: Zoom, key: string) {
  const keys: Record<string, () => void> = {
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    f: () => set(null),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
  };
  return keys[key];
}

/** The wheel zooms at the pointer; scrolling sideways pans. `time`: where times are in the box. */
export function useWheelZoom(box: RefObject<HTMLElement>, zoom: Zoom, time: Scale) {
  const newest = useRef({ zoom, time });
  newest.current = { zoom, time };
  useEffect(() => {
    const element = box.current!;
    const wheel = (event: WheelEvent) => {
      const { zoom, time } = newest.current;
      if (event.deltaY > 0 && !zoom.zoomed) return; // nothing to zoom out of: the page scrolls
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return zoom.pan(Math.sign(event.deltaX) * 0.1);
      const at = time.value(event.clientX - element.getBoundingClientRect().left);
      if (event.deltaY < 0) zoom.zoomIn(at);
      else zoom.zoomOut(at);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, []);
}
