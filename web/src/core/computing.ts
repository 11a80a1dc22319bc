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
    await work.catch(() => {});
    if (--running > 0) return;
    clearTimeout(timer);
    shown.value = false;
  };
  return { shown, follow };
}

/** Frames; and questions of the shown view. */
export const frames = kindOfWork();
export const questions = kindOfWork();

/** Whether the headline, the totals or the view are out of date. */
export const isComputing = () => frames.shown.value || questions.shown.value;
