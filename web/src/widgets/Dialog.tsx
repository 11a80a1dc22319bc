// A modal dialog; it is open as long as it is rendered.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './Icon';

/** A modal dialog with a title. */
export function Dialog({
  title,
  onClose,
  children,
}: { title: string; onClose: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={event => event.target === dialog.current && onClose()}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="ghost" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
