// What changed from the run before to the open one: per operation, the largest change first, and in total.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ChangeJson, ChangesJson, CompareJson, FindingPart } from '../../../wasm/session';
import { NONE, percent, range, seconds, count } from '../format';
import { useAnswer } from '../core/ask';
import { formatName } from '../core/catalogue';
import { useFinding } from '../core/finding';
import { MARK_WORDS } from '../plot/marks';
import { endComparison } from './comparison';
import { isUnjudged, panelFrame } from '../core/engine';
import { exportChanges } from '../share/exports';
import { complain, opened } from '../sources/files';
import { typeCounts } from '../table/filters';
import { machineOf, machineOptions } from '../machine/machine_options';
import type { ChangeOrder } from '../protocol';
import { changeView, selected, viewState } from '../core/view';
import { Combobox } from '../widgets/Combobox';
import { named, room } from '../widgets/columns';
import { LIMITED_BY, limiterOf } from '../plot/bounds';
import { ClipBox } from '../widgets/ClipBox';

const STEP = 200;

type Column = [id: ChangeOrder | 'format', title: string, width: number, text?: boolean];

/** The most wanted first: a phone shows three or four columns. Formats cannot be sorted by. */
const COLUMNS: Column[] = [
  ['name', 'Operation', 0, true],
  ['saved', 'Saved', 78],
  ['speedup', 'Speed-up', 76],
  ['before', 'Before', 74],
  ['after', 'After', 74],
  ['type', 'Type', 0, true],
  ['format', 'Computed as', 108, true],
  ['efficiency', 'Efficiency', 108],
  ['limited_by', 'Limited by', 112, true],
];

