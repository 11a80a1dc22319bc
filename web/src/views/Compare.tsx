// What changed from the run before to the open one: per operation, most time saved first, and in total.
import { useEffect, useState } from 'preact/hooks';
import { NONE, percent, range, seconds } from '../format';
import { useAnswer } from '../state/ask';
import { endComparison } from '../state/compare';
import { opened } from '../state/files';
import { selected, viewState } from '../state/view';

interface Change {
  name: string; type: string; change: 'matched' | 'appeared' | 'vanished'; a: number | null; b: number | null;
  time_a_s: number | null; time_b_s: number | null; time_ratio: number | null; time_saved_s: number | null;
  efficiency_a: number | null; efficiency_b: number | null; bound_by_a: string | null; bound_by_b: string | null;
}
interface Reply {
  a: { source: string; machine: string }; b: { source: string; machine: string };
  summary: { headline: string; times: 'measured' | 'predicted' }; total: number; ops: Change[];
}

const STEP = 200;

export function Compare() {
  const [rows, setRows] = useState(STEP);
  useEffect(() => setRows(STEP), [opened.value]);
  const reply = useAnswer<Reply>('compare', opened.value?.before ? { rows, arrows: 0 } : null);
  if (!reply) return <div class="explore-view" />;
  if ('error' in reply) return <p class="hint muted">{reply.error.message}</p>;
  const { a, b, summary, total, ops } = reply.json;
  return (
    <div class="explore-view compare">
      <div class="view-controls">
        <span><strong>{summary.headline}</strong> <span class="muted">{a.source} before, {b.source} after{a.machine !== b.machine ? `, on ${a.machine} and ${b.machine}` : ''}{summary.times === 'predicted' ? '; predicted times' : ''}.</span></span>
        <span class="fill" />
        <button type="button" onClick={() => void endComparison()}>End comparison</button>
      </div>
      <div class="compare-scroll" tabIndex={0} role="region" aria-label="Changes">
        <table role="grid" aria-label="Changes" aria-rowcount={total + 1}>
          <thead><tr>
            <th scope="col">Operation</th><th scope="col">Type</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th>
            <th scope="col" class="number">Speed-up</th><th scope="col" class="number">Saved</th><th scope="col" class="number">Efficiency</th><th scope="col">Bound by</th>
          </tr></thead>
          <tbody>{ops.map((op, i) => <Row key={i} op={op} />)}</tbody>
        </table>
        {ops.length < total && <p class="hint"><button type="button" onClick={() => setRows(rows + 5 * STEP)}>Show more of {total.toLocaleString('en-US')}</button></p>}
      </div>
    </div>
  );
}

function Row({ op }: { op: Change }) {
  const speedup = op.time_ratio === null ? null : 1 / op.time_ratio;
  const choose = () => op.b !== null && !viewState.value.grouped && (selected.value = op.b);
  const saved = op.time_saved_s;
  return (
    <tr aria-selected={op.b !== null && op.b === selected.value} onClick={choose}>
      <td title={op.name}>{op.name}</td><td>{op.type}</td>
      <td class="number">{op.change === 'appeared' ? 'new' : seconds(op.time_a_s)}</td>
      <td class="number">{op.change === 'vanished' ? 'gone' : seconds(op.time_b_s)}</td>
      <td class="number">{speedup === null ? NONE : range(speedup, speedup)}</td>
      <td class={`number ${saved !== null && saved < 0 ? 'worse' : 'better'}`}>{saved === null ? NONE : saved < 0 ? `−${seconds(-saved)}` : seconds(saved)}</td>
      <td class="number">{percent(op.efficiency_a)} → {percent(op.efficiency_b)}</td>
      <td>{op.bound_by_a === op.bound_by_b ? op.bound_by_b : `${op.bound_by_a ?? NONE} → ${op.bound_by_b ?? NONE}`}</td>
    </tr>
  );
}
