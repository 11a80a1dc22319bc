// What the activations of a network need in memory while it runs, node by node; and which memories of the machine hold the most of it.
import { bytes, count } from '../format';
import { machine, valueOf } from '../core/engine';
import { readPalette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { network } from './network';

export function ActivationMemory() {
  const open = network.value;
  if (!open) return null;
  const { activation_bytes: alive, peak_activation_bytes: peak, peak_at: at, weights_bytes: weights } = open;
  if (!alive || peak === null)
    return <p class="hint muted">Some shapes are not known: set the dimensions under Change.</p>;
  const memories = (machine.value?.memories ?? [])
    .map(({ name, capacity }) => ({ name, capacity: valueOf(capacity) }))
    .filter((memory): memory is { name: string; capacity: number } => memory.capacity !== null);
  const shown = memories.filter(({ capacity }) => capacity < 8 * peak && capacity > peak / 50);
  return (
    <div class="explore-view">
      <p class="view-controls">
        <span>
          Peak activations <strong>{bytes(peak)}</strong>, at <strong>{at}</strong>. Weights {bytes(weights)}.
        </span>
        {memories.map(({ name, capacity }) => (
          <span key={name} class="muted">
            {name} ({bytes(capacity)}):{' '}
            {peak > capacity
              ? `the activations exceed it by ${bytes(peak - capacity)}`
              : peak + weights > capacity
                ? 'holds the activations, but not the weights as well'
                : 'holds activations and weights'}
          </span>
        ))}
      </p>
      <Chart
        label={`Bytes of activations over ${count(alive.length)} nodes`}
        data={[
          {
            type: 'scatter',
            mode: 'lines',
            line: { shape: 'hv', width: 1.5, color: readPalette().status.normal },
            fill: 'tozeroy',
            x: alive.map((_, i) => i),
            y: alive,
            text: alive.map((b, i) => `node ${count(i)}<br>${escaped(bytes(b))}`),
            hoverinfo: 'text',
          },
        ]}
        layout={{
          showlegend: false,
          margin: { l: 72, r: 24, t: 8, b: 44 },
          xaxis: { title: { text: 'nodes in execution order' }, showgrid: false },
          yaxis: { title: { text: 'bytes alive' }, rangemode: 'tozero', ticksuffix: 'B', tickformat: '.2~s' },
          shapes: shown.map(({ capacity }) => ({
            type: 'line',
            xref: 'paper',
            x0: 0,
            x1: 1,
            y0: capacity,
            y1: capacity,
            line: { dash: 'dash', width: 1 },
          })),
          annotations: shown.map(({ name, capacity }) => ({
            xref: 'paper',
            x: 1,
            y: capacity,
            xanchor: 'right',
            yanchor: 'bottom',
            text: escaped(`${name}, ${bytes(capacity)}`),
            showarrow: false,
          })),
        }}
      />
    </div>
  );
}
