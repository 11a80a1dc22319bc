// Several neighbours selected: the operation in hand and those around it, in the order of the file.
import { computed } from '@preact/signals';
import { changeView, selected, viewState } from '../core/view';

/** First and last; null where one operation alone is selected, or another one than they were taken around. */
export const fused = computed(() => {
  const range = viewState.value.fuse;
  const at = selected.value;
  return range && at !== null && range[0] <= at && at <= range[1] ? range : null;
});

/** From the operation in hand to `op`, in place of those that were taken on that side. */
export function extend(op: number) {
  const at = selected.peek();
  if (at === null) return void (selected.value = op);
  const [first, last] = fused.peek() ?? [at, at];
  const range = op < at ? [op, last] : op > at ? [first, op] : [at, at];
  changeView({ fuse: range[0] === range[1] ? undefined : (range as [number, number]) });
}

/** One further by the keyboard; those on the other side are let go of first. */
export function extendBy(by: 1 | -1, most: number) {
  const at = selected.peek();
  if (at === null) return;
  const [first, last] = fused.peek() ?? [at, at];
  const shrinks = by > 0 ? first < at : last > at;
  const next: [number, number] = by > 0 === shrinks ? [first + by, last] : [first, last + by];
  if (next[0] < 0 || next[1] > most) return;
  changeView({ fuse: next[0] === next[1] ? undefined : next });
}

/** The operation in hand alone again. */
export const unfuse = () => changeView({ fuse: undefined });
