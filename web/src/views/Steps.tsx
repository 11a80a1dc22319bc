// Steps and time: how long each step takes and what limits it, and, where the source has an order, the operations along time.
import type { Data } from 'plotly.js';
import { useEffect, useState } from 'preact/hooks';
import { percent, seconds } from '../format';
import { readPalette, resourceColour, resourceVariable } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { timeTicks } from '../plotly/ticks';
import { useAnswer } from '../state/ask';
import { core } from '../state/core';
import { panelFrame } from '../state/engine';
import { opened } from '../state/files';
import { selected, viewState } from '../state/view';
import { BoundLegend, type TimeByBound } from '../widgets/bounds';

interface Step {
  name: string;
  ops: number;
  time_s: number | null;
  predicted_time_s: number;
  efficiency: number | null;
  bound_by: string | null;
  time_by_bound: TimeByBound;
}
interface StepsReply {
  resources: string[];
  steps: Step[];
  time_s: number;
  bins: boolean;
}
type Columns = Record<string, Float32Array>;

/** The chart and the table of steps, and the strip of operations. */
export function Steps() {
  const revision = panelFrame.value?.revision;
  const reply = useAnswer<StepsReply>('steps', revision ? { infeed: !viewState.value.noInfeed, revision } : null);
  if (!reply) return <div class="time-view" />;
  if ('error' in reply)
    return (
      <div class="time-view">
        <p class="hint">{reply.error.message}</p>
      </div>
    );
  const { resources, steps } = reply.json;
  const alongTime = new Set(Array.from(reply.columns.bound ?? [], bound => resources[bound] ?? 'none'));
  return (
    <div class="time-view">
      {steps.length > 0 && (
        <>
          <StepChart steps={steps} resources={resources} />
          <StepTable steps={steps} />
        </>
      )}
      {alongTime.size > 0 && <BoundLegend resources={resources} used={alongTime} />}
      {alongTime.size > 0 && <Timeline columns={reply.columns} reply={reply.json} />}
    </div>
  );
}

function StepChart({ steps, resources }: { steps: Step[]; resources: string[] }) {
  const palette = readPalette();
  const names = steps.map(({ name }) => name || '(none)');
  const used = [...resources, 'none'].filter(name => steps.some(({ time_by_bound }) => name in time_by_bound));
  const data = used.map(
    (resource): Data => ({
      type: 'bar',
      name: resource === 'none' ? 'not known' : resource,
      x: steps.map((_, i) => i),
      y: steps.map(({ time_by_bound }) => time_by_bound[resource] ?? 0),
      marker: { color: resourceColour(palette, resources.indexOf(resource)) },
      hoverinfo: 'text',
      textposition: 'none',
      text: steps.map(
        ({ time_by_bound }, i) => `${escaped(names[i]!)}<br>${escaped(resource)} ${seconds(time_by_bound[resource])}`,
      ),
    }),
  );
  const every = Math.ceil(steps.length / MOST_NAMES);
  const named = names.map((_, i) => i).filter(i => i % every === 0);
  return (
    <div class="step-chart">
      <Chart
        label="Time by step"
        data={data}
        layout={{
          barmode: 'stack',
          bargap: 0.2,
          margin: { l: 72, r: 16, t: 28, b: 40 },
          showlegend: true,
          xaxis: {
            title: { text: 'step' },
            range: [-0.6, Math.max(steps.length, FEW_STEPS) - 0.4],
            tickvals: named,
            ticktext: named.map(i => escaped(names[i]!)),
            showgrid: false,
            zeroline: false,
          },
          yaxis: {
            title: { text: 'time' },
            ...timeTicks(Math.max(0, ...steps.map(heightOf))),
            rangemode: 'tozero',
          },
        }}
      />
    </div>
  );
}

const heightOf = ({ time_by_bound }: Step) => Object.values(time_by_bound).reduce((sum, time) => sum + time, 0);

const MOST_NAMES = 24;
const FEW_STEPS = 6; // bars are no wider than if there were that many

function StepTable({ steps }: { steps: Step[] }) {
  const judged = steps.some(({ efficiency }) => efficiency !== null);
  return (
    <table class="time-table" aria-label="Steps">
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" class="number">
            Time
          </th>
          {judged && (
            <th scope="col" class="number">
              Efficiency
            </th>
          )}
          <th scope="col">Bound by</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ name, time_s, predicted_time_s, efficiency, bound_by }) => (
          <tr key={name}>
            <th scope="row">{name || '(none)'}</th>
            <td class="number">{seconds(time_s ?? predicted_time_s)}</td>
            {judged && <td class="number">{percent(efficiency)}</td>}
            <td>{bound_by ?? 'not known'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WIDTH = 1000;
const HEIGHT = 64;

function Timeline({ columns, reply: { resources, time_s, bins } }: { columns: Columns; reply: StepsReply }) {
  const { start, length, bound, op } = columns as Record<'start' | 'length' | 'bound' | 'op', Float32Array>;
  const [at, setAt] = useState(-1);
  const [name, setName] = useState('');
  const pointed = op[at];
  useEffect(() => {
    setName('');
    if (pointed !== undefined)
      void core()
        .glance(pointed)
        .then(({ row, error }) => !error && setName(row.name));
  }, [pointed]);
  const paths = new Map<number, string>();
  for (let i = 0; i < start.length; ++i) {
    const [x, width] = [(WIDTH * start[i]!) / time_s, (WIDTH * length[i]!) / time_s];
    paths.set(
      bound[i]!,
      `${paths.get(bound[i]!) ?? ''}M${x.toFixed(3)} 0h${width.toFixed(3)}v${HEIGHT}h${(-width).toFixed(3)}z`,
    );
  }
  const find = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const time = ((event.clientX - box.left) / box.width) * time_s;
    let low = 0,
      high = start.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (start[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const named = (i: number) => resources[bound[i]!] ?? 'not known';
  return (
    <figure class="timeline" aria-label="Operations along time">
      <figcaption>
        Operations along time, {seconds(time_s)} in all{bins && '; each strip has the colour of what limits most of it'}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Operations along time by what limits them"
        onPointerMove={event => setAt(find(event))}
        onPointerLeave={() => setAt(-1)}
        onClick={event => !opened.value?.program && (selected.value = op[find(event as unknown as PointerEvent)]!)}
      >
        {[...paths].map(([resource, d]) => (
          <path key={resource} d={d} style={{ fill: resourceVariable(resource) }} />
        ))}
      </svg>
      <p class="muted">
        {at < 0
          ? 'Point at a strip for its operation; click selects it.'
          : `${name || `#${op[at]}`}: ${named(at)}, ${seconds(length[at])} from ${seconds(start[at])}`}
      </p>
    </figure>
  );
}
