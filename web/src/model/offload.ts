// The open language model shared between the machine and its host: the question, and the newest answer.
import { signal } from '@preact/signals';
import type { NumberOrNull } from '../format';
import { askQuantize, type Reply } from '../core/ask';
import type { Patch } from '../core/settings';
import { changeView, viewState, type OffloadView } from '../core/view';

/** The part of the card, or of the host. */
interface OffloadSide {
  weights_bytes: number;
  cache_bytes: number;
  activation_bytes: number;
  traffic_bytes: number;
  decode_s: NumberOrNull;
  typical_decode_s: NumberOrNull;
  prefill_s: NumberOrNull;
  typical_prefill_s: NumberOrNull;
}

export interface OffloadJson {
  batch: number; // that was asked about
  host: string;
  layers: number; // of the model, with the LM head
  gpu_layers: number;
  experts_on_host: boolean;
  fits: boolean | null;
  barely_fits: boolean;
  tpot_s: NumberOrNull;
  typical_tpot_s: NumberOrNull;
  ttft_s: NumberOrNull;
  typical_ttft_s: NumberOrNull;
  card: OffloadSide;
  host_part: OffloadSide;
  link: { decode_bytes: number; decode_s: NumberOrNull; prefill_bytes: number; prefill_s: NumberOrNull };
  best: { gpu_layers: number; tpot_s: NumberOrNull; typical_tpot_s: NumberOrNull; fits: boolean | null };
  finding: string;
}

/** Null: the model is whole on the machine, or the answer is not there yet. */
export const offloadAnswer = signal<OffloadJson | null>(null);

export const FIRST_HOST = 'epyc-9654';

/** Changes the split; undefined removes a key. */
export const changeOffload = (part: Patch<OffloadView>) =>
  changeView({
    offload: Object.fromEntries(
      Object.entries({ host: FIRST_HOST, ...viewState.peek().offload, ...part }).filter(
        ([, value]) => value !== undefined && value !== false,
      ),
    ) as unknown as OffloadView,
  });

export async function askOffload(question: string, request: object): Promise<Reply<OffloadJson>> {
  const reply = await askQuantize<OffloadJson>(question, request);
  if ('error' in reply) return reply;
  const { batch = 1 } = (request as { request: { batch?: number } }).request;
  return { ...reply, json: { ...reply.json, batch } };
}
