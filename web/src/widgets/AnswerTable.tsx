// A table of a view's answers: a row per item, whose first cell is its name, and the columns as a list.
import type { ComponentChildren, JSX } from 'preact';

export interface AnswerColumn<Item> {
  title: ComponentChildren;
  hint?: string; // tooltip of its head
  text?: boolean; // left-aligned; else numbers, right-aligned
  cell: (item: Item, at: number) => ComponentChildren;
}

interface Props<Item> {
  columns: (AnswerColumn<Item> | false)[]; // false: left out
  rows: Item[];
  keyOf: (item: Item, at: number) => string | number;
  row?: (item: Item, at: number) => JSX.HTMLAttributes<HTMLTableRowElement>;
  below?: (item: Item) => ComponentChildren; // a second row over all columns
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
  caption,
  class: kind = '',
  onMouseLeave,
}: Props<Item>) {
  const [first, ...rest] = columns.filter(column => column !== false);
  const side = ({ text }: AnswerColumn<Item>) => (text ? '' : 'number');
  const line = (item: Item, at: number) => (
    <tr key={keyOf(item, at)} {...row?.(item, at)}>
      <th scope="row">{first!.cell(item, at)}</th>
      {rest.map((column, i) => (
        <td key={i} class={side(column)}>
          {column.cell(item, at)}
        </td>
      ))}
    </tr>
  );
  return (
    <table class={`figures ${kind}`}>
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {[first!, ...rest].map((column, i) => (
            <th key={i} scope="col" class={i === 0 ? '' : side(column)} title={column.hint}>
              {column.title}
            </th>
          ))}
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
        <tbody onMouseLeave={onMouseLeave}>{rows.map(line)}</tbody>
      )}
    </table>
  );
}
