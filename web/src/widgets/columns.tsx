// The columns of tables: their cells, sorting, and values in CSV files.
import type { ComponentChildren } from 'preact';
import type { RowJson, SortName } from '../../../wasm/session';
import {
  bytes,
  count,
  NONE,
  number,
  percent,
  range,
  rate,
  scaled,
  seconds,
  si,
  work,
  unitsIn,
  type Maybe,
  type Units,
} from '../format';
import { formatName } from '../core/catalogue';
import { isUnjudged, tableFrame } from '../core/engine';
import { opened } from '../sources/opened';
import { columns, predictedColumns, profileColumns, programColumns, timesColumns } from '../core/layout';
import { rowName } from '../operator/operator';
import { typeCounts } from '../table/filters';
import { viewState } from '../core/view';
import { BOUND_BY, LIMITED_BY, limiterOf } from '../plot/bounds';
import { textWidth } from '../plot/ruler';
import { Marker, Status, statusOf } from './Marker';

export interface Column {
  id: string;
  title: string;
  width: number; // px, with room for the arrow in the head; 0: takes what is left
  sort?: SortName;
  text?: boolean; // left-aligned, sorts ascending first
  hint?: string; // what it means, in the header's tooltip
  follows?: boolean; // sorts by another column, in reverse for ranks
  unit?: (units: Units) => string; // named in the header's tooltip
  cell: (row: RowJson, units: Units, px: number) => ComponentChildren; // px: the width available for a name
  value: (row: RowJson) => Maybe | string; // as a file has it, in SI
  low?: (row: RowJson) => Maybe; // of a range, whose high end is the value: a file has both
  si?: string; // its unit there
}

type Rest = Partial<Column>;
type Value = (row: RowJson) => Maybe;

const words = (
  id: string,
  title: string,
  width: number,
  value: (row: RowJson) => string | null | undefined,
  rest: Rest = {},
): Column => ({ id, title, width, text: true, value, cell: row => value(row) || NONE, ...rest });
const times = (id: string, title: string, width: number, value: Value, rest: Rest = {}): Column => ({
  id,
  title,
  width,
  value,
  si: 's',
  cell: row => seconds(value(row)),
  ...rest,
});
const shares = (id: string, title: string, width: number, value: Value, rest: Rest = {}): Column => ({
  id,
  title,
  width,
  value,
  cell: row => percent(value(row)),
  ...rest,
});
const rates = (id: string, title: string, width: number, value: Value, rest: Rest = {}): Column => ({
  id,
  title,
  width,
  value,
  si: 'FLOP/s',
  cell: (row, units) => rate(value(row), unitsIn(units, row.formats.compute)),
  ...rest,
});
const bandwidths = (id: string, title: string, width: number, value: Value, rest: Rest = {}): Column => ({
  id,
  title,
  width,
  value,
  si: 'B/s',
  cell: row => si(value(row), 'B/s'),
  ...rest,
});

const WHOLE = 24; // names up to this length are not cut in the middle
const LEAST_START = 4; // a shorter beginning is not cut
const END = 12; // characters of a longer name that stay visible
const BACK = 10; // and up to this many before them, to begin with a whole part or number

const isSeparator = (character: string) => /[\s./:,;>|()[\]-]/.test(character);
const isDigit = (character: string) => /\d/.test(character);

/** The index where the visible end of a name begins: kernels' names differ most at their end. */
function endOf(name: string, end: number) {
  const from = name.length - end;
  const places = Array.from({ length: BACK + 1 }, (_, i) => from - i).filter(at => at > 0);
  return (
    places.find(at => isSeparator(name[at - 1]!)) ??
    places.find(at => name[at - 1] === '_' || isDigit(name[at - 1]!) !== isDigit(name[at]!)) ??
    from
  );
}

/** Splits a name into parts that lines may break between: never within a number. */
const partsOf = (name: string) => name.split(/(?<=[_/:\s-]|[.,](?!\d)|\dx(?=\d))/);

/** A name that can wrap after each of its parts. */
export const breakable = (name: string) => partsOf(name).flatMap((part, i) => (i > 0 ? [<wbr key={i} />, part] : part));

const FONT_PX = 12; // of tables

/** The first parts of a name that fit, with an ellipsis; a first word that does not fit is left whole, for the style to cut. */
function firstParts(name: string, px: number) {
  const parts = partsOf(name);
  const shown = (count: number) => `${parts.slice(0, count).join('').trimEnd()}…`;
  let count = parts.length - 1;
  while (count > 0 && textWidth(shown(count), FONT_PX) > px) --count;
  return count === 0 && !/\d/.test(parts[0]!) ? parts[0]! : shown(count);
}

/** The index of the sizes behind an operator, as in "aten::addmm 788x768x768"; the length if there are none. */
const sizesAt = (name: string) => {
  const at = name.search(/ \d[\d,]*x[\dx, ]*$/);
  return at < 0 ? name.length : at;
};

