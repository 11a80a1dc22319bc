// The headline: the finding of the shown view, or that of the whole workload until the view has one.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { opening, unanswered } from './computing';
import { panelFrame } from './engine';
import { modelAnswer } from '../model/model';
import { sameKind, type Source } from '../share/link';
import { source } from '../sources/opened';

const COMPUTING = [{ text: 'Computing…' }];
const lastViewFinding = signal<{ parts: FindingPart[]; of: Source | null } | null>(null);
/** The shown view's finding; null if it belongs to the previous source. */
const viewFinding = computed(() =>
  lastViewFinding.value && sameKind(lastViewFinding.value.of, source.value) ? lastViewFinding.value.parts : null,
);

/** The headline, on the screen and in exported pictures. */
export const finding = computed<FindingPart[]>(() => {
  if (opening.shown.value) return COMPUTING; // the frame is of the source before
  if (viewFinding.value) return viewFinding.value;
  if (unanswered.shown.value) return COMPUTING;
  const model = modelAnswer.value?.finding;
  return model === undefined ? (panelFrame.value?.json.finding ?? []) : [{ text: model }];
});

/** Whether the headline is the shown view's own. */
export const isOfView = computed(() => viewFinding.value !== null);

/** Shows a view's finding as the headline while the view is mounted. */
export function useFinding(shown: FindingPart[] | string | undefined) {
  useEffect(() => {
    if (!shown?.length) return;
    const parts = typeof shown === 'string' ? [{ text: shown }] : shown;
    lastViewFinding.value = { parts, of: source.peek() };
    return () => {
      if (lastViewFinding.peek()?.parts === parts) lastViewFinding.value = null;
    };
  }, [shown]);
}
