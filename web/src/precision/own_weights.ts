// The accuracy of each format on the open network's own weights, layer by layer: read while a view of accuracies is shown.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Reply } from '../core/ask';
import { unanswered } from '../core/computing';
import { core } from '../core/core';
import { settingsText } from '../core/settings';
import { network } from '../network/network';
import { layerTensors } from './tensors';

/** SQNR by format in dB; null: exact. */
type ByFormat = Record<string, number | null>;

export interface OwnWeights {
  tensors: Record<string, ByFormat>; // by layer, those measured so far
  measured: number;
  total: number; // layers whose weights are in the file
}

const EACH = 4; // layers per request: about 100 ms

const found = signal<{ of: object; weights: OwnWeights } | null>(null);

/** What is measured so far of the open network; null: nothing. */
const measuredSoFar = computed<OwnWeights | null>(() => {
  const weights = found.value?.of === network.value ? found.value?.weights : null;
  return weights && Object.keys(weights.tensors).length > 0 ? weights : null;
});

/** SQNR of a layer's own weights in a format, dB; Infinity: exact; null: not measured. */
export function measuredDb(layer: string, format: string): number | null {
  const all = { ...layerTensors.value, ...measuredSoFar.value?.tensors };
  const db = (all[layer] ?? all[`${layer}.weight`])?.[format];
  return db === undefined ? null : (db ?? Number.POSITIVE_INFINITY);
}

/** The same as `measuredSoFar`, and measures the rest. Null, too, if the network's file has no weights that could be rounded, or is not alone. */
export function useOwnWeights(): OwnWeights | null {
  const open = network.value;
  useEffect(() => {
    if (!open?.float_weights || (found.peek()?.of === open && isComplete(found.peek()!.weights))) return;
    let gone = false;
    void unanswered.follow(measureAll(open, () => gone));
    return () => void (gone = true);
  }, [open]);
  return measuredSoFar.value;
}

export const isComplete = ({ measured, total }: OwnWeights) => measured >= total;

async function measureAll(open: object, gone: () => boolean) {
  const begun = found.peek();
  const weights: OwnWeights =
    begun?.of === open
      ? { ...begun.weights, tensors: { ...begun.weights.tensors } }
      : { tensors: {}, measured: 0, total: 0 };
  do {
    const reply = (await core().askNetworkPlan(settingsText.peek(), {
      accuracy: true,
      first: weights.measured,
      count: EACH,
    })) as Reply<{ tensors: Record<string, ByFormat>; total: number }>;
    if (gone() || network.peek() !== open) return;
    if ('error' in reply) {
      found.value = null; // then the accuracies are those of assumed numbers
      return;
    }
    Object.assign(weights.tensors, reply.json.tensors);
    weights.total = reply.json.total;
    weights.measured = Math.min(weights.measured + EACH, weights.total);
    found.value = { of: open, weights: { ...weights, tensors: { ...weights.tensors } } };
  } while (!isComplete(weights));
}