/** The part of a row's name that stays whole: the operator, without the sizes behind it, and how often it ran. */
export const keptName = (row: RowJson) => operatorOf(rowName(row)) + timesOf(row);
const operatorOf = (name: string) => name.slice(0, sizesAt(name));
const timesOf = ({ count: times }: RowJson) => (times > 1 ? ` ×${count(times)}` : '');

/**
 * A name. If it is too wide, its end stays visible, or its operator if sizes follow. `px`: the available width; if
 * known, the cut is after a part. `end`: characters.
 */
export const named = (name: string, after?: ComponentChildren, px?: number, end = END) => {
  const cut = name.length > WHOLE && (px === undefined || textWidth(name, FONT_PX) > px);
  const endStart = cut ? endOf(name, end) : 0;
  const at = endStart >= LEAST_START ? endStart : 0;
  const sizes = sizesAt(name);
  if (at > 0 && sizes < name.length)
    return (
      <span class="long-name" title={name}>
        <span class="operator-name">{operatorOf(name)}</span>
        <span class="ellipsis">
          {px === undefined
            ? name.slice(sizes)
            : firstParts(name.slice(sizes), px - textWidth(operatorOf(name), FONT_PX))}
        </span>
        {after}
      </span>
    );
  return at === 0 ? (
    <>
      {name}
      {after}
    </>
  ) : (
    <span class="long-name" title={name}>
      <span class="ellipsis">
        {px === undefined ? name.slice(0, at) : firstParts(name.slice(0, at), px - textWidth(name.slice(at), FONT_PX))}
      </span>
      <span>
        {name.slice(at)}
        {after}
      </span>
    </span>
  );
};

/** The name of a layer. Layers of one network often share the end of their names; the part before it differs. */
export const layerName = (name: string) => named(name, undefined, undefined, WHOLE);

/** px for texts of a column, as long as they are, within reason. */
export const room = (texts: string[], least: number, most: number) =>
  Math.min(
    texts.reduce((px, { length }) => Math.max(px, 24 + 7 * length), least),
    most,
  );

const BESIDE_NAME_PX = 36; // marker and padding

/** An operation's part of the time of all. */
const shareOf = ({ time_s, self_time_s }: RowJson) => {
  const own = self_time_s ?? time_s;
  const all = tableFrame.value?.json.all.time_s;
  return own !== null && all ? own / all : null;
};

const COLUMNS: Column[] = [
  {
    id: 'name',
    title: 'Operation',
    width: 0,
    sort: 'name',
    text: true,
    value: rowName,
    cell: (row, _, px) => {
      const times = timesOf(row);
      return (
        <>
          <Marker symbol={row.symbol} kind={row.type} />
          {named(
            rowName(row),
            times && <span class="muted">{times}</span>,
            px - BESIDE_NAME_PX - textWidth(times, FONT_PX),
          )}
        </>
      );
    },
  },
  times('lost', 'Above bound', 105, row => row.lost_time_s, { sort: 'lost' }),
  words('limited_by', 'Limited by', 88, limiterOf, { sort: 'limited_by', hint: LIMITED_BY }),
  words('bound_by', 'Bound by', 84, row => row.bound_by, { sort: 'bound_by', hint: BOUND_BY }),
  words('status', 'Status', 160, statusOf, { sort: 'status', cell: row => <Status of={row} /> }),
  times('time', 'Time', 78, row => row.time_s, { sort: 'time' }),
  shares('share', 'Share', 66, shareOf, { sort: 'self_time', follows: true, hint: 'Of the time of all operations' }),
  times('estimate', 'Estimate', 78, row => row.typical_time_s, { hint: 'With overheads' }),
  times('predicted', 'Bound', 72, row => row.predicted_time_s, { sort: 'predicted' }),
  shares('efficiency', 'Efficiency', 84, row => row.efficiency, { sort: 'efficiency' }),
  words('type', 'Type', 66, row => row.type, { sort: 'type' }),
  words('format', 'Format', 72, row => row.formats.compute, {
    cell: ({ formats: { compute } }) => (compute ? formatName(compute) : NONE),
  }),
  {
    id: 'intensity',
    title: 'Intensity',
    width: 78,
    sort: 'intensity',
    unit: units => units.intensity,
    si: 'FLOP/B',
    value: row => row.intensity,
    cell: (row, units) => number(scaled(row.intensity, units)),
  },
  rates('achieved', 'Achieved', 126, row => row.achieved_flops, { sort: 'achieved' }),
  bandwidths('bandwidth', 'Bandwidth', 92, row => row.achieved_bandwidth, { sort: 'bandwidth' }),
  {
    id: 'flops',
    title: 'Work',
    width: 88,
    sort: 'flops',
    si: 'FLOP',
    value: row => row.flops,
    cell: (row, units) => work(row.flops, unitsIn(units, row.formats.compute)),
  },
  {
    id: 'bytes',
    title: 'Bytes',
    width: 76,
    sort: 'bytes',
    si: 'B',
    value: row => row.bytes,
    cell: row => (row.bytes === null ? NONE : bytes(row.bytes)),
  },
  words('category', 'Category', 120, row => row.category, { sort: 'category' }),
  words('step', 'Step', 96, row => row.step, {
    sort: 'step',
    cell: row =>
      row.category === 'Program' ? (
        <>
          <Marker symbol={row.symbol} />
          {row.step ?? NONE}
        </>
      ) : (
        row.step || NONE
      ),
  }),
  {
    id: 'count',
    title: 'Occurrences',
    width: 104,
    sort: 'count',
    value: row => row.count,
    cell: row => count(row.count),
  },
  times('self_time', 'Self time', 88, row => row.self_time_s, { sort: 'self_time' }),
  shares('compute_utilization', 'Rate / peak', 98, row => row.compute_utilization, { sort: 'compute_utilization' }),
  shares('memory_utilization', 'Memory used', 108, row => row.memory_utilization, { sort: 'memory_utilization' }),
  rates('attainable', 'Attainable', 126, row => row.attainable_flops),
  {
    id: 'speedup',
    title: 'What-if',
    width: 96,
    sort: 'speedup',
    value: row => row.speedup_high,
    low: row => row.speedup_low,
    cell: row => range(row.speedup_low, row.speedup_high),
  },
];

