// A table of a view's answers: a row per item, whose first cell is its name, and the columns as a list.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { NONE } from '../format';
import { SortableHead } from './SortableHead';
import { mountedTables, type CsvCell } from '../core/shown_tables';

export interface AnswerColumn<Item> {
  title: ComponentChildren;
  hint?: string; // tooltip of its head
  text?: boolean; // left-aligned; else numbers, right-aligned
  sort?: SortKey<Item>; // a click on its head sorts the rows
  cell: (item: Item, at: number) => ComponentChildren;
  value?: (item: Item) => CsvCell; // in exported files; absent: what it is sorted by, else the text of the cell
  unit?: string; // of the value
}

interface SortKey<Item> {
  id: string;
  of: (item: Item) => number | string | null; // null: not known, last in either direction
  ascending?: boolean; // at the first click
}

/** The column that rows are sorted by; without one they keep the view's order. */
interface SortOrder {
  id: string;
  ascending: boolean;
}

/** The rows in this order; unchanged without one, or if no column has its id. */
export function sortedBy<Item>(rows: Item[], columns: AnswerColumn<Item>[], order: SortOrder | undefined): Item[] {
  const key = columns.find(({ sort }) => sort !== undefined && sort.id === order?.id)?.sort;
  if (!key || !order) return rows;
  const sign = order.ascending ? 1 : -1;
  return [...rows].sort((a, b) => {
    const [x, y] = [key.of(a), key.of(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return x === y ? 0 : x < y ? -sign : sign;
  });
}

/** The order after a click on a head: the column's first direction, then the other, then the view's own. */
const orderAfterClick = <Item,>({ id, ascending = false }: SortKey<Item>, order: SortOrder | undefined) =>
  order?.id !== id ? { id, ascending } : order.ascending === ascending ? { id, ascending: !ascending } : undefined;

interface Props<Item> {
  columns: (AnswerColumn<Item> | false)[]; // false: left out
  rows: Item[];
  keyOf: (item: Item, at: number) => string | number;
  row?: (item: Item, at: number) => JSX.HTMLAttributes<HTMLTableRowElement>;
  below?: (item: Item) => ComponentChildren; // a second row over all columns
  group?: (item: Item) => string; // the heading above consecutive rows that share it; '': none
  order?: SortOrder | undefined;
  onSort?: (order: SortOrder | undefined) => void;
  caption?: ComponentChildren;
  class?: string;
  onMouseLeave?: () => void;
}

/** The table; the box that scrolls it is around it. */
export function AnswerTable<Item>({
  columns,
  rows,
  keyOf,
  row,
  below,
  group,
  order,
  onSort,
  caption,
  class: kind = '',
  onMouseLeave,
}: Props<Item>) {
  const [first, ...rest] = columns.filter(column => column !== false);
  const table = useRef<HTMLTableElement>(null);
  const lines = useRef<() => CsvCell[][]>(() => []);
  lines.current = () => csvLines([first!, ...rest], rows, group, table.current!);
  useEffect(() => {
    const shown = { element: () => table.current, lines: () => lines.current() };
    mountedTables.add(shown);
    return () => void mountedTables.delete(shown);
  }, []);
  const side = ({ text }: AnswerColumn<Item>) => (text ? '' : 'number');
  const head = (item: Item, at: number) => {
    const title = group?.(item);
    return title && (at === 0 || title !== group!(rows[at - 1]!)) ? (
      <tr key={title} class="group">
        <th scope="colgroup" colSpan={1 + rest.length}>
          {title}
        </th>
      </tr>
    ) : null;
  };
  const line = (item: Item, at: number) => (
    <tr key={keyOf(item, at)} data-item {...row?.(item, at)}>
      <th scope="row">{first!.cell(item, at)}</th>
      {rest.map((column, i) => (
        <td key={i} class={side(column)}>
          {column.cell(item, at)}
        </td>
      ))}
    </tr>
  );
  return (
    <table class={`figures ${kind}`} ref={table}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {[first!, ...rest].map((column, i) => {
            const { title, hint, text, sort } = column;
            const sorts = onSort && sort;
            return (
              <SortableHead
                key={i}
                title={title}
                hint={hint}
                text={i === 0 || text}
                ascending={sorts && order?.id === sort.id ? order.ascending : undefined}
                onClick={sorts && (() => onSort(orderAfterClick(sort, order)))}
              />
            );
          })}
        </tr>
      </thead>
      {below ? (
        rows.map((item, at) => (
          <tbody key={keyOf(item, at)}>
            {line(item, at)}
            <tr class="formulas muted">
              <td colSpan={1 + rest.length}>{below(item)}</td>
            </tr>
          </tbody>
        ))
      ) : (
        <tbody onMouseLeave={onMouseLeave}>{rows.flatMap((item, at) => [head(item, at), line(item, at)])}</tbody>
      )}
    </table>
  );
}

/** The table's head and rows for a file, without columns that lack a title, or that have neither a value nor text (buttons, bars). */
function csvLines<Item>(
  columns: AnswerColumn<Item>[],
  rows: Item[],
  group: ((item: Item) => string) | undefined,
  table: HTMLTableElement,
): CsvCell[][] {
  const heads = [...table.tHead!.rows[0]!.cells].map(({ textContent }) => textContent!.replace(/[▴▾]/, '').trim());
  const cells = [...table.querySelectorAll<HTMLTableRowElement>('tr[data-item]')].map(row =>
    [...row.cells].map(({ textContent }) => textContent!.trim().replace(/\s+/g, ' ')),
  );
  const written = columns.flatMap((column, i) => {
    const value = column.value ?? column.sort?.of;
    if (!heads[i] || (!value && cells.every(row => !row[i]))) return [];
    const text = (at: number) => (cells[at]![i] === NONE ? null : cells[at]![i]!);
    return {
      head: column.unit ? `${heads[i]} (${column.unit})` : heads[i]!,
      cell: (item: Item, at: number) => (value ? value(item) : text(at)),
    };
  });
  const groups = rows.map(item => group?.(item) ?? '');
  const grouped = groups.some(Boolean);
  return [
    [...(grouped ? ['Group'] : []), ...written.map(({ head }) => head)],
    ...rows.map((item, at) => [...(grouped ? [groups[at]!] : []), ...written.map(({ cell }) => cell(item, at))]),
  ];
}
