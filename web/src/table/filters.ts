// The filters of lists and legend. "All" is stored as undefined.
import type { StatusName, SymbolName } from '../../../wasm/session';
import { STATUSES } from '../protocol';
import { panelFrame } from '../core/engine';
import { opened } from '../sources/opened';
import { changeTable, viewState } from '../core/view';

/** Hides or shows one; alone: shows only this one, or all again. */
export function toggleStatus(status: StatusName, alone: boolean) {
  const counts = panelFrame.value?.json.all.by_status;
  const all = STATUSES.filter(name => opened.value?.before || counts?.[name]);
  changeTable({ statuses: toggled(all, viewState.value.statuses, status, alone) });
}

/** Hides or shows a type; alone: shows only this one, or all again. */
export function toggleType(type: string, alone: boolean) {
  changeTable({
    types: toggled(
      typeCounts().map(({ type: name }) => name),
      viewState.value.types,
      type,
      alone,
    ),
  });
}

/** Hides or shows a value of one of the input's columns. */
export function toggleWord(column: string, words: string[], word: string, alone: boolean) {
  const { [column]: now, ...others } = viewState.value.where ?? {};
  const next = toggled(words, now, word, alone);
  const where = next ? { ...others, [column]: next } : others;
  changeTable({ where: Object.keys(where).length > 0 ? where : undefined });
}

/** Operations per limiting resource, in the resources' order, then those without a known bound. */
export function boundCounts(): { name: string; ops: number }[] {
  const json = panelFrame.value?.json;
  if (!json) return [];
  const known = json.resources.flatMap(name =>
    json.all.by_bound[name] ? [{ name, ops: json.all.by_bound[name]! }] : [],
  );
  const rest = json.all.ops - known.reduce((sum, { ops }) => sum + ops, 0);
  return rest > 0 ? [...known, { name: 'none', ops: rest }] : known;
}

/** Hides or shows the operations limited by a resource; alone: shows only these, or all again. */
export function toggleBound(name: string, alone: boolean) {
  changeTable({
    bounds: toggled(
      boundCounts().map(({ name: each }) => each),
      viewState.value.bounds,
      name,
      alone,
    ),
  });
}

/** Categories, if they differ from the types. */
export function categoryCounts(): { name: string; ops: number }[] {
  const kinds = opened.value?.kinds ?? [];
  if (kinds.every(({ type, category }) => type === category)) return [];
  const counts = new Map<string, number>();
  for (const { category, ops } of kinds) counts.set(category, (counts.get(category) ?? 0) + ops);
  return [...counts].map(([name, ops]) => ({ name, ops })).sort((a, b) => b.ops - a.ops);
}

/** Hides or shows a category; alone: shows only this one, or all again. */
export function toggleCategory(name: string, alone: boolean) {
  changeTable({
    categories: toggled(
      categoryCounts().map(({ name: each }) => each),
      viewState.value.categories,
      name,
      alone,
    ),
  });
}

/** Hides or shows a step; alone: shows only this one, or all again. */
export function toggleStep(name: string, alone: boolean) {
  changeTable({ steps: toggled(opened.value?.steps ?? [], viewState.value.steps, name, alone) });
}

function toggled<T>(all: T[], now: T[] | undefined, item: T, alone: boolean): T[] | undefined {
  const shown = now ?? all;
  const next = alone
    ? shown.length === 1 && shown[0] === item
      ? all
      : [item]
    : shown.includes(item)
      ? shown.filter(other => other !== item)
      : [...shown, item];
  return all.every(other => next.includes(other)) ? undefined : next;
}

/** Kinds of the same type (in different formats) as one, most ops first. */
export function typeCounts() {
  const types = new Map<string, { type: string; symbol: SymbolName; ops: number }>();
  for (const { type, symbol, ops } of opened.value?.kinds ?? []) {
    const known = types.get(type);
    if (known) known.ops += ops;
    else types.set(type, { type, symbol, ops });
  }
  return [...types.values()].sort((a, b) => b.ops - a.ops);
}

/** The steps' names at the program level of a profile, by which its points are labelled; null elsewhere. */
export const seriesNames = () => (viewState.value.level === 'program' ? (opened.value?.steps ?? null) : null);
