// While printing: light theme, finer canvases, and drawing at once instead of at the next refresh.
import { signal } from '@preact/signals';

export const printing = signal(false);

addEventListener('beforeprint', () => (printing.value = true));
addEventListener('afterprint', () => (printing.value = false));

const PAPER_RATIO = 3;

/** Device pixels per pixel of a canvas. */
export const pixelRatio = () => (printing.value ? PAPER_RATIO : devicePixelRatio);

/** Draws at the next refresh, or at once while printing. Returns a function that cancels it. */
export function nextRefresh(draw: () => void): number {
  if (!printing.value) return requestAnimationFrame(draw);
  draw();
  return 0;
}
