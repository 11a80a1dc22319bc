// The changes of a comparison, one row per operation.
import type { ChangeJson, CompareJson } from '../../../wasm/session';
import { NONE, percent } from '../format';
import { formatName } from '../core/catalogue';
import { MARK_WORDS } from '../plot/marks';
import { LIMITED_BY, limiterOf } from '../plot/bounds';
import { selected, viewState } from '../core/view';
import { named, widthOfTexts } from '../widgets/names';
import { titleIfRenamed } from './comparison';
import { AFTER, BEFORE, ChangeHead, SPEEDUP, TIME_CHANGE, TimeCells, Totals, widthOf, type ChangeColumn } from './rows';

/** The most wanted first: a phone shows three or four columns. */
const COLUMNS: ChangeColumn[] = [
  { id: 'name', title: 'Operation', width: 0, sort: 'name', text: true },
  TIME_CHANGE,
  SPEEDUP,
  BEFORE,
  AFTER,
  { id: 'type', title: 'Type', width: 0, sort: 'type', text: true },
  {
    id: 'format',
    title: 'Format',
    width: 0,
    text: true,
    hint: 'The format whose peak each time is compared with. It differs if the operation changed its format, or if one machine states no peak for it',
  },
  { id: 'efficiency', title: 'Efficiency', width: 0, sort: 'efficiency' },
  { id: 'limited_by', title: 'Limited by', width: 0, sort: 'limited_by', text: true, hint: LIMITED_BY },
];

/** Whether an operation of both runs computes in another format than before. */
const formatChanged = ({ format_a, format_b }: ChangeJson) => format_a && format_b && format_a !== format_b;

/** `types`: all types of both runs. */
export function Operations({ json, types }: { json: CompareJson; types: string[] }) {
  const { a, b, ops, total } = json;
  const formatted = ops.some(formatChanged);
  const judged = !a.ran_elsewhere && !b.ran_elsewhere;
  const shown: Record<string, boolean> = {
    type: types.length > 1 && !formatted && !ops.every(({ name, type }) => name.startsWith(type)), // else names get the width
    format: formatted,
    efficiency: judged,
    limited_by: judged,
  };
  const widths: Record<string, number> = {
    type: widthOfTexts([...new Set(ops.map(({ type }) => type))], 66, 140),
    format: widthOfTexts(ops.map(formatsOf), 84, 180),
    efficiency: widthOfTexts(ops.map(efficienciesOf), 88, 220),
    limited_by: widthOfTexts(ops.map(limitsOf), 92, 180),
  };
  const columns = COLUMNS.filter(({ id }) => shown[id] ?? true).map(column => ({
    ...column,
    width: widths[column.id] ?? column.width,
  }));
  const has = new Set(columns.map(({ id }) => id));
  return (
    <table role="grid" style={widthOf(columns)} aria-label="Changes" aria-rowcount={total + 1}>
      <ChangeHead columns={columns} />
      <tbody>
        {ops.map((op, i) => (
          <Row key={i} op={op} has={has} />
        ))}
      </tbody>
      <Totals {...json} columns={columns.length} />
    </table>
  );
}

/** "before → after" if they differ, else the one value. */
const sides = ({ change }: ChangeJson, before: string, after: string) =>
  change === 'vanished' ? before : change === 'appeared' || before === after ? after : `${before} → ${after}`;

const nameOf = (format: string | null) => (format ? formatName(format) : NONE);
const formatsOf = (op: ChangeJson) => sides(op, nameOf(op.format_a), nameOf(op.format_b));

const limiter = (limited_by: ChangeJson['limited_by_a'], bound_by: string | null, time_s: number | null) =>
  (limited_by && limiterOf({ limited_by, bound_by, time_s }, false)) ?? NONE;

const limitsOf = (op: ChangeJson) =>
  sides(op, limiter(op.limited_by_a, op.bound_by_a, op.time_a_s), limiter(op.limited_by_b, op.bound_by_b, op.time_b_s));

const efficiency = (of: number | null, aboveRoof: boolean) => (aboveRoof ? MARK_WORDS.above! : percent(of));
const efficienciesOf = (op: ChangeJson) =>
  sides(op, efficiency(op.efficiency_a, op.above_roof_a), efficiency(op.efficiency_b, op.above_roof_b));

function Row({ op, has }: { op: ChangeJson; has: ReadonlySet<string> }) {
  const choose = () => op.b !== null && !viewState.value.grouped && (selected.value = op.b);
  const efficiencies = efficienciesOf(op);
  const limits = limitsOf(op);
  const formats = formatsOf(op);
  return (
    <tr aria-selected={op.b !== null && op.b === selected.value} onClick={choose}>
      <td title={titleIfRenamed(op) ?? op.name}>{named(op.short_name)}</td>
      <TimeCells of={op} a={op.a !== null} b={op.b !== null} />
      {has.has('type') && <td title={op.type}>{op.type}</td>}
      {has.has('format') && <td title={formats}>{formats}</td>}
      {has.has('efficiency') && (
        <td class="number" title={efficiencies}>
          {efficiencies}
        </td>
      )}
      {has.has('limited_by') && <td title={limits}>{limits}</td>}
    </tr>
  );
}
