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
import { named, NAME_FONT_PX, countSuffix } from './names';
import { csv } from '../core/shown_tables';

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
      const times = countSuffix(row);
      return (
        <>
          <Marker symbol={row.symbol} kind={row.type} />
          {named(
            rowName(row),
            times && <span class="muted">{times}</span>,
            px - BESIDE_NAME_PX - textWidth(times, NAME_FONT_PX),
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

/** Rows as CSV: figures in SI units with every digit. `integerWork`: all work is integer, so units say OP instead of FLOP. */
export function tableCsv(shown: Column[], rows: RowJson[], integerWork: boolean) {
  const columns = shown.flatMap(column =>
    column.low ? [{ ...column, title: `${column.title} low`, value: column.low }, column] : column,
  );
  const unitSuffix = (unit: string | undefined) =>
    unit ? ` (${integerWork ? unit.replace('FLOP', 'OP') : unit})` : '';
  const header = columns.map(({ title, si }) => `${title.replace(' (%)', ' share')}${unitSuffix(si)}`);
  return csv([header, ...rows.map(row => columns.map(({ value }) => value(row)))]);
}
