// On a narrow page the panels are sheets over the bottom half: at most one is open. A wide page shows both beside the chart.
import { signal } from '@preact/signals';
import { narrow } from './layout';
import { selected } from './view';

export const sheet = signal<'change' | 'inspector' | null>(null);

/** Opens the panel of changes on a narrow page: what was opened is described there. */
export function showForm() {
  if (narrow.value) sheet.value = 'change';
}

let quiet: number | null | undefined; // the page's own next selection

/** Selects what the page itself chose: no sheet opens for it. */
export function selectQuietly(op: number | null) {
  quiet = op;
  selected.value = op;
}

selected.subscribe(op => {
  const own = op === quiet;
  quiet = undefined;
  if (op === null && sheet.peek() === 'inspector') sheet.value = null;
  else if (op !== null && !own) sheet.value = 'inspector';
});
