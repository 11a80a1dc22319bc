// A range of neighbours around the selected operation, in file order, to be fused.
import { computed } from '@preact/signals';
import { changeView, selected, viewState } from '../core/view';

/** First and last; null if there is no range around the selected operation. */
export const fused = computed(() => {
  const range = viewState.value.fuse;
  const at = selected.value;
  return range && at !== null && range[0] <= at && at <= range[1] ? range : null;
});

/** Extends the range from the selected operation to `op`, on that side. */
export function extend(op: number) {
  const at = selected.peek();
  if (at === null) return void (selected.value = op);
  const [first, last] = fused.peek() ?? [at, at];
  const range = op < at ? [op, last] : op > at ? [first, op] : [at, at];
  changeView({ fuse: range[0] === range[1] ? undefined : (range as [number, number]) });
}

/** One step by keyboard: shrinks the range on the other side first, then extends it. */
export function extendBy(by: 1 | -1, most: number) {
  const at = selected.peek();
  if (at === null) return;
  const [first, last] = fused.peek() ?? [at, at];
  const shrinks = by > 0 ? first < at : last > at;
  const next: [number, number] = by > 0 === shrinks ? [first + by, last] : [first, last + by];
  if (next[0] < 0 || next[1] > most) return;
  changeView({ fuse: next[0] === next[1] ? undefined : next });
}

/** Back to the selected operation alone. */
export const unfuse = () => changeView({ fuse: undefined });
