// Records with faults: what, where; a click selects the operation.
import { useEffect, useState } from 'preact/hooks';
import type { DiagnosticItem } from '../../../wasm/session';
import { count } from '../format';
import { core } from '../state/core';
import { opened } from '../state/files';
import { selected, viewState } from '../state/view';
import { Dialog } from '../widgets/Dialog';

const PAGE = 200;

/** How many remarks the input gave rise to; a click lists them. */
export function DiagnosticsButton() {
  const [open, setOpen] = useState(false);
  const total = opened.value?.diagnostics ?? 0;
  if (total === 0) return null;
  return (
    <>
      <button type="button" class="link" onClick={() => setOpen(true)}>
        {count(total)} {total === 1 ? 'remark' : 'remarks'} on the input
      </button>
      {open && <DiagnosticsDialog total={total} onClose={() => setOpen(false)} />}
    </>
  );
}

function DiagnosticsDialog({ total, onClose }: { total: number; onClose: () => void }) {
  const [items, setItems] = useState<DiagnosticItem[]>([]);
  const more = async () => {
    const { items: next } = await core().diagnostics(items.length, PAGE);
    setItems([...items, ...next]);
  };
  useEffect(() => void more(), []);
  const jump = (op: number) => {
    if (!viewState.value.grouped) selected.value = op;
    onClose();
  };
  return (
    <Dialog title="Remarks on the input" onClose={onClose}>
      <ul class="diagnostics">
        {items.map((item, i) => (
          <li key={i}>
            <span class={`severity ${item.severity}`}>{item.severity}</span>
            <span class="where">{place(item)}</span>
            {item.op === null ? (
              <span>{item.message}</span>
            ) : (
              <button type="button" class="link" onClick={() => jump(item.op!)}>
                {item.message}
              </button>
            )}
          </li>
        ))}
      </ul>
      {items.length < total && items.length > 0 && (
        <button type="button" onClick={() => void more()}>
          Show more ({count(total - items.length)})
        </button>
      )}
    </Dialog>
  );
}

function place({ op, line, column, path }: DiagnosticItem) {
  const parts = [op !== null ? `#${op}` : '', line > 0 ? `${line}:${column}` : '', path];
  return parts.filter(Boolean).join(' ');
}
