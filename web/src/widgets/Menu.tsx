// A button with a panel under it that closes on Escape and on a click elsewhere.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon';

interface Props {
  label: ComponentChildren;
  title?: string;
  class?: string;
  align?: 'left' | 'right';
  onOpen?: () => void;
  children: (close: () => void) => ComponentChildren;
}

/** A button that opens a panel. */
export function Menu({ label, title, class: kind = '', align = 'left', onOpen, children }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!root.current!.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  const close = () => {
    setOpen(false);
    root.current!.querySelector('button')!.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.stopPropagation();
    close();
  };
  const toggle = () => {
    if (!open) onOpen?.();
    setOpen(!open);
  };
  return (
    <div class={`menu ${kind}`} ref={root} onKeyDown={onKeyDown}>
      <button type="button" aria-expanded={open} title={title} aria-label={title} onClick={toggle}>
        {label}
        {!title && <Icon name="down" />}
      </button>
      {open && (
        <div
          class={`menu-panel ${align}`}
          role="group"
          aria-label={title ?? (typeof label === 'string' ? label : undefined)}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}
