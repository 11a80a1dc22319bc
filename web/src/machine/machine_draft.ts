// Converts a machine to the texts of the editor's fields and back. An unchanged figure keeps its source.
import { formats, machines } from '../core/catalogue';
import { figureValue, type Figure, type Machine } from '../core/machine_document';
import { freeId, machineName } from './machine_options';

type MaybeFigure = Figure | undefined;

interface PeakRow {
  unit: 'matrix' | 'vector';
  format: string;
  tera: string;
  from?: MaybeFigure;
  rare?: boolean; // folded in the editor
}
interface MemoryRow {
  name: string;
  bandwidth: string;
  read: string;
  write: string;
  capacity: string;
  from?: Machine['memories'][number];
}
interface LinkRow {
  name: string;
  bandwidth: string;
  from?: MaybeFigure;
}

export interface Draft {
  name: string;
  peaks: PeakRow[]; // TFLOP/s
  memories: MemoryRow[]; // GB/s, GB
  links: LinkRow[]; // GB/s
  compute: string; // achievable, percent
  bandwidth: string;
  launch: string; // µs
  tdp: string; // W
  price: string; // US dollars
  units: string; // matrix units side by side
  base: Machine;
  copyOf?: string | undefined; // the name of the machine that all figures were copied from; absent: no copy
}

const COMMON = ['matrix fp16', 'matrix bf16', 'matrix fp8_e4m3', 'matrix int8', 'vector fp32'];
const FEW = 6; // peaks, that are all shown

/** One rate for every format, as a row of its own. */
export const EVERY = 'every';

const shown = (figure: MaybeFigure, unit: number) => {
  const value = figureValue(figure);
  return value === null ? '' : String(Number((value / unit).toPrecision(unit >= 1e9 ? 4 : 6)));
};

/** A machine as the editor's fields hold it. */
export function draftOf(machine: Machine, copyOf?: string): Draft {
  const peaks = (['matrix', 'vector'] as const).flatMap(unit => {
    const rows = Object.entries(machine.peaks[unit] ?? {}).map(
      ([format, from]): PeakRow => ({ unit, format, tera: shown(from, 1e12), from }),
    );
    const every =
      rows.length > 1 && rows.length >= formats.value.length && rows.every(({ tera }) => tera === rows[0]!.tera);
    return every ? [{ ...rows[0]!, format: EVERY }] : rows;
  });
  const common = ({ unit, format }: PeakRow) => format === EVERY || COMMON.includes(`${unit} ${format}`);
  return {
    name: machineName(machine),
    peaks: peaks.length <= FEW ? peaks : peaks.map(row => ({ ...row, rare: !common(row) })),
    memories: machine.memories.map(from => ({
      name: from.name,
      bandwidth: shown(from.bandwidth, 1e9),
      read: shown(from.read_bandwidth, 1e9),
      write: shown(from.write_bandwidth, 1e9),
      capacity: shown(from.capacity, 1e9),
      from,
    })),
    links: (machine.links ?? []).map(({ name, bandwidth }) => ({
      name,
      bandwidth: shown(bandwidth, 1e9),
      from: bandwidth,
    })),
    compute: shown(machine.achievable?.compute, 0.01),
    bandwidth: shown(machine.achievable?.bandwidth, 0.01),
    launch: shown(machine.launch_s, 1e-6),
    tdp: shown(machine.tdp_w, 1),
    price: shown(machine.price_usd, 1),
    units: shown(machine.units, 1),
    base: machine,
    copyOf,
  };
}

/** A typed text as a figure: nothing if empty, the text itself if it is no number (the core then reports it). */
function figure(text: string, unit: number, from: MaybeFigure): Figure | string | undefined {
  if (text.trim() === '') return undefined;
  if (text === shown(from, unit)) return from;
  const value = Number(text);
  return Number.isFinite(value) ? { value: value * unit, source: 'typed by the user', basis: 'typed' } : text;
}

/** A fraction that was measured on another machine is an estimate of this one. */
const taken = (from: Figure | string | undefined, copyOf: string | undefined) =>
  copyOf === undefined || typeof from !== 'object' || from.basis === 'typed'
    ? from
    : { ...from, source: `as on ${copyOf}`, basis: 'estimate' };

