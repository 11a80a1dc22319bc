// How the selected operation's time changed, shown in its diagnosis beside the list of changes.
import { seconds } from '../format';
import { viewState } from '../core/view';
import { listedChanges, titleIfRenamed } from './comparison';
import { fasterOrSlower } from './rows';

/** Nothing where the operation is not listed: it did not change, or the rows are groups. `op`: its index in the run after. */
export function ChangeOf({ op }: { op: number }) {
  const change = listedChanges.value.find(({ b }) => b === op);
  if (!change || viewState.value.grouped) return null;
  const { a, time_a_s, time_b_s, time_ratio } = change;
  if (a === null) return <p class="change-of">Not in the run before</p>;
  return (
    <p class="change-of" title={titleIfRenamed(change)}>
      Before {seconds(time_a_s)}, after {seconds(time_b_s)}
      {time_ratio && (
        <>
          : <strong>{fasterOrSlower(1 / time_ratio)}</strong>
        </>
      )}
    </p>
  );
}
