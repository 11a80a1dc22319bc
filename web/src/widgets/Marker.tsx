// The chart's marker in lists, and a status with its colour.
import type { StatusName, SymbolName } from '../../../wasm/session';
import { pathData } from '../plot/markers';
import { STATUS_WORDS } from '../protocol';

/** The chart's marker of a kind of operation. */
export function Marker({ symbol }: { symbol: SymbolName }) {
  return (
    <svg class="marker" viewBox="-8 -8 16 16" aria-hidden="true">
      <path d={pathData(symbol, 5)} />
    </svg>
  );
}

/** The style that gives an element a status's colour. */
export const statusColour = (status: StatusName) => ({ '--colour': `var(--status-${status})` });
/** A status in words. */
export const statusLabel = (status: StatusName) => STATUS_WORDS[status];

/** A status with its colour. */
export function Status({ status }: { status: StatusName }) {
  return (
    <span class="status" style={statusColour(status)}>
      {statusLabel(status)}
    </span>
  );
}
