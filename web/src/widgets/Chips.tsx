// A list of names that are shown or hidden by a click; the first few, the rest on demand.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { compact } from '../format';

export const FEW = 8;

export interface Chip<T extends string = string> {
  name: T;
  ops?: number | undefined;
  label?: string; // where it is not the name
  mark?: ComponentChildren; // before it
}

interface Props<T extends string> {
  label: string;
  heading?: string;
  items: Chip<T>[];
  only: readonly T[] | undefined; // those shown; absent: all
  toggle: (name: T, alone: boolean) => void;
  few?: number;
}

/** A list of values to hide, show, or show alone. */
export function Chips<T extends string>({ label, heading, items, only, toggle, few = FEW }: Props<T>) {
  const [all, setAll] = useState(false);
  return (
    <>
      {heading && <h3 class="muted column-name">{heading}</h3>}
      <ul class="chips" aria-label={label}>
        {items.slice(0, all ? undefined : few).map(({ name, ops, label: text = name, mark }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={!only || only.includes(name)}
              title="Shift-click: only this"
              onClick={event => toggle(name, event.shiftKey)}
            >
              {mark}
              <span class="ellipsis">{text}</span>
              {ops !== undefined && <span class="muted">{compact(ops)}</span>}
            </button>
          </li>
        ))}
        {items.length > few && (
          <li>
            <button type="button" class="link" onClick={() => setAll(!all)}>
              {all ? 'Fewer' : `${items.length - few} more`}
            </button>
          </li>
        )}
      </ul>
    </>
  );
}
