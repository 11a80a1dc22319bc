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
        <dt>at its roof (compute, memory, link)</dt>
        <dd>
          More than {bound_thresh} % of what the machine allows: only less work, fewer bytes or another machine helps.
        </dd>
        <dt>latency</dt>
        <dd>
          Launching it takes longer than its work, and both together explain its time: merge it with its neighbours.
        </dd>
        <dt>far below (memory, link)</dt>
        <dd>
          Bound by memory or a link, yet below {mem_thresh} % of it: small transfers, large strides, misalignment.
        </dd>
        <dt>far below (compute)</dt>
        <dd>Bound by compute, yet below {comp_thresh} % of it: small dimensions, poor tiling, waiting.</dd>
        <dt>between</dt>
        <dd>Neither at its roof nor far below it.</dd>
        <dt>predicted</dt>
        <dd>No measured time: drawn hollow at its bound.</dd>
        <dt>time only</dt>
        <dd>Its time is known and nothing that was done in it.</dd>
        <dt>unknown</dt>
        <dd>No cost could be derived; the remarks on the input say why.</dd>
      </dl>
    </details>
  );
}
