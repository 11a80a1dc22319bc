// Whether the core is computing. Work of less than MOMENT_MS is not shown: it would flicker during a drag.
import { signal } from '@preact/signals';

const MOMENT_MS = 150;

/** Work of one kind: whether some of it has lasted for longer than a moment. */
function kindOfWork() {
  const shown = signal(false);
  let running = 0;
  let timer = 0;
  const follow = async (work: Promise<unknown>) => {
    if (++running === 1) timer = window.setTimeout(() => (shown.value = true), MOMENT_MS);
    try {
      await work;
    } finally {
      if (--running === 0) {
        clearTimeout(timer);
        shown.value = false;
      }
    }
  };
  /** A newer result is there, and more work follows: a drag whose results keep coming is not out of date. */
  const progressed = () => {
    if (running === 0) return;
    clearTimeout(timer);
    shown.value = false;
    timer = window.setTimeout(() => (shown.value = true), MOMENT_MS);
  };
  return { shown, follow, progressed };
}

/** True once the core has opened the first source, if there is one. */
export const ready = signal(false);

/** `opening`: the first frames of a new source. `questions`: of the shown view, which shows its earlier answer. `unanswered`: nothing to show
 * yet, e.g. while a network is read again. */
export const opening = kindOfWork();
export const frames = kindOfWork();
export const questions = kindOfWork();
export const unanswered = kindOfWork();

/** Whether the headline, the totals or the view are out of date. */
export const isComputing = () => [opening, frames, questions, unanswered].some(({ shown }) => shown.value);
