// The open language model, if any: its request as typed and the core's answer.
import { computed, effect, signal } from '@preact/signals';
import type { NumberOrNull } from '../format';
import { openBuilt } from '../sources/built';
import { source } from '../sources/opened';
import { FIRST_REQUEST, fillsContext, withPrompt, type ModelRequest } from './model_request';
import { chooseMachine, settingsText, type Patch } from '../core/settings';

export interface Change {
  change: string;
  patch: Record<string, unknown>;
  tokens_per_s_factor: number; // bound
  typical_tokens_per_s_factor: number;
  typical_latency_factor: number;
  fits: boolean | null;
  barely_fits: boolean;
  hardware: boolean;
}

export interface Measured {
  name: string;
  phase: string | null;
  time_s: number | null;
  predicted_time_s: number | null;
  intensity: number | null;
  attainable_flops: number | null;
  achieved_flops: number;
  achieved_bandwidth: number;
  efficiency: number;
  mfu: number | null;
  mbu: number | null;
  bottleneck: string;
  explanations: { assumption: string; time_s: number }[];
}

export interface Layer {
  step: string;
  name: string;
  category: string;
  windowed: boolean;
  count: number;
  flops: number;
  bytes: number;
  link_bytes: number;
  intensity: number | null;
  bound: '' | 'compute' | 'memory' | 'link';
  predicted_s: number;
  share: number | null;
  flops_formula: string | null;
  elements_formula: string | null;
}

export interface ModelAnswer {
  parameters: number;
  active_parameters: number;
  weights_bytes: number;
  kv_bytes_per_token: number;
  fits: boolean | null;
  bytes_per_machine: { weights: number; kv: number; activations: number; total: number; capacity: NumberOrNull };
  memory: {
    verdict: 'fits' | 'tight' | 'does not fit' | 'context too long' | null;
    text: string;
    reserve: number;
    context: number;
  };
  largest_batch: NumberOrNull;
  longest_context: NumberOrNull;
  longest_context_limit: 'memory' | 'training' | null;
  compute_bound_batch: NumberOrNull;
  machines: number;
  ttft_s: NumberOrNull;
  ttft_alone_s: NumberOrNull;
  tpot_s: NumberOrNull;
  total_s: NumberOrNull;
  typical_ttft_s: NumberOrNull;
  typical_ttft_alone_s: NumberOrNull;
  typical_tpot_s: NumberOrNull;
  typical_total_s: NumberOrNull;
  typical_tokens_per_s: number;
  typical_tokens_per_s_per_machine: number;
  typical_tokens_per_s_per_user: number;
  achievable: { compute: number; bandwidth: number; launch_s: number };
  estimate: {
    stack: string;
    name: string;
    basis: string;
    within: string;
    errors: Record<string, { median: number; p90: number; rows: number; within: string }>;
  };
  tokens_per_s: number;
  tokens_per_s_per_machine: number;
  tokens_per_s_per_user: number;
  prefill_intensity: number;
  decode_intensity: number;
  joules_per_million_tokens: NumberOrNull;
  typical_joules_per_million_tokens: NumberOrNull;
  usd_per_million_tokens: NumberOrNull;
  typical_usd_per_million_tokens: NumberOrNull;
  cost: { usd_per_hour: NumberOrNull; price_usd: NumberOrNull; years: number };
  measured: Measured[];
  changes: Change[];
  finding: string;
  model: {
    id: string;
    name: string;
    family: string;
    tied_embeddings: boolean;
    notes?: string[];
    published_formats?: string;
    mlp: { experts?: number };
  };
  config: Record<string, unknown>;
  layers: Layer[];
}

/** The estimate and the bound of a phase, s: to the first token, per token, or for the whole generation. */
export const phaseTimes = (answer: ModelAnswer, phase: NonNullable<ModelRequest['phase']>) =>
  ({
    prefill: { estimate: answer.typical_ttft_s, bound: answer.ttft_s },
    decode: { estimate: answer.typical_tpot_s, bound: answer.tpot_s },
    generate: { estimate: answer.typical_total_s, bound: answer.total_s },
  })[phase];

export const modelRequest = signal<ModelRequest | null>(null); // as typed: ahead of `source` while the core works
export const modelAnswer = signal<ModelAnswer | null>(null);

/** Measured runs, shown on the chart besides the operations. */
export const measuredPoints = computed(() =>
  (modelAnswer.value?.measured ?? []).filter(({ intensity, achieved_flops }) => intensity! > 0 && achieved_flops > 0),
);

/** Whether the user has set the prompt. For an opened request: whether prompt and answer do not fill the context. */
export const promptIsSet = signal(false);

const sent = new WeakSet<object>(); // requests of the form, until the core has built them
let last = FIRST_REQUEST; // as the form shows it
let lastOpened = FIRST_REQUEST;

/** Opens a language model as the source. */
export function openModel(request: ModelRequest, isSet = !fillsContext(request)) {
  sent.add(request);
  promptIsSet.value = isSet;
  modelRequest.value = last = request;
  return openBuilt({ built: 'model', request });
}

/** Changes some keys of the request; undefined removes one. */
export function changeModel(part: Patch<ModelRequest>) {
  const isSet = promptIsSet.peek() || part.prompt !== undefined;
  const changed = Object.fromEntries(
    Object.entries({ ...last, ...part }).filter(([, value]) => value !== undefined),
  ) as unknown as ModelRequest;
  return openModel(withPrompt(changed, last, isSet), isSet);
}

/** Opens the last request that could be opened. */
export const openModelSource = () => void openModel({ ...lastOpened });

/** Makes a suggested change. */
export function applyChange({ patch }: Change) {
  if (typeof patch.machine === 'string') chooseMachine(patch.machine);
  else void changeModel({ ...('weights' in patch && { experts: undefined }), ...patch } as Patch<ModelRequest>);
}

/** Shows in the panel the request that a link, a dropped config.json or an undone step opened. */
effect(() => {
  const from = source.value;
  const request = from && 'built' in from && from.built === 'model' ? (from.request as ModelRequest) : null;
  if (request) lastOpened = request;
  if (!request) {
    modelRequest.value = modelAnswer.value = null;
  } else if (!sent.delete(request)) {
    modelRequest.value = last = request;
    promptIsSet.value = !fillsContext(request);
  }
});

/** Builds the model again when the settings change, if its rows depend on the machine: link, attention tiles, steps of a generation. */
let settled = settingsText.peek();
effect(() => {
  if (settingsText.value === settled) return;
  settled = settingsText.value;
  const request = modelRequest.peek();
  if (
    request &&
    ((request.tp ?? 1) > 1 || (request.ep ?? 1) > 1 || request.phase === 'generate' || request.attention === 'flash')
  )
    void openModel({ ...request }, promptIsSet.peek());
});
