// Names the last action and offers to undo it, in the free part of the table's bar; disappears by itself, with another source, and where one fails.
import { useEffect } from 'preact/hooks';
import { faults, source } from '../sources/opened';
import { toast, undo } from './history';
import { IconButton } from '../widgets/IconButton';

const SHOWN_MS = 8000;

export function Toast() {
  const action = toast.value;
  useEffect(() => {
    if (action === null) return;
    const timer = setTimeout(() => (toast.value = null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [action]);
  useEffect(() => void (toast.value = null), [source.value, faults.value]);
  return (
    <div class="toast-place" role="status">
      {action !== null && (
        <div class="toast">
          <span class="toast-text" title={action.text}>
            {action.text}
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
