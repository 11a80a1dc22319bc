// The request of a language model's inference (docs/guide/llm.md describes the keys).
export interface ModelRequest {
  model: string | object; // an id, or a config.json
  phase?: 'prefill' | 'decode' | 'generate';
  batch?: number;
  prompt?: number;
  context?: number;
  generate?: number;
  weights?: string;
  activations?: string;
  kv?: string;
  experts?: string;
  attention?: 'unfused' | 'ideal' | 'flash';
  mla?: 'auto' | 'expanded' | 'absorbed';
  causal?: boolean;
  last_token?: boolean; // in prefill the head runs on each sequence's last token alone
  tp?: number;
  ep?: number;
  chunk?: number; // most prompt tokens per step
  reserve?: number; // fraction of a machine's memory that stays free
  speculate?: { gamma: number; acceptance: number; draft: string };
  price_usd?: number; // of one machine, written off over `years`
  years?: number;
  usd_per_hour?: number; // instead of a price
  measured_s?: number;
  measured?: unknown;
}

/** Tokens of the prompt, as the core has them. */
export const promptOf = ({ prompt, context }: ModelRequest) => prompt ?? context ?? 2048;

/** The prompt that fills the context, with the generated tokens where there are any; undefined without a context. */
const impliedPrompt = ({ phase = 'decode', context, generate = 256 }: ModelRequest) =>
  context === undefined ? undefined : phase === 'prefill' ? context : Math.max(1, context - generate);

/** The changed request, its prompt adapted to a new phase, context or number of generated tokens until the user sets the prompt. */
export function withPrompt(changed: ModelRequest, before: ModelRequest): ModelRequest {
  const { prompt } = changed;
  const follows = prompt === before.prompt && (prompt === undefined || prompt === impliedPrompt(before));
  const moved =
    changed.phase !== before.phase || changed.context !== before.context || changed.generate !== before.generate;
  const next = impliedPrompt(changed);
  return follows && moved && next !== undefined ? { ...changed, prompt: next } : changed;
}

/** The first request: a case where both the weights and the KV cache matter. */
export const FIRST_REQUEST: ModelRequest = {
  model: 'llama-3-8b',
  phase: 'decode',
  batch: 8,
  prompt: 3840, // context - generate
  context: 4096,
  generate: 256,
};
export const FIRST_MACHINE = 'a100-80gb-sxm';