/** The profiler's own columns. */
const PROFILE: Column[] = [
  {
    id: 'rank',
    title: 'Rank',
    width: 52,
    sort: 'self_time',
    follows: true,
    value: row => row.rank,
    cell: row => count(row.rank),
  },
  shares('time_share', 'Time (%)', 72, row => row.time_share, { sort: 'time', follows: true }),
  shares('self_time_share', 'Self time (%)', 92, row => row.self_time_share, { sort: 'self_time', follows: true }),
  shares('cumulative_share', 'Cumulative (%)', 100, row => row.cumulative_share, { sort: 'self_time', follows: true }),
  times('time_per_core', 'Time per core', 96, row => row.measures?.['Time per core'], { sort: 'label:Time per core' }),
  times('average_time', 'Average time', 92, row => (row.time_s === null ? null : row.time_s / row.count)),
  rates('model_rate', 'Model rate', 126, row => row.measures?.['Model FLOP Rate'], { sort: 'label:Model FLOP Rate' }),
  words('program', 'Program', 96, row => row.labels?.['Program ID'], { sort: 'label:Program ID' }),
  words('source', 'Source', 130, row => row.labels?.Source, { sort: 'label:Source' }),
];

/** `memories`: the memories with a bandwidth column, the device memory first. */
const tableColumns = (profile: boolean, memories: string[]): Column[] => [
  ...COLUMNS,
  ...(profile ? PROFILE : []),
  ...memories.slice(1).map(name => bandwidths(`memory:${name}`, name, 92, row => row.bandwidths[name])),
];

/** The signal with the user's column ids for the source. */
export function chosenColumns() {
  if (opened.value?.program) return viewState.value.level === 'program' ? programColumns : profileColumns;
  const all = tableFrame.value?.json.all;
  return all?.timed_ops === 0 ? predictedColumns : all && isUnjudged(all) ? timesColumns : columns;
}

/** Every column of the source. */
export const allColumns = () => tableColumns(opened.value?.program ?? false, tableFrame.value?.json.memories ?? []);

/** Columns hidden if the times were measured on another machine. */
const JUDGED = ['lost', 'efficiency', 'limited_by', 'bound_by', 'status'];

/** In the order of the user's own list, where that is a profile's; the name is always there. */
export function shownColumns(): Column[] {
  const { ran_elsewhere: elsewhere, table } = tableFrame.value?.json ?? {};
  const namesBeginWithType =
    table !== undefined &&
    table.rows.length > 0 &&
    table.rows.every(row => `${rowName(row)} `.toLowerCase().startsWith(`${row.type} `.toLowerCase()));
  const meaningless = [
    ...(elsewhere ? JUDGED : []),
    ...(typeCounts().length === 1 || namesBeginWithType ? ['type'] : []),
  ];
  const ids = chosenColumns().value.filter(id => !meaningless.includes(id));
  const all = allColumns();
  return opened.value?.program
    ? ids.flatMap(id => all.find(column => column.id === id) ?? [])
    : all.filter(({ id }) => ids.includes(id));
}

/** Prefixes an apostrophe to text that a spreadsheet would run as a formula, as in the core's CSV. */
const guarded = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);
const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Rows as CSV: figures in SI units with every digit. `integerWork`: all work is integer, so units say OP instead of FLOP. */
export function tableCsv(shown: Column[], rows: RowJson[], integerWork: boolean) {
  const columns = shown.flatMap(column =>
    column.low ? [{ ...column, title: `${column.title} low`, value: column.low }, column] : column,
  );
  const line = (cells: (Maybe | string)[]) =>
    cells.map(cell => (cell == null ? '' : typeof cell === 'number' ? String(cell) : quoted(guarded(cell)))).join(',');
  const unitSuffix = (unit: string | undefined) =>
    unit ? ` (${integerWork ? unit.replace('FLOP', 'OP') : unit})` : '';
  const header = columns.map(({ title, si }) => `${title.replace(' (%)', ' share')}${unitSuffix(si)}`);
  return [line(header), ...rows.map(row => line(columns.map(({ value }) => value(row))))].join('\r\n') + '\r\n';
}
