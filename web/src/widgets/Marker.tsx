// The chart's marker in lists, and a status with its colour.
import type { RowJson, StatusName, SymbolName } from '../../../wasm/session';
import { pathData } from '../plot/markers';
import { MARK_WORDS } from '../plot/marks';
import { STATUS_WORDS } from '../protocol';

/** The chart's marker of a kind of operation; pointing at it says which. */
export function Marker({ symbol, kind }: { symbol: SymbolName; kind?: string }) {
  return (
    <svg class="marker" viewBox="-8 -8 16 16" aria-hidden="true">
      {kind && <title>{kind}</title>}
      <path d={pathData(symbol, 5)} />
    </svg>
  );
}

/** The style that gives an element a status's colour. */
export const statusColour = (status: StatusName) => ({ '--colour': `var(--status-${status})` });
/** A status in words. */
export const statusLabel = (status: StatusName) => STATUS_WORDS[status];

/** A row's status in words, without the roof that it refers to: its colour and “Limited by” tell. Above the roof it has one of its own. */
export const statusOf = ({ status, above_roof }: Shown) =>
  above_roof ? MARK_WORDS.above! : statusLabel(status).replace(/ \(.*/, '');

type Shown = Pick<RowJson, 'status' | 'above_roof'>;

/** A row's status with its colour; hatched above the roof. */
export function Status({ of }: { of: Shown }) {
  return (
    <span class={of.above_roof ? 'status above' : 'status'} style={statusColour(of.status)}>
      {statusOf(of)}
    </span>
  );
}
