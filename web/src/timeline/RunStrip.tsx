// The strip of the run over time, under the roofline.
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../core/ask';
import { panelFrame } from '../core/engine';
import { hasAlternatives, idle } from '../sources/opened';
import { ready } from '../core/computing';
import { held } from '../core/pointer';
import { viewState } from '../core/view';
import type { Segments, TimeAnswer } from './segments';
import { TimeStrip } from './TimeStrip';
import type { Answer } from '../worker/messages';

/** The strip, in a row reserved for it. It is updated at rest only: during a drag the chart comes first. */
export function RunStrip() {
  const [reply, setReply] = useState<Answer<TimeAnswer> | null>(null);
  const { noInfeed, level, colour } = viewState.value;
  const revision = ready.value && !held.value ? panelFrame.value?.revision : undefined;
  useEffect(() => {
    if (revision === undefined) return;
    let stale = false;
    void ask<TimeAnswer>('steps', { infeed: !noInfeed, revision }).then(
      next => stale || setReply('error' in next ? null : next),
      () => {}, // the core stopped: reopening the source brings another frame
    );
    return () => void (stale = true);
  }, [revision, noInfeed, level]);
  const { shown, all } = panelFrame.value?.json ?? {};
  const filtered = shown && shown.ops < all!.ops;
  const several = reply && (reply.columns.start?.length ?? 0) > 1;
  if (hasAlternatives() || (reply && !several)) return null;
  return (
    <div class={colour ? 'run-strip own-colours' : 'run-strip'}>
      {several && (
        <TimeStrip
          label={
            filtered
              ? 'The operations shown'
              : shown?.timed_ops
                ? idle.value && !reply.json.launched
                  ? 'Busy time'
                  : 'The run'
                : 'The bounds'
          }
          note={colour ? ', coloured by limit' : ''} // the chart above is coloured otherwise
          json={reply.json}
          columns={reply.columns as unknown as Segments}
        />
      )}
    </div>
  );
}
