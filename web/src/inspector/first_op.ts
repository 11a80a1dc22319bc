// The operation that is selected when a source opens.
import type { FrameJson } from '../../../wasm/session';

/** Of a measured run the one that the headline's figures lead to, so that the diagnosis explains the headline; else the table's first row. */
export function firstOp({ finding, table, all }: FrameJson): number | null {
  const named = all.timed_ops > 0 ? finding.find(({ op }) => op !== undefined)?.op : undefined;
  return named ?? table.rows[0]?.index ?? null;
}
