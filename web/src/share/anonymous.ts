// An input and its link without names, for a link that may be seen by others.
import type { LinkState } from './link';

type Row = { name?: unknown; type?: unknown; labels?: unknown; step?: unknown };

/** The JSON with operations and steps renamed by number; null: not JSON, or no operation has a name and a type. */
export function withoutNames(text: string): string | null {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  const counts = new Map<string, number>();
  const steps: string[] = [];
  const renamedStep = (name: string) => {
    if (!steps.includes(name)) steps.push(name);
    return `step ${steps.indexOf(name) + 1}`;
  };
  const walkAll = (part: object) => Object.fromEntries(Object.entries(part).map(([key, value]) => [key, walk(value)]));
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    const { name, type, labels: _, ...others } = part as Row;
    if (typeof type !== 'string' || !(typeof name === 'string' || name === null)) return walkAll(part);
    const number = (counts.get(type) ?? 0) + 1;
    counts.set(type, number);
    return {
      ...walkAll(others),
      ...(typeof others.step === 'string' && { step: others.step && renamedStep(others.step) }),
      type,
      name: `${type} ${number}`,
    };
  };
  const renamed = walk(document);
  return counts.size > 0 ? JSON.stringify(renamed) : null;
}

/** A link's state without other files, filters by names, and the names of measurements. */
export function stateWithoutNames({ before: _, tensors: _tensors, view = {}, ...state }: LinkState): LinkState {
  const { search: _search, where: _where, steps: _steps, serving, ...rest } = view;
  const runs = serving?.runs?.map((run, i) => ({ ...run, name: `run ${i + 1}` }));
  return { ...state, view: { ...rest, ...(serving && { serving: { ...serving, ...(runs && { runs }) } }) } };
}
