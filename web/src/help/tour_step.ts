// The tour: which of its steps is shown. It runs on a sample that was measured on real hardware.
import { batch, signal } from '@preact/signals';
import { openSample } from '../sources/files';
import { sample, source } from '../sources/opened';
import { changeFolded, drawerOpen } from '../core/layout';
import { changeView } from '../core/view';

const SAMPLE = 'cpu-gemm';

/** The step that is shown; null: there is no tour. Opening another source ends it. */
export const tourStep = signal<number | null>(null);
source.subscribe(() => {
  if (sample.peek()?.id !== SAMPLE) tourStep.value = null;
});

/** Opens the sample and begins. */
export async function startTour() {
  await openSample(SAMPLE);
  batch(() => {
    changeView({ tab: undefined });
    changeFolded.value = false;
    drawerOpen.value = true;
    tourStep.value = 0;
  });
}
