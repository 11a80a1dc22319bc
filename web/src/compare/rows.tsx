// What the two tables of a comparison share: a sortable head, times before and after, and totals.
import type { ChangesJson } from '../../../wasm/session';
import { count, NONE, seconds, times, type Maybe } from '../format';
import type { ChangeOrder } from '../protocol';
import { changeView, viewState } from '../core/view';
import { SortableHead } from '../widgets/SortableHead';

export interface ChangeColumn {
  id: string;
  title: string;
  width: number; // px; 0: takes what is left
  sort?: ChangeOrder;
  text?: boolean; // left-aligned, sorts ascending first
  inverse?: boolean; // shows the negative of what it is sorted by
  hint?: string;
}

export const TIME_CHANGE: ChangeColumn = {
  id: 'saved',
  title: 'Time change',
  width: 96,
  sort: 'saved',
  inverse: true,
  hint: 'After − before: a negative change is faster',
};
export const SPEEDUP: ChangeColumn = { id: 'speedup', title: 'Speed', width: 100, sort: 'speedup' };
export const BEFORE: ChangeColumn = { id: 'before', title: 'Before', width: 74, sort: 'before' };
export const AFTER: ChangeColumn = { id: 'after', title: 'After', width: 74, sort: 'after' };

/** A second click reverses the order, a third returns to the size of the change. */
function sortBy(id: ChangeOrder, first: boolean) {
  const { compareSort: sort, compareAscending: ascending = false } = viewState.value;
  if (sort === id && ascending !== first) changeView({ compareSort: undefined, compareAscending: undefined });
  else changeView({ compareSort: id, compareAscending: sort === id ? !ascending : first });
}

/** The width of all columns but the name's, for the table's least width. */
export const widthOf = (columns: ChangeColumn[]) => ({
  '--columns': `${columns.reduce((sum, { width }) => sum + width, 0)}px`,
});

/** The widths of the columns, and the head that sorts by them. */
export function ChangeHead({ columns }: { columns: ChangeColumn[] }) {
  const { compareSort = 'change', compareAscending = false } = viewState.value;
  return (
    <>
      <colgroup>
        {columns.map(({ id, width }) => (
          <col key={id} style={{ width: width || 'auto' }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ id, title, sort, text = false, inverse = false, hint }) => (
            <SortableHead
              key={id}
              title={title}
              hint={hint}
              text={text}
              ascending={sort === compareSort ? compareAscending !== inverse : undefined}
              onClick={sort && (() => sortBy(sort, text))}
            />
          ))}
        </tr>
      </thead>
    </>
  );
}

/** "1.4x faster", "3.05x slower". */
export const fasterOrSlower = (speed: number) =>
  times(speed) === times(1) ? 'the same' : speed > 1 ? `${times(speed)} faster` : `${times(1 / speed)} slower`;

const signed = (change: number) => `${change > 0 ? '+' : ''}${seconds(change)}`;

/** After − before, and whether that is better. */
const TimeChange = ({ saved, plain }: { saved: Maybe; plain: boolean }) => (
  <td class={`number ${plain || !saved ? '' : saved < 0 ? 'worse' : 'better'}`}>
    {saved == null ? NONE : signed(-saved)}
  </td>
);

interface Times {
  time_a_s: Maybe;
  time_b_s: Maybe;
  time_ratio: Maybe;
  time_saved_s: Maybe;
}

/** The cells of TIME_CHANGE, SPEEDUP, BEFORE and AFTER. `a`, `b`: whether the run has such an operation. */
export const TimeCells = ({ of, a, b, plain = false }: { of: Times; a: boolean; b: boolean; plain?: boolean }) => (
  <>
    <TimeChange saved={of.time_saved_s} plain={plain} />
    <td class="number">{of.time_ratio ? fasterOrSlower(1 / of.time_ratio) : NONE}</td>
    <td class="number">{a ? seconds(of.time_a_s) : 'appeared'}</td>
    <td class="number">{b ? seconds(of.time_b_s) : 'vanished'}</td>
  </>
);

export const operationsOf = ({ matched, appeared, vanished }: ChangesJson) => matched + appeared + vanished;

/** The last lines: what matches the filters, and everything. */
export function Totals({ filtered, summary, all, columns }: TotalsProps) {
  return (
    <tfoot>
      {filtered && <Total of="Matching the filters" totals={summary} columns={columns} />}
      <Total of="All operations" totals={all} columns={columns} />
    </tfoot>
  );
}

interface TotalsProps {
  filtered: boolean;
  summary: ChangesJson;
  all: ChangesJson;
  columns: number;
}

function Total({ of, columns, totals }: { of: string; columns: number; totals: ChangesJson }) {
  const { matched, appeared, vanished } = totals;
  return (
    <tr>
      <th scope="row" title={`${matched} in both, ${appeared} appeared, ${vanished} vanished`}>
        {of}
        <span class="muted">
          {appeared > 0 && `, ${count(appeared)} appeared`}
          {vanished > 0 && `, ${count(vanished)} vanished`}
        </span>
      </th>
      <TimeCells of={totals} a b plain />
      {columns > 5 && <td colSpan={columns - 5} />}
    </tr>
  );
}
