// The sentence that answers the shown view's own question. Its answer brings it; while there is none, the headline of all stands.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FindingPart } from '../../../wasm/session';

export const viewFinding = signal<FindingPart[] | null>(null);

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
