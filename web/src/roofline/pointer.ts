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
  let drag: { x: number; y: number; moved: boolean } | null = null;

  const find = (event: PointerEvent) => {
    const scene = drawn();
    return scene && hit(scene.markers, event.offsetX, event.offsetY, event.pointerType === 'touch' ? 16 : 6);
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    drag = { x: event.offsetX, y: event.offsetY, moved: false };
    canvas.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const scene = drawn();
    if (!drag || !scene) {
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
    const [dx, dy] = [event.offsetX - drag.x, event.offsetY - drag.y];
    if (!drag.moved && Math.hypot(dx, dy) < CLICK_PX) return;
    leave();
    canvas.style.cursor = 'grabbing';
    const { x, y } = scene.plane;
    const [shiftX, shiftY] = [
      x.position(drag.x) - x.position(event.offsetX),
      y.position(drag.y) - y.position(event.offsetY),
    ];
    const { x0, x1, y0, y1 } = chartWindow.value;
    moveTo({ x0: x0 + shiftX, x1: x1 + shiftX, y0: y0 + shiftY, y1: y1 + shiftY });
    drag = { x: event.offsetX, y: event.offsetY, moved: true };
  };
  const up = (event: PointerEvent) => {
    if (drag && !drag.moved) {
      const marker = find(event);
      if (marker) selected.value = marker.op;
    }
    drag = null;
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
  canvas.addEventListener('pointercancel', () => (drag = null));
  canvas.addEventListener('pointerleave', leave);
  canvas.addEventListener('wheel', wheel, { passive: false });
  canvas.addEventListener('dblclick', fitPoints);
}
