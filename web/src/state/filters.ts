// What the lists and the legend let through. "All" is stored as nothing.
import type { StatusName, SymbolName } from '../../../wasm/session';
import { frame } from './engine';
import { opened } from './files';
import { list, viewState } from './view';

/// Hides or shows one; alone: shows only this one, or all again.
export function toggleStatus(status: StatusName, alone: boolean) {
  const all = frame.value?.json.statuses.filter(name => frame.value!.json.all.by_status[name]) ?? [];
  list({ statuses: toggled(all, viewState.value.statuses, status, alone) });
}

export function toggleType(type: string, alone: boolean) {
  list({ types: toggled(typeCounts().map(({ type: name }) => name), viewState.value.types, type, alone) });
}

/// A word of one of the input's own columns.
export function toggleWord(column: string, words: string[], word: string, alone: boolean) {
  const { [column]: now, ...others } = viewState.value.where ?? {};
  const next = toggled(words, now, word, alone);
  const where = next ? { ...others, [column]: next } : others;
  list({ where: Object.keys(where).length > 0 ? where : undefined });
}

function toggled<T>(all: T[], now: T[] | undefined, item: T, alone: boolean): T[] | undefined {
  const shown = now ?? all;
  const next = alone
    ? (shown.length === 1 && shown[0] === item ? all : [item])
    : shown.includes(item) ? shown.filter(other => other !== item) : [...shown, item];
  return all.every(other => next.includes(other)) ? undefined : next;
}

/// Kinds of the same type (in different formats) as one, most ops first.
export function typeCounts() {
  const types = new Map<string, { type: string; symbol: SymbolName; ops: number }>();
  for (const { type, symbol, ops } of opened.value?.kinds ?? []) {
    const known = types.get(type);
    if (known) known.ops += ops;
    else types.set(type, { type, symbol, ops });
  }
  return [...types.values()].sort((a, b) => b.ops - a.ops);
}
