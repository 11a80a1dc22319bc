// Answers frames, details and questions about what is open, and writes exports.
import { transfer } from 'comlink';
import type { Detail, Fault, RowJson, TextRange, View } from '../../../wasm/session';
import type { Machine } from '../core/machine_document';
import type { Answer, Diagnostics, ExportKind, FrameReply, FrameRequest, InputFile } from './messages';
import { configure, session } from './module';
import { source } from './reading';

/// The raw record that was shown last: while a slider moves, the operation stays the same.
let record: { of: InputFile | null; offset: number; text: string } = { of: null, offset: -1, text: '' };

/// The page's view. Requests with another view restore it, because questions apply its filters.
let shown: View = {};

export async function frame({ config, view, selected, chartAlone }: FrameRequest): Promise<FrameReply> {
  shown = view;
  const [refused, unseen] = [configure(config), look(view)];
  const data = chartAlone ? session.chart() : session.frame();
  const buffers = Object.values(data).flatMap(value =>
    ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [],
  );
  const rest = data.chartAlone
    ? { detail: null, machine: '' }
    : { detail: selected === null ? null : await detailOf(selected), machine: session.machine() };
  return transfer({ data, ...rest, fault: refused ?? unseen }, buffers);
}

function look(view: View): Fault | null {
  const { error } = JSON.parse(session.view(JSON.stringify(view))) as { error?: Fault };
  return error ?? null;
}

/// An operation's figures with its raw record.
async function detailOf(op: number): Promise<FrameReply['detail']> {
  const range = recordRange(op);
  if (range && (record.of !== source || record.offset !== range.offset))
    record = { of: source, offset: range.offset, text: await textAt(range) };
  const raw = range ? record.text : '';
  const detail = JSON.parse(session.detail(op, raw)) as Detail;
  if (detail.error) return null;
  return range ? { ...detail, text: raw || null } : detail;
}

/// Where an operation's raw record is in the open file; null: there is none.
const recordRange = (op: number) => source && (JSON.parse(session.record(op)) as TextRange | null);

/// A part of the open file; empty where it can no longer be read.
const textAt = ({ offset, length }: TextRange) =>
  source!.blob
    .slice(offset, offset + length)
    .text()
    .catch(() => '');

/// The first rows of a table under another view.
export function rows(view: View, rows: number): RowJson[] {
  look({ ...view, offset: 0, rows });
  try {
    const { table } = JSON.parse(session.frame().json) as { table: { rows: RowJson[] } };
    return table.rows;
  } finally {
    look(shown);
  }
}

/// An operation's figures without its raw record, for a tooltip.
export const glance = (op: number) => JSON.parse(session.detail(op, '')) as Detail;

/// A machine that comes with the core; null: there is none of this id.
export function preset(id: string): Machine | null {
  const found = JSON.parse(session.show('machine', id)) as Machine & { error?: Fault };
  return found.error ? null : found;
}

/// A question's answer under the given settings.
export function ask(config: string, question: string, request: object): Answer<unknown> | { error: Fault } {
  const refused = configure(config);
  if (refused) return { error: refused };
  const { json, ...columns } = session.ask(question, JSON.stringify(request));
  const parsed = JSON.parse(json) as { error?: Fault };
  if (parsed.error) return { error: parsed.error };
  const answer = { json: parsed, columns: columns as Answer<unknown>['columns'] };
  return transfer(
    answer,
    Object.values(answer.columns).map(column => column.buffer),
  );
}

/// Asks about operations fused into one kernel. Their raw records name the tensors they share.
export async function fusion(config: string, ops: number[]) {
  const records = await Promise.all(
    ops.map(op => {
      const range = recordRange(op);
      return range ? textAt(range) : '';
    }),
  );
  return ask(config, 'fusion', { ops, records });
}

export const diagnostics = (offset: number, limit: number) =>
  JSON.parse(session.diagnostics(offset, limit)) as Diagnostics;

export const indexOf = (name: string) => session.indexOf(name);

export const list = (kind: 'machines' | 'models' | 'formats' | 'operators' | 'stacks') =>
  JSON.parse(session.list(kind)) as { id: string; name: string }[];

export const show = (kind: 'machine' | 'format' | 'operator', id: string) => session.show(kind, id);

export function write(kind: ExportKind, baseline: number): Blob {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const fault = session.write(kind, piece => pieces.push(new Uint8Array(piece)), baseline);
  if (fault) throw new Error(fault);
  return new Blob(pieces);
}

/** The open operations for a link, in at most `most` rows: a document "roofline-operations/1". */
export function operationRows(most: number): Blob {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  session.writeOperationRows(most, piece => pieces.push(new Uint8Array(piece)));
  return new Blob(pieces);
}

export const savedConfig = () => session.config();
