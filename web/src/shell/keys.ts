// The keyboard: walking the operations, search, zoom.
import { batch } from '@preact/signals';
import { fitPoints, showDecades, zoomCentre } from '../roofline/window';
import { ROW_PX } from '../table/scroll';
import { detail, panelFrame, tableFrame } from '../core/engine';
import { opened } from '../sources/opened';
import { extendBy } from '../inspector/neighbours';
import { closeDoors, doorsOpen } from '../sources/first_visit';
import { isField } from '../sources/input';
import { historyAction } from './history';
import { helpOpen, paletteOpen } from '../core/dialogs';
import { narrow } from '../core/layout';
import { sheet } from '../core/sheet';
import { tourStep } from '../help/tour_step';
import { clearFilters, changeTable, tableResets, tableRows, selected, keyboardSteps, viewState } from '../core/view';

/** Starts to handle keys. `showNth` shows the n-th tab. */
export function acceptKeys(showNth: (at: number) => void) {
  addEventListener('keydown', event => {
    if (document.querySelector('dialog[open]')) return;
    const target = focusedAt(event);
    if (event.ctrlKey || event.metaKey) return withControl(event, target);
    if (event.altKey) return;
    if (event.key === 'Escape') return clear(target);
    if (isField(target) || (target instanceof HTMLInputElement && event.key.startsWith('Arrow'))) return;
    const action = /^[1-9]$/.test(event.key) ? () => showNth(Number(event.key) - 1) : actionOf(event, target);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** The focused element; not one in a closed dialog, which keeps the focus until the browser's next frame. */
const focusedAt = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('dialog') ? document.body : target;

function withControl(event: KeyboardEvent, target: EventTarget | null) {
  if (event.key.toLowerCase() === 'k') {
    event.preventDefault();
    paletteOpen.value = true;
    return;
  }
  const action = historyAction(event);
  const inNumber = target instanceof HTMLInputElement && target.type === 'number';
  if (!action || (isField(target) && !inNumber)) return; // the browser undoes what is typed in text fields
  event.preventDefault();
  if (inNumber) {
    // Blur ends the typed number. The browser's own undo would also change other number fields.
    const refused = target.getAttribute('aria-invalid') === 'true';
    target.blur();
    target.focus();
    if (refused) return; // its last valid value is back
  }
  action();
}

function actionOf({ key, shiftKey }: KeyboardEvent, target: EventTarget | null): (() => unknown) | null {
  const inChart = target instanceof HTMLCanvasElement;
  const walks =
    inChart || (target instanceof Element && (target === document.body || target.closest('.table-scroll') !== null));
  switch (key) {
    case '/':
      return () => document.querySelector<HTMLInputElement>('#search')?.focus();
    case '?':
      return () => (helpOpen.value = true);
    case '+':
    case '=':
      return () => zoomCentre(0.7);
    case '-':
      return () => zoomCentre(1 / 0.7);
    case '0':
    case 'f':
      return fitPoints;
    case 'd':
      return showDecades;
    case 'ArrowDown':
      return walks ? () => (shiftKey ? extendBy(1, lastOp()) : step(1)) : null;
    case 'ArrowUp':
      return walks ? () => (shiftKey ? extendBy(-1, lastOp()) : step(-1)) : null;
    case 'Home':
      return walks ? () => select(0) : null;
    case 'End':
      return walks ? () => select(Infinity) : null;
    case 'PageDown':
      return walks ? () => stepPage(1) : null;
    case 'PageUp':
      return walks ? () => stepPage(-1) : null;
    case 'ArrowRight':
      return inChart ? () => alongIntensity(1) : null;
    case 'ArrowLeft':
      return inChart ? () => alongIntensity(-1) : null;
    default:
      return null;
  }
}

/** Escape clears and leaves the search field. Elsewhere it does the first that applies: ends the tour, closes the sheet, closes the doors, clears the selection, clears the filters. */
function clear(target: EventTarget | null) {
  if (target instanceof HTMLElement && target.id === 'search') {
    if (viewState.value.search) changeTable({ search: undefined });
    return target.blur();
  }
  if (tourStep.value !== null) tourStep.value = null;
  else if (narrow.value && sheet.value) sheet.value = null;
  else if (doorsOpen.value) closeDoors();
  else if (selected.value !== null) selected.value = null;
  else clearFilters();
}

const lastOp = () => (opened.peek()?.ops ?? 0) - 1;

function step(by: number) {
  const now = currentRow();
  return select(now === null ? 0 : now + by);
}

/** Rows of a page: those in view, less one. */
function stepPage(direction: 1 | -1) {
  const height = document.querySelector('.table-scroll')?.clientHeight ?? 0;
  return step(direction * Math.max(1, Math.floor(height / ROW_PX) - 2));
}

let target: number | null = null; // a row that the core is fetching
let walked: { op: number; row: number } | null = null; // the last step, which a frame may not have answered yet

/** The current row. Keys can come faster than frames, so a step continues from the last target. */
function currentRow(): number | null {
  if (target !== null) return Math.min(target, (tableFrame.value?.json.table.total ?? 1) - 1);
  const answered = detail.peek()?.row.index === selected.peek();
  return !answered && walked?.op === selected.peek()
    ? walked!.row
    : (tableFrame.value?.json.table.selected_row ?? null);
}

/** Selects a row of the table, which may first have to be fetched. */
function select(row: number) {
  const table = tableFrame.value?.json.table;
  if (!table || table.total === 0) return;
  const at = Math.max(0, Math.min(table.total - 1, row));
  const known = tableFrame.value!.tableResets === tableResets.peek() ? table.rows[at - table.offset] : undefined;
  if (known) {
    walked = { op: known.index, row: at };
    batch(() => {
      selected.value = known.index;
      ++keyboardSteps.value;
    });
    target = null;
    return;
  }
  target = row === Infinity ? row : at;
  tableRows.value = { ...tableRows.value, offset: Math.max(0, at - Math.floor(tableRows.value.rows / 2)) };
}

/** Selects the fetched row, unless another selection was made in between. */
tableFrame.subscribe(() => {
  if (target !== null) select(target);
});
selected.subscribe(() => void (target = null));
tableResets.subscribe(() => void (target = walked = null));

/** The neighbour of the selected point on the intensity axis. */
function alongIntensity(by: number) {
  const now = panelFrame.value;
  if (!now || now.points.length === 0) return;
  const order = Array.from(now.points.keys())
    .filter(i => now.intensity[i]! >= 0)
    .sort((a, b) => now.intensity[a]! - now.intensity[b]!);
  const at = order.findIndex(i => now.points[i] === selected.value);
  const next = order[at < 0 ? 0 : Math.max(0, Math.min(order.length - 1, at + by))];
  if (next !== undefined) selected.value = now.points[next]!;
}
