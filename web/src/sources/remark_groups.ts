// Import warnings, grouped by message, the most severe first.
import { computed, effect, signal } from '@preact/signals';
import type { DiagnosticItem } from '../../../wasm/session';
import { SEVERITIES, type Severity } from '../protocol';
import { plural } from '../format';
import { core } from '../core/core';
import { opened } from './opened';

/** Warnings that differ only in their record and their numbers. */
export interface RemarkGroup {
  severity: Severity;
  message: string; // of the first
  identical: boolean; // identical messages, numbers included
  items: DiagnosticItem[];
}

const MOST = 5000; // grouped; the rest is only counted

/** The remarks on what is open. */
export const remarks = signal<{ groups: RemarkGroup[]; total: number; seen: number }>({
  groups: [],
  total: 0,
  seen: 0,
});

/** Whether the dialog lists them. */
export const remarksShown = signal(false);

/** Their number, whether more were not read, and whether any is a warning or all are notes. */
export const remarksCounted = computed(() => {
  const { groups, total, seen } = remarks.value;
  const of = (...severities: Severity[]) => groups.filter(({ severity }) => severities.includes(severity));
  const items = (some: RemarkGroup[]) => some.reduce((sum, group) => sum + group.items.length, 0);
  const [errors, warnings, notes] = [of('error'), of('warning'), of('info')].map(items) as [number, number, number];
  const kind =
    errors > 0 ? (warnings > 0 ? 'problem' : 'error') : warnings > 0 || seen === 0 ? 'warning' : ('note' as const);
  const counted = errors + warnings || seen;
  const kinds = (errors + warnings > 0 ? of('error', 'warning') : groups).length;
  const atLeast = seen < total;
  const also = errors + warnings > 0 && notes > 0 ? `, and ${plural(notes, 'note')}` : '';
  return {
    count: counted,
    atLeast,
    kind,
    title: `Import ${kind}s`,
    sum: `${atLeast ? 'At least ' : ''}${plural(counted, kind)}${kinds < counted ? ` in ${plural(kinds, 'kind')}` : ''}${also}`,
  };
});

effect(() => {
  const now = opened.value;
  remarks.value = { groups: [], total: 0, seen: 0 };
  if (!now || now.diagnostics === 0) return void (remarksShown.value = false);
  void core()
    .diagnostics(0, MOST)
    .then(({ items, total }) => {
      if (opened.peek() === now) remarks.value = { groups: grouped(items), total, seen: items.length };
    });
});

function grouped(items: DiagnosticItem[]): RemarkGroup[] {
  const groups = new Map<string, RemarkGroup>();
  for (const item of items) {
    const key = `${item.severity} ${item.message.replace(/"[^"]*"|-?\d[\d.,e+-]*/g, '#')}`;
    const group = groups.get(key);
    if (group) {
      group.items.push(item);
      group.identical &&= group.message === item.message;
    } else groups.set(key, { severity: item.severity, message: item.message, identical: true, items: [item] });
  }
  const rank = ({ severity }: RemarkGroup) => SEVERITIES.indexOf(severity);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.items.length - a.items.length);
}
