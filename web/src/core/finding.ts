// The headline: the finding of the shown view, or that of the whole workload until the view has one.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { unanswered } from './computing';
import { panelFrame } from './engine';
import { modelAnswer } from '../model/model';

const COMPUTING = [{ text: 'Computing…' }];
const viewFinding = signal<FindingPart[] | null>(null);

/** The headline, on the screen and in exported pictures. */
export const finding = computed<FindingPart[]>(() => {
  if (viewFinding.value) return viewFinding.value;
  if (unanswered.shown.value) return COMPUTING;
  const model = modelAnswer.value?.finding;
  return model === undefined ? (panelFrame.value?.json.finding ?? []) : [{ text: model }];
});

/** Whether the headline is the shown view's own. */
export const isOfView = computed(() => viewFinding.value !== null);

/** Shows a view's finding as the headline while the view is mounted. */
export function useFinding(parts: FindingPart[] | undefined) {
  useEffect(() => {
    if (!parts?.length) return;
    viewFinding.value = parts;
    return () => {
      if (viewFinding.peek() === parts) viewFinding.value = null;
    };
  }, [parts]);
}
