// The operations as a table: sorted by the core, fetched page by page as it scrolls.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RowJson } from '../../../wasm/session';
import { count, percent } from '../format';
import { detail, tableFrame, units } from '../core/engine';
import { typeCounts } from './filters';
import { extend, fused, unfuse } from '../inspector/neighbours';
import { printing } from '../core/printing';
import { ROW_PX, scrollToRow, visibleRows } from './scroll';
import { changeTable, tableResets, tableRows, selected, keyboardSteps, viewState } from '../core/view';
import { Menu } from '../widgets/Menu';
import { allColumns, chosenColumns, shownColumns, type Column } from '../widgets/columns';
import { keptName, room } from '../widgets/names';
import { rowName } from '../operator/operator';
import { useClipCue } from '../widgets/ClipBox';
import { SortableHead } from '../widgets/SortableHead';
import { withSizesForEqualNames } from './with_sizes';

const HEADER_PX = ROW_PX + 2;
const MARKER_PX = 12; // before a name, beyond what room() allows
const MOST_CUT_PX = 190; // for names that may be cut
const MOST_KEPT_PX = 280; // for the operators in names
const MOST_EFFICIENCY_PX = 130;
const MARGIN_ROWS = 24; // fetched beyond what is visible

const scroll = signal({ top: 0, viewport: 240, width: 0 });

/**
 * Column widths, px. Spare width goes to long types, then to names. Names are cut if the table then fits. `least`: the least width of the
 * table; `named`: the width of the names.
 */
function widths(shown: Column[], rows: RowJson[]) {
  const efficiencies = rows.map(({ efficiency }) => percent(efficiency)); // of an impossible time, a factor of any length
  const leastOf = ({ id, width }: Column) =>
    id === 'efficiency' ? room(efficiencies, width, MOST_EFFICIENCY_PX) : width;
  const cutName = room(rows.map(rowName), 96, MOST_CUT_PX);
  const name = Math.max(cutName, room(rows.map(keptName), 96, MOST_KEPT_PX));
  const others = MARKER_PX + shown.reduce((sum, column) => sum + leastOf(column), 0);
  const left = scroll.value.width - others;
  const least = others + (left < cutName ? name : Math.min(name, left));
  const spare = Math.max(0, scroll.value.width - least);
  const types = typeCounts().map(({ type }) => type);
  const of = (column: Column) => {
    const px = leastOf(column);
    return column.id === 'type' ? room(types, px, Math.min(150, px + spare)) : px;
  };
  const named = Math.max(least, scroll.value.width) - shown.reduce((sum, column) => sum + of(column), 0);
  return { least, of, named };
}

