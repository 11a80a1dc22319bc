// The memory that a network's activations need, node by node; which memories of the machine hold the peak; and proposals to fit it on
// chip.
import { useMemo, useState } from 'preact/hooks';
import type { MemoryAdviceJson } from '../../../wasm/session';
import { bytes, count, NONE, percent } from '../format';
import { useAnswer, type Reply } from '../core/ask';
import { core } from '../core/core';
import { machine } from '../core/engine';
import { figureValue } from '../core/machine_document';
import { useFinding } from '../core/finding';
import { settingsText } from '../core/settings';
import { readPalette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { AnswerFault } from '../widgets/AnswerFault';
import { AnswerTable } from '../widgets/AnswerTable';
import { ClipBox } from '../widgets/ClipBox';
import { NumberInput } from '../widgets/NumberInput';
import { network } from './network';

const MOST_KIB = 2 ** 30;

const askMemory = (_: string, request: object) =>
  core().askNetwork(settingsText.peek(), request as { onChip: number | undefined }) as Promise<Reply<MemoryAdviceJson>>;

/** A way to lower the activations where the peak is. */
interface Proposal {
  change: string;
  bytes: number; // while these nodes run
  recomputed?: number; // share of the multiply-adds
}

const proposals = ({ merge, tilings, streaming }: MemoryAdviceJson): Proposal[] => [
  ...(merge ? [merge] : []),
  ...tilings,
  ...(streaming ? [streaming] : []),
];

export function ActivationMemory() {
  const open = network.value;
  const [kib, setKib] = useState<number>();
  const request = useMemo(() => ({ onChip: kib && kib * 1024 }), [kib]);
  const reply = useAnswer<MemoryAdviceJson>('memory', open ? request : null, askMemory);
  const advice = reply && 'json' in reply ? reply.json : null;
  useFinding(advice?.capacity == null ? undefined : advice.finding);
  if (!open) return null;
  const { activation_bytes: alive, peak_activation_bytes: peak, peak_at: at, weights_bytes: weights } = open;
  if (!alive || peak === null)
    return <p class="hint muted">Some shapes are not known: set the dimensions under Change.</p>;
  const merged = advice?.merged_peak_bytes ?? peak;
  const memories = (machine.value?.memories ?? [])
    .map(({ name, capacity }) => ({ name, capacity: figureValue(capacity) }))
    .filter((memory): memory is { name: string; capacity: number } => memory.capacity !== null);
  const shown = memories.filter(({ capacity }) => capacity < 8 * peak && capacity > peak / 50);
  return (
    <div class="explore-view">
      <p class="view-controls">
        <span>
          Peak activations <strong>{bytes(peak)}</strong>, at <strong>{at}</strong>
          {merged < peak && `; fused: ${bytes(merged)}`}. Weights {bytes(weights)}.
        </span>
        {memories.map(({ name, capacity }) => (
          <span key={name} class="muted">
            {name} ({bytes(capacity)}):{' '}
            {merged > capacity
              ? `the activations exceed it by ${bytes(merged - capacity)}`
              : merged + weights > capacity
                ? 'holds the activations, but not the weights as well'
                : 'holds activations and weights'}
          </span>
        ))}
        <label class="field" title="Memory that the activations should fit; empty: the machine's on-chip memory">
          <span>On-chip memory, KiB</span>
          <NumberInput
            value={kib ?? (advice?.capacity == null ? undefined : advice.capacity / 1024)}
            optional
            least={1}
            most={MOST_KIB}
            placeholder="not known"
            onInput={setKib}
          />
        </label>
      </p>
      <AnswerFault reply={reply} />
      {advice && <Proposals {...advice} />}
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

/** What would lower the peak, if it exceeds the on-chip memory even with the tool chain's merges. */
function Proposals(advice: MemoryAdviceJson) {
  const rows = proposals(advice);
  const { capacity, peak_bytes: peak, merged_peak_bytes: merged } = advice;
  if (capacity === null || peak === null || merged === null || Math.min(peak, merged) <= capacity) return null;
  return (
    <ClipBox class="proposals" label="Proposals">
      <AnswerTable<Proposal>
        class="layers"
        rows={rows}
        keyOf={(_, at) => at}
        caption={rows.length === 0 && 'No merge and no tiling by rows lowers the peak'}
        columns={[
          { title: 'Activations', hint: 'Alive while these nodes run', cell: row => bytes(row.bytes) },
          { title: 'Fits', text: true, cell: row => (row.bytes <= capacity ? 'yes' : 'no') },
          {
            title: 'Computed again',
            hint: 'Share of the multiply-adds of these nodes that neighbouring tiles repeat',
            cell: ({ recomputed }) => (recomputed ? percent(recomputed) : NONE),
          },
          { title: 'Change', text: true, cell: ({ change }) => change },
        ]}
      />
    </ClipBox>
  );
}
