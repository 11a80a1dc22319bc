// How many operations reach which value: a histogram over a logarithmic scale.
import { useAnswer } from '../state/ask';
import { frame } from '../state/engine';
import { look, viewState } from '../state/view';
import { Choice } from '../widgets/Choice';
import type { Metric } from '../protocol';
import { METRICS, show } from './listed';

interface Reply { edges: number[]; known: number; unknown: number; least: number; most: number; median: number }

const BINS = 48;
const SHOWN = METRICS.filter(([id]) => id !== 'ops');

const operations = (n: number) => `${n.toLocaleString('en-US')} ${n === 1 ? 'operation' : 'operations'}`;

export function Distribution() {
  const metric: Metric = SHOWN.find(([id]) => id === viewState.value.distribution)?.[0] ?? 'efficiency';
  const revision = frame.value?.revision;
  const reply = useAnswer<Reply>('distribution', revision ? { metric, bins: BINS, revision } : null);
  const answer = reply && 'json' in reply ? reply : null;
  const ops = answer?.columns.ops ?? new Float32Array();
  const highest = Math.max(1, ...ops);
  const { edges = [], known = 0, unknown = 0, least = 0, most = 0, median = 0 } = answer?.json ?? {};
  const label = (i: number) => `${show(metric, edges[i]!)} to ${show(metric, edges[i + 1]!)}: ${operations(ops[i]!)}`;
  return (
    <div class="explore-view">
      <div class="view-controls">
        <Choice label="Metric" value={metric} options={SHOWN} onChange={value => look({ distribution: value })} />
        <span class="muted">
          {known > 0 && `${show(metric, least)} to ${show(metric, most)}, median ${show(metric, median)}. `}
          {unknown > 0 && `Not known for ${unknown.toLocaleString('en-US')}. `}
          {known > 0 && `Logarithmic scale; the tallest bar: ${operations(highest)}.`}
        </span>
      </div>
      {answer && known === 0 && <p class="hint muted">{unknown > 0 ? 'No operation has this figure.' : 'No operation matches the filters.'}</p>}
      {known > 0 && (
        <div class="histogram" role="img" aria-label={`Distribution of ${known} operations`}>
          {Array.from(ops, (n, i) => <div key={i} class="bin" title={label(i)}><div style={{ height: `${(100 * n) / highest}%` }} /></div>)}
          <ol class="muted">{[0, 0.25, 0.5, 0.75, 1].map(at => <li key={at}>{show(metric, edges[Math.round(at * (edges.length - 1))]!)}</li>)}</ol>
        </div>
      )}
    </div>
  );
}