/** The table, of which only the visible rows exist. */
export function OpTable() {
  const box = useRef<HTMLDivElement>(null);
  const json = tableFrame.value?.json;
  useEffect(() => {
    const element = box.current!;
    const measure = () =>
      (scroll.value = {
        top: element.scrollTop,
        viewport: element.clientHeight - HEADER_PX,
        width: element.clientWidth,
      });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => observer.disconnect();
  }, []);
  useClipCue(box);
  const total = json?.table.total ?? 0;
  const rows = withSizesForEqualNames(json?.table.rows ?? []);
  const offset = json?.table.offset ?? 0;
  // Printing shows the rows fetched so far.
  const visible = printing.value
    ? { first: offset, count: rows.length, top: 0, height: 0 }
    : visibleRows(total, scroll.value.top, scroll.value.viewport);
  useEffect(() => fetchRows(visible.first, visible.count), [visible.first, visible.count, tableRows.value]);
  useEffect(() => void (box.current!.scrollTop = 0), [tableResets.value]);
  useEffect(() => reveal(box.current!), [tableFrame.value?.revision, selected.value, keyboardSteps.value]);

  const shown = shownColumns();
  const { least, of: widthOf, named } = widths(shown, rows);
  return (
    <div class="table-frame" style={{ '--rows': total }}>
      <div class="table-scroll" ref={box} tabIndex={0} role="region" aria-label="Operations">
        <table role="grid" aria-label="Operations" aria-rowcount={total + 1} style={{ minWidth: least }}>
          <colgroup>
            {shown.map(column => (
              <col key={column.id} style={{ width: widthOf(column) || 'auto' }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {shown.map(column => (
                <HeaderCell key={column.id} column={column} />
              ))}
            </tr>
          </thead>
          <tbody>
            <tr class="spacer" aria-hidden="true" style={{ height: `${visible.top}px` }} />
            {Array.from({ length: visible.count }, (_, i) => {
              const at = visible.first + i,
                row = rows[at - offset];
              return <Row key={row?.index ?? `row ${at}`} at={at} row={row} shown={shown} px={named} />; // keyed by operation: a moved row keeps its cells
            })}
            <tr
              class="spacer"
              aria-hidden="true"
              style={{ height: `${Math.max(0, visible.height - visible.top - visible.count * ROW_PX)}px` }}
            />
          </tbody>
        </table>
        {total === 0 && json && (
          <p class="muted hint">{json.all.ops === 0 ? 'There are no operations.' : 'No operations match.'}</p>
        )}
        {rows.length < total && (
          <p class="on-paper">
            The first {count(rows.length)} of {count(total)} operations in table order. The CSV export has all.
          </p>
        )}
      </div>
    </div>
  );
}

function fetchRows(first: number, length: number) {
  const { offset, rows } = tableRows.peek();
  if (first >= offset && first + length <= offset + rows) return;
  tableRows.value = { offset: Math.max(0, first - MARGIN_ROWS), rows: length + 2 * MARGIN_ROWS };
}

/** Scrolls to the selected operation once per selection or step, so that the user can scroll on afterwards. */
let revealed = '';
function reveal(box: HTMLElement) {
  const op = selected.peek();
  const table = tableFrame.peek()?.json.table;
  if (op === null || !table || table.selected_row === null || detail.peek()?.row.index !== op) return; // the frame is of another selection
  const key = `${op} ${keyboardSteps.peek()}`;
  if (key === revealed) return;
  revealed = key;
  box.scrollTop = scrollToRow(table.selected_row, table.total, box.scrollTop, scroll.peek().viewport);
}

function HeaderCell({ column: { title, sort, text, follows, unit, hint } }: { column: Column }) {
  const { sort: asked, ascending = false } = viewState.value;
  const by = asked ?? tableFrame.value?.json.table.sort ?? 'lost'; // the requested order, before its frame arrives
  const same = sort !== undefined && by === sort;
  const active = same && !follows;
  return (
    <SortableHead
      title={title}
      hint={hint ?? unit?.(units.value)}
      text={text}
      ascending={active ? ascending : undefined}
      onClick={sort && (() => changeTable({ sort, ascending: same ? !ascending : text === true }))}
    />
  );
}

/** Keeps the browser from marking text on a Shift-click. */
const keepText = (event: MouseEvent) => event.shiftKey && event.preventDefault();

function Row({ at, row, shown, px }: { at: number; row: RowJson | undefined; shown: Column[]; px: number }) {
  if (!row)
    return (
      <tr aria-rowindex={at + 2}>
        <td colSpan={shown.length} class="muted">
          …
        </td>
      </tr>
    );
  const [first, last] = fused.value ?? [selected.value, selected.value];
  const current = first !== null && first <= row.index && row.index <= last!;
  const choose = ({ shiftKey }: MouseEvent) => {
    if (shiftKey) return extend(row.index);
    unfuse();
    selected.value = row.index;
  };
  return (
    <tr aria-rowindex={at + 2} aria-selected={current} data-op={row.index} onClick={choose} onMouseDown={keepText}>
      {shown.map(({ id, text, cell }) => (
        <td key={id} class={text ? '' : 'number'} title={id === 'name' ? row.name : undefined}>
          {cell(row, units.value, px)}
        </td>
      ))}
    </tr>
  );
}

/** The menu of columns. */
export function ColumnsMenu() {
  const columns = chosenColumns();
  const first = viewState.value.level === 'program' ? 'step' : 'name';
  const toggle = (id: string) => {
    columns.value = columns.value.includes(id) ? columns.value.filter(other => other !== id) : [...columns.value, id];
  };
  return (
    <Menu class="columns-menu" label="Columns" align="right">
      {() =>
        allColumns().map(({ id, title }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={columns.value.includes(id)}
              disabled={id === first}
              onChange={() => toggle(id)}
            />{' '}
            {title}
          </label>
        ))
      }
    </Menu>
  );
}
