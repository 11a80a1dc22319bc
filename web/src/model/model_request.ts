// The request of a language model's inference (docs/guide/llm.md describes the keys).
import { MODEL_DEFAULTS } from '../protocol';

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

/** The core's default format of activations; the KV cache defaults to the activations' format. */
export const DEFAULT_ACTIVATIONS = 'fp16';

/** Tokens of the prompt, as the core has them. */
export const promptOf = ({ prompt, context }: ModelRequest) => prompt ?? context ?? MODEL_DEFAULTS.prompt;

/** Tokens of the context, likewise: it holds at least the prompt. */
export const contextOf = (request: ModelRequest) => Math.max(request.context ?? 0, promptOf(request));

/** Tokens that are generated, likewise. */
export const generatedOf = ({ phase, generate }: ModelRequest) =>
  generate ?? (phase === 'generate' ? MODEL_DEFAULTS.generate : 0);

/** Tokens of the context behind the prompt: those that are generated, of which a prefill has none. */
export const behindPrompt = (request: ModelRequest) => (request.phase === 'prefill' ? 0 : generatedOf(request));

/** The prompt that fills the context, with the generated tokens behind it. */
const impliedPrompt = (request: ModelRequest) =>
  request.context === undefined ? undefined : Math.max(1, request.context - behindPrompt(request));

/** Whether prompt and generated tokens together fill the context; true if no prompt is given. */
export const fillsContext = (request: ModelRequest) =>
  request.prompt === undefined || request.prompt === impliedPrompt(request);

/**
 * The changed request, with prompt, context and generated tokens made consistent. Until the user sets the prompt, it
 * fills the context: a decode adapts the prompt, a whole generation (which shows no context) adapts the context.
 * A prompt that the user set stays: a longer prompt or answer lengthens the context; a shorter context stays as typed.
 * If the prompt filled the context, a change of phase adapts the context.
 */
export function withPrompt(changed: ModelRequest, before: ModelRequest, isSet: boolean): ModelRequest {
  const { prompt, context } = changed;
  const otherPhase = changed.phase !== before.phase;
  if (otherPhase || (changed.phase === 'generate' && !isSet))
    return context !== undefined && prompt !== undefined && fillsContext(before)
      ? { ...changed, context: prompt + behindPrompt(changed) }
      : changed;
  if (isSet) return context === before.context ? withLongEnoughContext(changed) : changed;
  const implied = impliedPrompt(changed);
  if (implied === undefined) return changed;
  if (context !== before.context) return { ...changed, ...fittingAnswer(changed, implied), prompt: implied };
  return changed.generate !== before.generate ? { ...changed, prompt: implied } : changed;
}

/** The most tokens that may be generated: one token of the context stays for the prompt. Undefined: no limit. */
export const mostGenerated = ({ phase, context }: ModelRequest, isSet: boolean) =>
  (phase ?? 'decode') === 'decode' && context !== undefined && !isSet ? Math.max(1, context - 1) : undefined;

/** A number of generated tokens that the context has room for behind the prompt; nothing if it has for the request's. */
const fittingAnswer = (request: ModelRequest, prompt: number): Partial<ModelRequest> =>
  prompt + behindPrompt(request) > request.context! ? { generate: Math.max(1, request.context! - prompt) } : {};

/** The request, its context raised if it is too short for the prompt and the generated tokens. */
const withLongEnoughContext = (request: ModelRequest) => {
  const least = promptOf(request) + behindPrompt(request);
  return request.context !== undefined && request.context < least ? { ...request, context: least } : request;
};

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
