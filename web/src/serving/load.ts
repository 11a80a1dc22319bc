// The load of a deployment: that of the model's plan, unless the view changes it.
import { viewState } from '../core/view';
import { contextOf, promptOf, type ModelRequest } from '../model/model_request';
import { MODEL_DEFAULTS } from '../protocol';

interface Load {
  prompt: number; // tokens
  generate: number; // tokens
  users: number; // 0: any number
  prefixHit: number; // fraction of a prompt that is in the cache
}

/**
 * The load of a model's plan; the batch is the number of users. A decode step counts as the last one of a request, so that prompt and
 * answer fill its context; the context of a prefill is the prompt and the tokens cached before it.
 */
function plannedLoad(request: ModelRequest): Load {
  const { phase, batch: users = 1, generate = MODEL_DEFAULTS.generate } = request;
  const [prompt, context] = [promptOf(request), contextOf(request)];
  if (phase === 'generate') return { prompt, generate, users, prefixHit: 0 };
  if (phase === 'prefill') return { prompt: context, generate, users, prefixHit: (context - prompt) / context };
  return { prompt: Math.max(request.prompt ?? 1, context - generate), generate, users, prefixHit: 0 };
}

export const LOAD_KEYS = ['prompt', 'generate', 'users', 'prefixHit'] as const;

/** The load that the view shows. */
export function servingLoad(request: ModelRequest): Load {
  const planned = plannedLoad(request);
  const own = viewState.value.serving ?? {};
  return Object.fromEntries(LOAD_KEYS.map(key => [key, own[key] ?? planned[key]])) as unknown as Load;
}
