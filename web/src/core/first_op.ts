// The operation that is selected when a source opens.
import type { FrameJson } from '../../../wasm/session';

/** The one that the headline's figures lead to, so that the diagnosis explains the headline; else the table's first row. */
export const firstOp = ({ finding, table }: FrameJson): number | null =>
  finding.find(({ op }) => op !== undefined)?.op ?? table.rows[0]?.index ?? null;
