// A summary of the source for a link: one row per kind of operation instead of the file.
import type { RowJson } from '../../../wasm/session';
import { core } from '../core/core';
import { machine, panelFrame } from '../core/engine';
import { opened } from '../sources/files';

const MOST_ROWS = 2000; // summarised: the rows with the most time
const MOST_BYTES = 24e3; // of text; beyond, rows of one type are added up

/** An operation of commands.json, of one occurrence. */
interface Op {
  name: string;
  type: string;
  category: string;
  count: number;
  data_type?: string;
  weight_type?: string;
  output_type?: string;
  kv_type?: string;
  step?: string;
  flops?: number;
  bytes?: number;
  time_ns?: number;
}

/** The rows as a commands.json: work, bytes and times, no shapes and no source. */
export async function summarised(): Promise<string> {
  const rows = await core().rows({ grouped: true, sort: 'time', descending: true }, MOST_ROWS);
  const ops = rows.filter(({ flops, bytes }) => flops !== null || bytes !== null).map(asOp);
  const text = (kept: number) =>
    JSON.stringify({
      ...(panelFrame.value?.json.machine_basis === 'stated' && {
        machine: machine.value,
      }),
      ops: [...ops.slice(0, kept), ...byType(ops.slice(kept))],
    });
  let kept = ops.length;
  while (kept > 0 && text(kept).length > MOST_BYTES) kept = Math.floor(kept * 0.8);
  return text(kept);
}

/** The name of the summary in the link. */
export const summaryName = () => `${opened.value?.source ?? 'operations'} (summary)`;

function asOp(row: RowJson): Op {
  const { weight, activation, output, kv } = row.formats;
  const each = (total: number | null, unit = 1) => (total === null ? undefined : rounded((total * unit) / row.count));
  return known({
    name: row.name,
    type: row.type,
    category: row.category,
    count: row.count,
    data_type: activation ?? weight,
    weight_type: weight,
    output_type: output,
    kv_type: kv,
    step: row.step,
    flops: each(row.flops),
    bytes: each(row.bytes),
    time_ns: each(row.time_s, 1e9),
  });
}

/** One row per type, format and known quantities, which holds the work of all of them as one occurrence. */
function byType(ops: Op[]): Op[] {
  const sums = new Map<string, Op>();
  for (const op of ops) {
    const { type, data_type, weight_type, output_type, kv_type, count, flops, bytes, time_ns } = op;
    const unknown = [flops, bytes, time_ns].map(value => value === undefined);
    const key = JSON.stringify([type, data_type, weight_type, output_type, kv_type, ...unknown]);
    const sum = sums.get(key);
    const add = (before: number | undefined, each: number | undefined) =>
      each === undefined ? undefined : rounded((before ?? 0) + each * count);
    const added = {
      flops: add(sum?.flops, flops),
      bytes: add(sum?.bytes, bytes),
      time_ns: add(sum?.time_ns, time_ns),
    };
    sums.set(
      key,
      known({
        ...op,
        ...added,
        name: `other ${type}`,
        count: 1,
        step: undefined,
      }),
    );
  }
  return [...sums.values()];
}

const rounded = (value: number) => Number(value.toPrecision(7));

const known = (op: { [Key in keyof Op]?: Op[Key] | null | undefined }) =>
  Object.fromEntries(Object.entries(op).filter(([, value]) => value !== null && value !== undefined)) as unknown as Op;
