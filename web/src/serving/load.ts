// The load of a deployment: that of the model's plan, unless the view changes it.
import { viewState } from '../core/view';
import type { ModelRequest } from '../model/model_request';

export interface Load {
  prompt: number; // tokens
  generate: number; // tokens
  users: number; // 0: any number
  prefixHit: number; // fraction of a prompt that is in the cache
}

/**
 * The load of a model's plan; the batch is the number of users. A decode step counts as the last one of a request, so that prompt and
 * answer fill its context; the context of a prefill is the prompt and the tokens cached before it.
 */
export function plannedLoad({ phase, batch = 1, prompt = 2048, context = 0, generate = 256 }: ModelRequest): Load {
  const before = phase === 'prefill' ? Math.max(0, context - prompt) : 0;
  const whole =
    phase === 'generate' ? prompt : phase === 'prefill' ? prompt + before : Math.max(prompt, context - generate);
  return { prompt: whole, generate, users: batch, prefixHit: whole > 0 ? before / whole : 0 };
}

export const LOAD_KEYS = ['prompt', 'generate', 'users', 'prefixHit'] as const;

/** The load that the view shows. */
export function servingLoad(request: ModelRequest): Load {
  const planned = plannedLoad(request);
  const own = viewState.value.serving ?? {};
  return Object.fromEntries(LOAD_KEYS.map(key => [key, own[key] ?? planned[key]])) as unknown as Load;
}
