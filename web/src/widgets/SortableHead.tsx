// The head of a column; where rows can be sorted by it, a button with an arrow.
import type { ComponentChildren } from 'preact';

interface Props {
  title: ComponentChildren;
  hint?: string | undefined;
  text?: boolean | undefined; // left-aligned; else numbers, right-aligned
  ascending?: boolean | undefined; // the table's order; absent: it is by another column
  onClick?: (() => void) | undefined; // absent: does not sort
}

export const SortableHead = ({ title, hint, text, ascending, onClick }: Props) => (
  <th
    scope="col"
    class={text ? '' : 'number'}
    title={hint}
    aria-sort={ascending === undefined ? onClick && 'none' : ascending ? 'ascending' : 'descending'}
  >
    {onClick ? (
      <button type="button" onClick={onClick}>
        {title}
        {ascending !== undefined && <span aria-hidden="true">{ascending ? ' ▴' : ' ▾'}</span>}
      </button>
    ) : (
      title
    )}
  </th>
);
