// The accuracy of GGUF's types for a sample: quantize.wasm, which is fetched on first use, measures it apart from the other formats.
import { useEffect, useState } from 'preact/hooks';
import { core } from '../core/core';

/** SQNR by type in dB; null: exact. */
type Accuracies = Record<string, number | null>;

const measured = new Map<string, Promise<Accuracies>>(); // by sample: measuring one takes a second

function accuraciesOf(sample: string) {
  const found = measured.get(sample) ?? core().sampleAccuracies(sample);
  measured.set(sample, found);
  found.catch(() => measured.delete(sample)); // the next view tries again
  return found;
}

/** Of each type for the sample; empty until it is measured, and without a sample. */
export function useGgufAccuracies(sample: string | null): Accuracies {
  const [found, setFound] = useState<{ sample: string; sqnr_db: Accuracies } | null>(null);
  useEffect(() => {
    if (!sample) return;
    let stale = false;
    accuraciesOf(sample).then(
      sqnr_db => stale || setFound({ sample, sqnr_db }),
      () => {}, // the types stay without a figure
    );
    return () => void (stale = true);
  }, [sample]);
  return found && found.sample === sample ? found.sqnr_db : {};
}
