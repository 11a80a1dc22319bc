// A modal dialog; it is open as long as it is rendered.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from './IconButton';

interface Props {
  title: string;
  footer?: ComponentChildren; // stays in view while the rest scrolls
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog with a title. */
export function Dialog({ title, footer, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => shown.close(); // returns the focus, which removal does not
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={() => dialog.current && onClose()} // not once it is removed: the next dialog may be open
      onClick={event => event.target === dialog.current && onClose()}
    >
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div class="dialog-body">{children}</div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  );
}
