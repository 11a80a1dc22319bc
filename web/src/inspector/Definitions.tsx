// Status definitions, at the thresholds in force.
import type { RowJson } from '../../../wasm/session';
import { DEFAULTS, settings } from '../core/settings';
import { remarksCounted } from '../sources/remark_groups';

/** The thresholds in force, in percent. */
function thresholds() {
  const {
    bound_thresh = DEFAULTS.bound_thresh,
    mem_thresh = DEFAULTS.mem_thresh,
    comp_thresh = DEFAULTS.comp_thresh,
    advice_thresh = DEFAULTS.advice_thresh,
  } = settings.value;
  return { bound_thresh, mem_thresh, comp_thresh, advice_thresh };
}

/** "under 40%": the threshold behind a row's status, as a share of its roof. */
export function thresholdOf({ status, above_roof, partly_known }: RowJson) {
  const { bound_thresh, mem_thresh, comp_thresh } = thresholds();
  if (above_roof || partly_known) return '';
  if (status === 'compute-inefficient') return `under ${comp_thresh}%`;
  if (status.endsWith('-inefficient')) return `under ${mem_thresh}%`;
  return /^(compute|memory|link)-bound$/.test(status) ? `above ${bound_thresh}%` : '';
}

/** What each status means. */
export function Definitions() {
  const { bound_thresh, mem_thresh, comp_thresh, advice_thresh } = thresholds();
  return (
    <details>
      <summary>Status definitions</summary>
      <dl class="definitions">
        <dt>near the roof (compute, memory, link)</dt>
        <dd>Above {bound_thresh}% of the machine’s limit: only less work, fewer bytes or another machine helps.</dd>
        <dt>latency</dt>
        <dd>Its launch takes longer than its work, and together they explain its time: fuse it with its neighbours.</dd>
        <dt>well below the roof (memory, link)</dt>
        <dd>
          Limited by memory or a link, but below {mem_thresh}% of it: small transfers, large strides, misalignment.
        </dd>
        <dt>well below the roof (compute)</dt>
        <dd>Limited by compute, but below {comp_thresh}% of it: small dimensions, poor tiling, waiting.</dd>
        <dt>in between</dt>
        <dd>Neither near the roof nor well below it.</dd>
        <dt>limited by neither</dt>
        <dd>Below {advice_thresh}% of its roof: overhead, waiting or a poor kernel takes most of the time.</dd>
        <dt>predicted</dt>
        <dd>No measured time: drawn hollow at its bound.</dd>
        <dt>time only</dt>
        <dd>Time known; work unknown.</dd>
        <dt>unknown</dt>
        <dd>No work could be derived; the {remarksCounted.value.title.toLowerCase()} say why.</dd>
      </dl>
    </details>
  );
}
