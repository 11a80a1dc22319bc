// A histogram of one metric over the operations, on a logarithmic scale.
import { count } from '../format';
import { readPalette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { decadeTicks } from '../plotly/ticks';
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
const SHOWN = METRICS.filter(([id]) => id !== 'ops');

const operations = (n: number) => `${count(n)} ${n === 1 ? 'operation' : 'operations'}`;

/** Ticks at round numbers of the logarithmic bins: powers of ten; if those are too few, 1, 2 and 5 of each decade, or all digits. */
function binTicks(edges: readonly number[], label: (value: number) => string) {
  const [low, high] = [edges[0]!, edges[edges.length - 1]!];
  const place = (value: number) => (BINS * Math.log(value / low)) / Math.log(high / low);
  const inside = (digits: number[]) =>
    decadeTicks([low, high], String, digits).tickvals.filter(value => value >= low && value <= high);
  const choices = [inside([1]), inside([1, 2, 5]), inside([1, 2, 3, 4, 5, 6, 7, 8, 9])];
  const shown = choices.find(({ length }) => length >= LEAST_TICKS) ?? [low, high];
  return { tickvals: shown.map(place), ticktext: shown.map(label) };
}
const LEAST_TICKS = 3;

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
              ...binTicks(edges, value => show(metric, value)),
            },
          }}
        />
      )}
    </div>
  );
}
