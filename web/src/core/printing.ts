// On its way to paper: light, sharp, and without waiting for the screen's next refresh.
import { signal } from '@preact/signals';

export const printing = signal(false);

addEventListener('beforeprint', () => (printing.value = true));
addEventListener('afterprint', () => (printing.value = false));

const PAPER_RATIO = 3;

/** Device pixels per pixel of a canvas. */
export const pixelRatio = () => (printing.value ? PAPER_RATIO : devicePixelRatio);

/** Draws with the screen's next refresh; for paper at once. Returns what cancels it. */
export function nextRefresh(draw: () => void): number {
  if (!printing.value) return requestAnimationFrame(draw);
  draw();
  return 0;
}
