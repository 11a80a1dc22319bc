// The table rows of the points, fetched when colours or labels need more than the frame has.
import { effect, signal } from '@preact/signals';
import type { RowJson } from '../../../wasm/session';
import { core } from '../core/core';
import { chartFrame, panelFrame } from '../core/engine';
import { view, viewState } from '../core/view';

/** Rows of the operations that are points. */
export async function pointRows(): Promise<Map<number, RowJson>> {
  const points = chartFrame.peek()?.points.length ?? 0;
  const rows = points ? await core().rows({ ...view.peek(), sort: 'time', descending: true }, points) : [];
  return new Map(rows.map(row => [row.index, row]));
}

/** The same, kept up with the frame while the colours need them. */
export const colourRows = signal<ReadonlyMap<number, RowJson>>(new Map());

effect(() => {
  const revision = panelFrame.value?.revision;
  if (!viewState.value.colour || !revision) return;
  void pointRows().then(rows => {
    if (panelFrame.peek()?.revision === revision) colourRows.value = rows;
  });
});
