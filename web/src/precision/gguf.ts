// The accuracy of GGUF's types: quantize.wasm, which is fetched on first use, measures it apart from the other formats.
import { useEffect, useState } from 'preact/hooks';
import type { AccuracyJson } from '../../../wasm/session';
import { core } from '../core/core';
import { tensorFile } from './tensors';

/** SQNR by type in dB, of a sample or, where it is given, of a tensor of the open file; empty until it is measured. */
export function useGgufAccuracies(sample: string, own: AccuracyJson | null): Record<string, number | null> {
  const [found, setFound] = useState<{ of: unknown; sqnr_db: Record<string, number | null> } | null>(null);
  const of = own ?? sample;
  useEffect(() => {
    let stale = false;
    const from = tensorFile.peek();
    const tensor = own && from?.tensors.find(({ name }) => name === own.tensor.name);
    const asked = tensor ? core().tensorAccuracies(from!.file, tensor) : core().sampleAccuracies(sample);
    asked.then(
      sqnr_db => stale || setFound({ of, sqnr_db }),
      () => {}, // the types stay without a figure
    );
    return () => void (stale = true);
  }, [of]);
  return found?.of === of ? found.sqnr_db : {};
}
