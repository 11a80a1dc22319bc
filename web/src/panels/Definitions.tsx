// What the statuses mean, at the thresholds in force.
import { DEFAULTS, settings } from '../state/settings';

/** What each status means. */
export function Definitions() {
  const {
    bound_thresh = DEFAULTS.bound_thresh,
    mem_thresh = DEFAULTS.mem_thresh,
    comp_thresh = DEFAULTS.comp_thresh,
  } = settings.value;
  return (
    <details>
      <summary>What the statuses mean</summary>
      <dl class="definitions">
        <dt>compute bound, memory bound</dt>
        <dd>
          More than {bound_thresh} % of what the machine allows: only less work, fewer bytes or another machine helps.
        </dd>
        <dt>memory inefficient</dt>
        <dd>Limited by memory, yet below {mem_thresh} % of it: small transfers, large strides, misalignment.</dd>
        <dt>compute inefficient</dt>
        <dd>Limited by compute, yet below {comp_thresh} % of it: small dimensions, poor tiling, waiting.</dd>
        <dt>normal</dt>
        <dd>In between.</dd>
        <dt>predicted</dt>
        <dd>No measured time: drawn hollow at its bound.</dd>
        <dt>unknown</dt>
        <dd>No cost could be derived; the remarks on the input say why.</dd>
      </dl>
    </details>
  );
}
