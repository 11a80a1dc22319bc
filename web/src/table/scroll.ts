// The rows in view of a scrolled table. Browsers limit the height of an element; beyond it one pixel scrolls several rows.

/** A finger needs more room than a pointer. */
export const ROW_PX = matchMedia('(pointer: coarse)').matches ? 40 : 24;
const TALLEST_PX = 8e6;
const OVERSCAN = 2;

export interface Visible {
  first: number;
  count: number;
  top: number;
  height: number;
} // top: where row `first` is, in pixels

/** The rows in view at a scroll position. */
export function visibleRows(total: number, scrollTop: number, viewport: number): Visible {
  const full = total * ROW_PX;
  const ratio = full > TALLEST_PX ? (full - viewport) / (TALLEST_PX - viewport) : 1;
  const exact = (scrollTop * ratio) / ROW_PX;
  const first = Math.max(0, Math.floor(exact) - OVERSCAN);
  const count = Math.max(0, Math.min(total - first, Math.ceil(viewport / ROW_PX) + 2 * OVERSCAN));
  return { first, count, top: Math.max(0, scrollTop - (exact - first) * ROW_PX), height: Math.min(full, TALLEST_PX) };
}

/** Where to scroll so that a row is in view; the same place if it is already. */
export function scrollToRow(row: number, total: number, scrollTop: number, viewport: number) {
  const full = total * ROW_PX;
  const ratio = full > TALLEST_PX ? (full - viewport) / (TALLEST_PX - viewport) : 1;
  const at = scrollTop * ratio;
  const low = row * ROW_PX;
  if (low >= at && low + ROW_PX <= at + viewport) return scrollTop;
  const wanted = low < at ? low : low + ROW_PX - viewport;
  return Math.max(0, wanted / ratio);
}
