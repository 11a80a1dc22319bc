// A button that puts a text or a picture on the clipboard, and says so.
import { useEffect, useState } from 'preact/hooks';
import { copyToClipboard, NOT_COPIED } from '../core/clipboard';

const SAID_MS = 2000;

interface Props {
  label: string;
  content: () => string | Promise<Blob>; // called when it is wanted; a blob is a PNG image
  class?: string;
}

export function CopyButton({ label, content, class: kind = 'link copy' }: Props) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid((await copyToClipboard(content())) ? 'Copied' : NOT_COPIED);
  return (
    <button type="button" class={kind} onClick={() => void copy()}>
      <span aria-live="polite">{said || label}</span>
    </button>
  );
}
