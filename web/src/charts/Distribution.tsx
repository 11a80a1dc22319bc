// A histogram of one metric over the operations, on a logarithmic scale.
import { count } from '../format';
import { readPalette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import type { Metric } from '../protocol';
import { useAnswer } from '../core/ask';
import { panelFrame } from '../core/engine';
import { METRICS, show } from './listed';
import { changeView, viewState } from '../core/view';
import { Choice } from '../widgets/Choice';

interface Reply {
  edges: number[];
  known: number;
  unknown: number;
  least: number;
  most: number;
  median: number;
}

const BINS = 48;
const LABELLED = [0, 0.25, 0.5, 0.75, 1]; // edges, as parts of the axis
const SHOWN = METRICS.filter(([id]) => id !== 'ops');

const operations = (n: number) => `${count(n)} ${n === 1 ? 'operation' : 'operations'}`;

/** A histogram of one metric. */
export function Distribution() {
  const metric: Metric = SHOWN.find(([id]) => id === viewState.value.distribution)?.[0] ?? 'efficiency';
  const revision = panelFrame.value?.revision;
  const reply = useAnswer<Reply>('distribution', revision ? { metric, bins: BINS, revision } : null);
  const answer = reply && 'json' in reply ? reply : null;
  const ops = answer?.columns.ops ?? new Float32Array();
  const { edges = [], known = 0, unknown = 0, least = 0, most = 0, median = 0 } = answer?.json ?? {};
  const label = (i: number) => `${show(metric, edges[i]!)} to ${show(metric, edges[i + 1]!)}: ${operations(ops[i]!)}`;
  return (
    <div class="explore-view">
      <div class="view-controls">
        <Choice label="Metric" value={metric} options={SHOWN} onChange={value => changeView({ distribution: value })} />
        <span class="muted">
          {known > 0 && `${show(metric, least)} to ${show(metric, most)}, median ${show(metric, median)}. `}
          {unknown > 0 && `Not known for ${count(unknown)}. `}
          {known > 0 && 'Logarithmic scale.'}
        </span>
      </div>
      {answer && known === 0 && (
        <p class="hint muted">{unknown > 0 ? 'No operation has this figure.' : 'No operations match.'}</p>
      )}
      {known > 0 && (
        <Chart
          label={`Distribution of ${known} operations`}
          data={[
            {
              type: 'bar',
              x: Array.from(ops, (_, i) => i + 0.5),
              y: Array.from(ops),
              text: Array.from(ops, (_, i) => escaped(label(i))),
              hoverinfo: 'text',
              textposition: 'none',
              marker: { color: readPalette().status.normal },
            },
          ]}
          layout={{
            bargap: 0.08,
            showlegend: false,
            margin: { l: 56, r: 24, t: 8, b: 44 },
            yaxis: { title: { text: 'operations' }, rangemode: 'tozero', tickformat: ',d' },
            xaxis: {
              title: {
                text: SHOWN.find(([id]) => id === metric)![1].toLowerCase(),
              },
              range: [0, BINS],
              showgrid: false,
              ticks: 'outside',
              tickvals: LABELLED.map(part => part * (edges.length - 1)),
              ticktext: LABELLED.map(part => show(metric, edges[Math.round(part * (edges.length - 1))]!)),
            },
          }}
        />
      )}
    </div>
  );
}
