// A button that puts a text on the clipboard, and says so.
import { useEffect, useState } from 'preact/hooks';

const SAID_MS = 2000;

/** `text` is asked for when it is wanted. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text()).then(
      () => setSaid('Copied'),
      () => setSaid('The browser does not allow it'),
    );
  return (
    <button type="button" class="link copy" onClick={() => void copy()}>
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}
