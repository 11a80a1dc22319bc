// The accuracy of GGUF's types for a sample: quantize.wasm, which is fetched on first use, measures it apart from the other formats.
import { useEffect, useState } from 'preact/hooks';
import { core } from '../core/core';

/** SQNR by type in dB; null: exact. Empty until it is measured, and without a sample. */
export function useGgufAccuracies(sample: string | null): Record<string, number | null> {
  const [found, setFound] = useState<{ sample: string; sqnr_db: Record<string, number | null> } | null>(null);
  useEffect(() => {
    if (!sample) return;
    let stale = false;
    core()
      .sampleAccuracies(sample)
      .then(
        sqnr_db => stale || setFound({ sample, sqnr_db }),
        () => {}, // the types stay without a figure
      );
    return () => void (stale = true);
  }, [sample]);
  return found && found.sample === sample ? found.sqnr_db : {};
}