/** The changes as a table, with totals. */
export function Compare() {
  const [rows, setRows] = useState(STEP);
  const { compareSort: sort = 'change', compareAscending: ascending = false, unchanged = false } = viewState.value;
  const revision = panelFrame.value?.revision;
  useEffect(() => setRows(STEP), [opened.value, sort, ascending, unchanged]);
  const reply = useAnswer<CompareJson>(
    'compare',
    opened.value?.before && revision ? { rows, unchanged, arrows: 0, revision } : null,
  );
  const json = reply && !('error' in reply) ? reply.json : null;
  useFinding(useMemo(() => (json ? totalsFirst(json) : undefined), [json]));
  if (!reply) return <div class="explore-view" />;
  if ('error' in reply) return <p class="hint muted">{reply.error.message}</p>;
  const { a, b, summary, all, filtered, total, ops } = reply.json;
  const types = typeCounts().map(({ type }) => type);
  const listed = operationsOf(summary);
  const formatted = ops.some(({ format_a, format_b }) => format_a && format_b && format_a !== format_b);
  const typed = types.length > 1 && !formatted && !ops.every(({ name, type }) => name.startsWith(type)); // else names get the width
  /** A second click reverses the order, a third returns to the size of the change. */
  const sortBy = (id: ChangeOrder, first: boolean) =>
    sort === id && ascending !== first
      ? changeView({ compareSort: undefined, compareAscending: undefined })
      : changeView({
          compareSort: id,
          compareAscending: sort === id ? !ascending : first,
        });
  const shown = {
    type: typed,
    format: formatted,
    efficiency: !a.ran_elsewhere && !b.ran_elsewhere,
  } as Partial<Record<Column[0], boolean>>;
  const columns = COLUMNS.filter(([id]) => shown[id] ?? true);
  const has = new Set(columns.map(([id]) => id));
  return (
    <div class="explore-view compare">
      {filtered && (
        <div class="view-controls of-filters muted">
          {listed === 0
            ? 'No operation of either run matches. '
            : `Only operations that match the filters, ${count(listed)} of ${count(operationsOf(all))}. `}
          All operations: {all.headline.split(': ')[0]!.replace(/\.$/, '')}.
        </div>
      )}
      <div class="view-controls">
        <span class="before">
          Before: {a.source} on <BeforeMachine name={a.machine} />
        </span>
        <span>
          After: {b.source}
          {b.machine !== a.machine && ` on ${b.machine}`}
        </span>
        {summary.times === 'predicted' && <span class="muted">Predicted times.</span>}
        <span class="fill" />
        <button
          type="button"
          title="The changes in this order"
          onClick={() => void exportChanges().catch((error: unknown) => complain('Export', error))}
        >
          Export CSV
        </button>
        <button type="button" onClick={() => void endComparison()}>
          End comparison
        </button>
      </div>
      <ClipBox class="compare-scroll" label="Changes">
        <table role="grid" aria-label="Changes" aria-rowcount={total + 1}>
          <colgroup>
            {columns.map(([id, , width]) => (
              <col key={id} style={{ width: id === 'type' ? room(types, 66, 120) : width || 'auto' }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map(([id, title, , text]) => {
                const active = sort === id;
                return (
                  <th
                    key={id}
                    scope="col"
                    class={text ? '' : 'number'}
                    title={id === 'limited_by' ? LIMITED_BY : undefined}
                    aria-sort={active ? (ascending ? 'ascending' : 'descending') : 'none'}
                  >
                    {id === 'format' ? (
                      title
                    ) : (
                      <button type="button" onClick={() => sortBy(id, text === true)}>
                        {title}
                        {active && <span aria-hidden="true">{ascending ? ' ▴' : ' ▾'}</span>}
                      </button>
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {ops.map((op, i) => (
              <Row key={i} op={op} has={has} />
            ))}
          </tbody>
          <tfoot>
            {filtered && <Total of="Matching the filters" totals={summary} columns={columns.length} />}
            <Total of="All operations" totals={all} columns={columns.length} />
          </tfoot>
        </table>
        {summary.unchanged > 0 && (
          <p class="hint">
            {count(summary.unchanged)} unchanged
            <span class="muted">, {seconds(summary.unchanged_time_s)}: within 2% or the spread of repeated runs</span>
            {' · '}
            <button type="button" class="link" onClick={() => changeView({ unchanged: !unchanged })}>
              {unchanged ? 'hide' : 'show'}
            </button>
          </p>
        )}
        {ops.length < total && (
          <p class="hint">
            <button type="button" onClick={() => setRows(rows + 5 * STEP)}>
              Show more of {count(total)}
            </button>
          </p>
        )}
      </ClipBox>
    </div>
  );
}

/** The finding; if too few operations are in both runs, with the totals before it and how to match more after it. */
function totalsFirst({ finding, summary: { comparable, time_a_s, time_b_s } }: CompareJson): FindingPart[] {
  if (comparable || !time_a_s || !time_b_s) return finding;
  const [before, after, change] = [seconds(time_a_s), seconds(time_b_s), time_b_s / time_a_s - 1];
  const all = panelFrame.peek()?.json.all;
  return [
    {
      text: `${percent(Math.abs(change))} ${change > 0 ? 'more' : 'less'} time`,
      formula: `${after} after / ${before} before - 1`,
    },
    { text: `: ${before} before, ${after} after. ` },
    ...finding,
    ...(all && isUnjudged(all)
      ? [{ text: ' Open each run with its graph or shapes: operations then also match by their work.' }]
      : []),
  ];
}

/** The machine of the run before: its own, the later run's, or one chosen here. */
function BeforeMachine({ name }: { name: string }) {
  const own = { id: '', name: 'its own, else that of the later run' };
  return (
    <Combobox
      label="Machine of the run before"
      options={[own, ...machineOptions()]}
      value={name}
      onChange={id => changeView({ beforeMachine: id ? machineOf(id) : undefined })}
    />
  );
}

const saving = (saved: number | null) => (saved === null ? NONE : saved < 0 ? `−${seconds(-saved)}` : seconds(saved));

const operationsOf = ({ matched, appeared, vanished }: ChangesJson) => matched + appeared + vanished;

function Total({
  of,
  columns,
  totals: { time_a_s, time_b_s, time_ratio, time_saved_s, matched, appeared, vanished },
}: { of: string; columns: number; totals: ChangesJson }) {
  return (
    <tr>
      <th scope="row" title={`${matched} in both, ${appeared} appeared, ${vanished} vanished`}>
        {of}
        <span class="muted">
          {appeared > 0 && `, ${count(appeared)} new`}
          {vanished > 0 && `, ${count(vanished)} gone`}
        </span>
      </th>
      <td class="number">{saving(time_saved_s)}</td>
      <td class="number">{time_ratio === null ? NONE : range(1 / time_ratio, 1 / time_ratio)}</td>
      <td class="number">{seconds(time_a_s)}</td>
      <td class="number">{seconds(time_b_s)}</td>
      {columns > 5 && <td colSpan={columns - 5} />}
    </tr>
  );
}

/** "before → after" if they differ, else the one value. */
const sides = ({ change }: ChangeJson, before: string, after: string) =>
  change === 'vanished' ? before : change === 'appeared' || before === after ? after : `${before} → ${after}`;

const limiter = (limited_by: ChangeJson['limited_by_a'], bound_by: string | null, time_s: number | null) =>
  (limited_by && limiterOf({ limited_by, bound_by, time_s })) ?? NONE;

const efficiency = (of: number | null, aboveRoof: boolean) => (aboveRoof ? MARK_WORDS.above! : percent(of));

function Row({ op, has }: { op: ChangeJson; has: ReadonlySet<Column[0]> }) {
  const speedup = op.time_ratio === null ? null : 1 / op.time_ratio;
  const choose = () => op.b !== null && !viewState.value.grouped && (selected.value = op.b);
  const saved = op.time_saved_s;
  const efficiencies = sides(
    op,
    efficiency(op.efficiency_a, op.above_roof_a),
    efficiency(op.efficiency_b, op.above_roof_b),
  );
  const limits = sides(
    op,
    limiter(op.limited_by_a, op.bound_by_a, op.time_a_s),
    limiter(op.limited_by_b, op.bound_by_b, op.time_b_s),
  );
  const formats = sides(op, formatName(op.format_a ?? NONE), formatName(op.format_b ?? NONE));
  return (
    <tr aria-selected={op.b !== null && op.b === selected.value} onClick={choose}>
      <td title={op.renamed ? `${op.name}: matched by type and shape, its name differs` : op.name}>{named(op.name)}</td>
      <td class={`number ${!saved ? '' : saved < 0 ? 'worse' : 'better'}`}>{saving(saved)}</td>
      <td class="number">{speedup === null ? NONE : range(speedup, speedup)}</td>
      <td class="number">{op.change === 'appeared' ? 'new' : seconds(op.time_a_s)}</td>
      <td class="number">{op.change === 'vanished' ? 'gone' : seconds(op.time_b_s)}</td>
      {has.has('type') && <td title={op.type}>{op.type}</td>}
      {has.has('format') && <td title={formats}>{formats}</td>}
      {has.has('efficiency') && (
        <td class="number" title={efficiencies}>
          {efficiencies}
        </td>
      )}
      <td title={limits}>{limits}</td>
    </tr>
  );
}
