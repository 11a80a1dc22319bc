// The chart's marker in lists, and a status with its colour.
import type { RowJson, StatusName, SymbolName } from '../../../wasm/session';
import { pathData } from '../plot/markers';
import { limiterOf, roofsNow } from '../plot/bounds';
import { MARK_WORDS } from '../plot/marks';
import { limitVariable, statusVariable } from '../plot/palette';
import { viewState } from '../core/view';
import { PARTLY_KNOWN, STATUS_WORDS } from '../protocol';

/** The chart's marker of a kind of operation; pointing at it says which. */
export function Marker({ symbol, kind }: { symbol: SymbolName; kind?: string }) {
  return (
    <svg class="marker" viewBox="-8 -8 16 16" aria-hidden="true">
      {kind && <title>{kind}</title>}
      <path d={pathData(symbol, 5)} />
    </svg>
  );
}

/** A status in words. */
export const statusLabel = (status: StatusName) => STATUS_WORDS[status];

/** A row's status in words, without the roof, which its colour and “Limited by” show. Above the roof, or partly known, the words differ. */
export const statusOf = ({ status, above_roof, partly_known }: Shown) =>
  above_roof ? MARK_WORDS.above! : partly_known ? PARTLY_KNOWN : statusLabel(status).replace(/ \(.*/, '');

type Shown = Pick<RowJson, 'status' | 'above_roof' | 'partly_known'>;

/** A row's status in the colour of its point: of its limit, pale near the bound, or of the status; hatched above the roof. */
export function Status({ of }: { of: RowJson }) {
  const byStatus = viewState.value.colour === 'status' && of.status !== 'predicted';
  const mark = of.above_roof ? 'above' : of.near_bound && !byStatus ? 'near' : '';
  const colour = byStatus
    ? statusVariable(of.partly_known ? 'unknown' : of.status)
    : limitVariable(limiterOf(of), roofsNow());
  return (
    <span class={`status ${mark}`} style={{ '--colour': colour }} title="Same colour as its point on the chart">
      {statusOf(of)}
    </span>
  );
}
