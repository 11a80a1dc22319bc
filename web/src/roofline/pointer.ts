// Mouse, touch and wheel on the chart: hover, select, pan, zoom.
import { TARGET_RADIUS } from '../plot/legend';
import type { Drawn } from './draw';
import { hit } from './points';
import type { Anchor } from '../plot/HoverCard';
import { selected } from '../core/view';
import { chartWindow, moveTo, fitPoints, zoomed } from './window';

const NOWHERE = { x: 0, y: 0 };
const CLICK_PX = 4; // less movement than this is a click

/** Handles the pointer. `hover` gets the operation under it and `hoverTarget` the measured run, each with its position. */
export function attachPointer(
  canvas: HTMLCanvasElement,
  drawn: () => Drawn | null,
  hover: (op: number | null, at: Anchor) => void,
  hoverTarget: (target: number | null, at: Anchor) => void,
) {
  const leave = () => {
    hover(null, NOWHERE);
    hoverTarget(null, NOWHERE);
  };
  const pressed = new Map<number, { x: number; y: number }>(); // where each pointer was last
  // One finger pans if it moves sideways; if it moves up or down, the browser scrolls the page.
  let gesture: 'none' | 'click' | 'pan' | 'scroll' = 'none';

  const find = (event: PointerEvent) => {
    const scene = drawn();
    return scene && hit(scene.markers, event.offsetX, event.offsetY, event.pointerType === 'touch' ? 16 : 6);
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    pressed.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    gesture = pressed.size > 1 ? 'pan' : 'click';
    canvas.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const scene = drawn();
    const last = pressed.get(event.pointerId);
    if (!last || !scene) {
      const target =
        scene?.targets.findIndex(({ x, y }) => Math.hypot(x - event.offsetX, y - event.offsetY) <= TARGET_RADIUS + 2) ??
        -1;
      if (target >= 0) {
        hover(null, NOWHERE);
        return hoverTarget(target, { ...scene!.targets[target]!, radius: TARGET_RADIUS });
      }
      const marker = find(event);
      canvas.style.cursor = marker ? 'pointer' : 'crosshair';
      hoverTarget(null, NOWHERE);
      return hover(marker?.op ?? null, marker ? { x: marker.x, y: marker.y, radius: marker.radius } : NOWHERE);
    }
    const [dx, dy] = [event.offsetX - last.x, event.offsetY - last.y];
    if (gesture === 'click') {
      if (Math.hypot(dx, dy) < CLICK_PX) return;
      gesture = event.pointerType === 'touch' && Math.abs(dy) >= Math.abs(dx) ? 'scroll' : 'pan';
    }
    if (gesture === 'scroll') return;
    leave();
    canvas.style.cursor = 'grabbing';
    const { x, y } = scene.plane;
    const [shiftX, shiftY] = [
      (x.position(last.x) - x.position(event.offsetX)) / pressed.size,
      (y.position(last.y) - y.position(event.offsetY)) / pressed.size,
    ];
    const { x0, x1, y0, y1 } = chartWindow.value;
    moveTo({ x0: x0 + shiftX, x1: x1 + shiftX, y0: y0 + shiftY, y1: y1 + shiftY });
    pressed.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  };
  const release = (event: PointerEvent) => {
    pressed.delete(event.pointerId);
    if (pressed.size === 0) gesture = 'none';
  };
  const up = (event: PointerEvent) => {
    if (gesture === 'click') {
      const marker = find(event);
      if (marker) selected.value = marker.op;
    }
    release(event);
  };
  const wheel = (event: WheelEvent) => {
    const scene = drawn();
    if (!scene) return;
    event.preventDefault();
    const { x, y } = scene.plane;
    moveTo(
      zoomed(
        chartWindow.value,
        x.position(event.offsetX),
        y.position(event.offsetY),
        Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 300),
      ),
    );
  };
  canvas.addEventListener('pointerdown', down);
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('wheel', wheel, { passive: false });
  canvas.addEventListener('dblclick', fitPoints);
}
