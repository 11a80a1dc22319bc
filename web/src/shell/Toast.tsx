// Names the last action and offers to undo it; disappears by itself.
import { useEffect } from 'preact/hooks';
import { toast, undo } from './history';
import { IconButton } from '../widgets/IconButton';

const SHOWN_MS = 8000;

export function Toast() {
  const text = toast.value;
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => (toast.value = null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="toast-place" role="status">
      {text !== null && (
        <div class="toast">
          <span class="toast-text" title={text}>
            {text}
          </span>
          <button type="button" class="link" onClick={undo}>
            Undo
          </button>
          <IconButton icon="close" label="Hide" class="ghost small" onClick={() => (toast.value = null)} />
        </div>
      )}
    </div>
  );
}
