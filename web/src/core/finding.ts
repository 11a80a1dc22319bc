// The sentence that answers the shown view's own question. Its answer brings it; while there is none, the headline of all stands.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';
import { panelFrame } from './engine';
import { modelAnswer } from '../model/model';

const viewFinding = signal<FindingPart[] | null>(null);

/** What stands above the view, on the screen and in its picture. */
export const finding = computed<FindingPart[]>(() => {
  if (viewFinding.value) return viewFinding.value;
  const model = modelAnswer.value?.finding;
  return model === undefined ? (panelFrame.value?.json.finding ?? []) : [{ text: model }];
});

/** Says it for as long as the view that calls this is shown. */
export function useFinding(parts: FindingPart[] | undefined) {
  useEffect(() => {
    if (!parts?.length) return;
    viewFinding.value = parts;
    return () => {
      if (viewFinding.peek() === parts) viewFinding.value = null;
    };
  }, [parts]);
}
