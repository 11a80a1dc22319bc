// The question of the Accuracy view. For many operations it asks a few formats at a time, so that frames and clicks are not delayed.
import type { FindingPart, PrecisionJson } from '../../../wasm/session';
import { ask, useAnswer, type AskFunction } from '../core/ask';
import { formats } from '../core/catalogue';
import { opened } from '../sources/opened';

const PART = 1_000_000; // operations times formats: some 25 ms

const inParts: AskFunction<PrecisionJson> = async (question, request, stale) => {
  const ops = opened.peek()?.ops ?? 0;
  const ids = formats.peek().map(({ id }) => id);
  const each = Math.max(1, Math.floor(PART / Math.max(1, ops)));
  if ('op' in request || each >= ids.length) return ask<PrecisionJson>(question, request);
  const found: PrecisionJson['formats'] = [];
  for (let i = 0; i < ids.length; i += each) {
    const part = await ask<PrecisionJson>(question, { ...request, formats: ids.slice(i, i + each) });
    if (stale()) return null;
    if ('error' in part) return part;
    found.push(...part.json.formats);
  }
  const front = await ask<{ pareto: boolean[]; finding: FindingPart[] }>(question, { ...request, front: found });
  if ('error' in front) return front;
  const { pareto, finding } = front.json;
  return { json: { formats: found.map((format, i) => ({ ...format, pareto: pareto[i]! })), finding }, columns: {} };
};

/** The answer of the Accuracy view, fetched in parts. */
export const usePrecision = (request: object | null) => useAnswer<PrecisionJson>('precision', request, inParts);
