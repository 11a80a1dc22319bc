// What users send to a deployment: the model's plan, unless the view has figures of its own.
import { viewState } from '../core/view';
import type { ModelRequest } from '../model/model_request';

export interface Load {
  prompt: number; // tokens
  generate: number; // tokens
  users: number; // 0: any number
  prefixHit: number; // fraction of a prompt that is in the cache
}

/**
 * The load of a model's plan: its batch are the users. A decode step is taken to be a request's last one, so that prompt and answer end at
 * its context; a prefill's context has the prompt and what is in the cache before it.
 */
export function plannedLoad({ phase, batch = 1, prompt = 2048, context = 0, generate = 256 }: ModelRequest): Load {
  const before = phase === 'prefill' ? Math.max(0, context - prompt) : 0;
  const whole =
    phase === 'generate' ? prompt : phase === 'prefill' ? prompt + before : Math.max(prompt, context - generate);
  return { prompt: whole, generate, users: batch, prefixHit: before / whole };
}

export const LOAD_KEYS = ['prompt', 'generate', 'users', 'prefixHit'] as const;

/** The load that the view shows. */
export function servingLoad(request: ModelRequest): Load {
  const planned = plannedLoad(request);
  const own = viewState.value.serving ?? {};
  return Object.fromEntries(LOAD_KEYS.map(key => [key, own[key] ?? planned[key]])) as unknown as Load;
}
