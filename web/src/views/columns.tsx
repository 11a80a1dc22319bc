// The table's columns: what each shows and how it sorts.
import type { ComponentChildren } from 'preact';
import type { RowJson, SortName } from '../../../wasm/session';
import { bytes, count, NONE, number, percent, range, rate, scaled, seconds, si, work, type Units } from '../format';
import { Marker, Status } from '../widgets/Marker';

export interface Column {
  id: string;
  title: string;
  width: number;       // px; the name takes what is left
  sort?: SortName;
  text?: boolean;      // left-aligned, sorts ascending first
  unit?: (units: Units) => string;  // named in the header's tooltip
  cell: (row: RowJson, units: Units) => ComponentChildren;
}

export const COLUMNS: Column[] = [
  { id: 'name', title: 'Operation', width: 0, sort: 'name', text: true, cell: row => <><Marker symbol={row.symbol} />{row.name}{row.count > 1 && <span class="muted"> ×{count(row.count)}</span>}</> },
  { id: 'type', title: 'Type', width: 72, sort: 'type', text: true, cell: row => row.type },
  { id: 'format', title: 'Format', width: 72, text: true, cell: row => row.formats.compute ?? NONE },
  { id: 'status', title: 'Status', width: 148, sort: 'status', text: true, cell: row => <Status status={row.status} /> },
  { id: 'time', title: 'Time', width: 72, sort: 'time', cell: row => seconds(row.time_s) },
  { id: 'predicted', title: 'Bound', width: 72, sort: 'predicted', cell: row => seconds(row.predicted_time_s) },
  { id: 'lost', title: 'Lost', width: 72, sort: 'lost', cell: row => seconds(row.lost_time_s) },
  { id: 'efficiency', title: 'Efficiency', width: 72, sort: 'efficiency', cell: row => percent(row.efficiency) },
  { id: 'bound_by', title: 'Bound by', width: 72, text: true, cell: row => row.bound_by ?? NONE },
  { id: 'intensity', title: 'Intensity', width: 68, sort: 'intensity', unit: units => units.intensity, cell: (row, units) => number(scaled(row.intensity, units)) },
  { id: 'achieved', title: 'Achieved', width: 100, sort: 'achieved', cell: (row, units) => rate(row.achieved_flops, units) },
  { id: 'bandwidth', title: 'Bandwidth', width: 84, sort: 'bandwidth', cell: row => si(row.achieved_bandwidth, 'B/s') },
  { id: 'flops', title: 'Work', width: 88, sort: 'flops', cell: (row, units) => work(row.flops, units) },
  { id: 'bytes', title: 'Bytes', width: 76, sort: 'bytes', cell: row => (row.bytes === null ? NONE : bytes(row.bytes)) },
  { id: 'category', title: 'Category', width: 120, text: true, cell: row => row.category },
  { id: 'step', title: 'Step', width: 64, text: true, cell: row => row.step ?? NONE },
  { id: 'count', title: 'Occurrences', width: 88, sort: 'count', cell: row => count(row.count) },
  { id: 'self_time', title: 'Self time', width: 76, sort: 'self_time', cell: row => seconds(row.self_time_s) },
  { id: 'compute_utilization', title: 'Rate / peak', width: 84, cell: row => percent(row.compute_utilization) },
  { id: 'memory_utilization', title: 'Memory used', width: 92, cell: row => percent(row.memory_utilization) },
  { id: 'program', title: 'Program', width: 96, text: true, cell: row => row.labels?.['Program ID'] || NONE },
  { id: 'source', title: 'Source', width: 130, text: true, cell: row => row.labels?.Source || NONE },
  { id: 'model_rate', title: 'Model rate', width: 100, cell: (row, units) => rate(row.measures?.['Model FLOP Rate'], units) },
  { id: 'speedup', title: 'What-if', width: 96, sort: 'speedup', cell: row => range(row.speedup_pessimistic, row.speedup_optimistic) },
];