/** The preset that a copy of the machine comes from. */
export const basisOf = ({ id, based_on }: Machine) =>
  based_on ?? (machines.value.some(preset => preset.id === id) ? id : undefined);

/** The machine file's document; the core checks it. */
export function machineOf(draft: Draft): object {
  const { base } = draft;
  const unit = (wanted: PeakRow['unit']) => {
    const rows = draft.peaks.filter(row => row.unit === wanted);
    const every = rows.find(({ format }) => format === EVERY);
    return every
      ? figure(every.tera, 1e12, every.from)
      : Object.fromEntries(rows.map(row => [row.format, figure(row.tera, 1e12, row.from)]));
  };
  const { compute, compute_by_format, bandwidth } = base.achievable ?? {};
  const hasPeak = (id: string) =>
    draft.peaks.some(({ unit, format, tera }) => unit === 'matrix' && [EVERY, id].includes(format) && tera.trim());
  const typed = draft.compute !== shown(compute, 0.01); // stands for every format
  const byFormat = typed ? [] : Object.entries(compute_by_format ?? {}).filter(([id]) => hasPeak(id));
  const achievable = {
    compute: taken(figure(draft.compute, 0.01, compute), draft.copyOf),
    compute_by_format: byFormat.length
      ? Object.fromEntries(byFormat.map(([id, from]) => [id, taken(from, draft.copyOf)]))
      : undefined,
    bandwidth: taken(figure(draft.bandwidth, 0.01, bandwidth), draft.copyOf),
  };
  const renamed = draft.name !== machineName(base);
  return {
    ...base,
    id: renamed ? freeId(draft.name, base.id) : base.id,
    based_on: renamed ? basisOf(base) : base.based_on,
    name: draft.name,
    aliases: undefined, // they belong to the original machine
    peaks: { matrix: unit('matrix'), vector: unit('vector') },
    memories: draft.memories.map(row => ({
      name: row.name,
      bandwidth: figure(row.bandwidth, 1e9, row.from?.bandwidth),
      read_bandwidth: figure(row.read, 1e9, row.from?.read_bandwidth),
      write_bandwidth: figure(row.write, 1e9, row.from?.write_bandwidth),
      capacity: figure(row.capacity, 1e9, row.from?.capacity),
    })),
    links: draft.links.map(row => ({ name: row.name, bandwidth: figure(row.bandwidth, 1e9, row.from) })),
    achievable: Object.values(achievable).every(value => value === undefined) ? undefined : achievable,
    launch_s: figure(draft.launch, 1e-6, base.launch_s),
    tdp_w: figure(draft.tdp, 1, base.tdp_w),
    price_usd: figure(draft.price, 1, base.price_usd),
    units: figure(draft.units, 1, base.units),
  };
}

interface Lack {
  field: string; // its label
  message: string;
}

/** The first thing that the draft lacks; null: nothing. */
export function missing({ name, peaks, memories, links }: Draft): Lack | null {
  if (name.trim() === '') return { field: 'Name', message: 'Give the machine a name.' };
  if (peaks.length === 0) return { field: '', message: 'Add at least one peak.' };
  const lacking = (field: string, row: string, what: string): Lack => ({
    field: `${field} of ${row.toLowerCase()}`,
    message: `${row} has no ${what}: enter it, or remove the row.`,
  });
  const peak = peaks.findIndex(({ tera }) => tera === '');
  if (peak >= 0) return lacking('TFLOP/s', `Peak ${peak + 1}`, 'rate in TFLOP/s');
  if (memories.length === 0) return { field: '', message: 'Add the device memory.' };
  const unnamed = memories.findIndex(row => row.name.trim() === '');
  if (unnamed >= 0) return lacking('Name', `Memory ${unnamed + 1}`, 'name');
  const first = memories[0]!;
  if (first.bandwidth === '' && (first.read === '' || first.write === ''))
    return {
      field: 'GB/s of memory 1',
      message: 'Memory 1, the device memory, has no bandwidth: enter GB/s, or both read and write.',
    };
  const link = links.findIndex(row => row.name.trim() === '' || row.bandwidth === '');
  if (link < 0) return null;
  return links[link]!.name.trim() === ''
    ? lacking('Name', `Link ${link + 1}`, 'name')
    : lacking('GB/s', `Link ${link + 1}`, 'rate in GB/s');
}
