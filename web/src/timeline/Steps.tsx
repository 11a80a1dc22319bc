// The operations over time if the source has an order; else time and limit of each step.
import type { Data } from 'plotly.js';
import { percent, seconds } from '../format';
import { limitColour, readPalette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { timeTicks } from '../plotly/ticks';
import { useAnswer } from '../core/ask';
import { panelFrame } from '../core/engine';
import { viewState } from '../core/view';
import { BoundLegend, limitWord, roofsNow, type TimeByBound } from '../plot/bounds';
import { NoAnswer } from '../widgets/AnswerFault';
import { Timeline } from './Timeline';
import type { Segments, TimeAnswer } from './segments';

interface Step {
  name: string;
  ops: number;
  time_s: number | null;
  predicted_time_s: number;
  efficiency: number | null;
  time_by_limit: TimeByBound;
}
export interface StepsReply extends TimeAnswer {
  steps: Step[];
  range: { ops: number; busy_s: number; time_by_limit: TimeByBound }; // sums over the range asked for; ops: or launches
}

/** The timeline, or the chart and the table of steps. */
export function Steps() {
  const revision = panelFrame.value?.revision;
  const request = { infeed: !viewState.value.noInfeed, revision };
  const reply = useAnswer<StepsReply>('steps', revision ? request : null);
  if (!reply || 'error' in reply) return <NoAnswer reply={reply} class="time-view" />;
  if (reply.columns.start?.length)
    return <Timeline json={reply.json} columns={reply.columns as unknown as Segments} request={request} />;
  const { limits, steps } = reply.json;
  const used = [...limits, 'none'].filter(name => steps.some(({ time_by_limit }) => name in time_by_limit));
  return (
    <div class="time-view">
      {steps.length > 0 && (
        <>
          <BoundLegend limits={used} />
          <StepChart steps={steps} limits={used} />
          <StepTable steps={steps} />
        </>
      )}
    </div>
  );
}

interface ChartProps {
  steps: Step[];
  limits: string[]; // that are used, in the core's order
}

function StepChart({ steps, limits }: ChartProps) {
  const palette = readPalette();
  const names = steps.map(({ name }) => name || '(none)');
  const data = limits.map(
    (limit): Data => ({
      type: 'bar',
      name: limitWord(limit),
      x: steps.map((_, i) => i),
      y: steps.map(({ time_by_limit }) => time_by_limit[limit] ?? 0),
      marker: { color: limitColour(palette, limit, roofsNow()) },
      hoverinfo: 'text',
      textposition: 'none',
      text: steps.map(
        ({ time_by_limit }, i) =>
          `${escaped(names[i]!)}<br>${escaped(limitWord(limit))} ${seconds(time_by_limit[limit])}`,
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
          margin: { l: 72, r: 16, t: 8, b: 40 },
          showlegend: false,
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

const heightOf = ({ time_by_limit }: Step) => Object.values(time_by_limit).reduce((sum, time) => sum + time, 0);

const MOST_NAMES = 24;
const FEW_STEPS = 6; // with fewer steps bars are not wider than with this many

/** The limit of most of the time. */
const longest = (times: TimeByBound) =>
  Object.entries(times).reduce((most, entry) => (entry[1] > most[1] ? entry : most), ['none', 0] as const)[0];

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
          <th scope="col">Limited by</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ name, time_s, predicted_time_s, efficiency, time_by_limit }) => (
          <tr key={name}>
            <th scope="row">{name || '(none)'}</th>
            <td class="number">{seconds(judged ? time_s : predicted_time_s)}</td>
            {judged && <td class="number">{percent(efficiency)}</td>}
            <td>{limitWord(longest(time_by_limit))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
