// Steps and time: how long each step takes and what limits it, and, where the source has an order, the operations along time.
import { useEffect, useState } from 'preact/hooks';
import { percent, seconds } from '../format';
import { useAnswer } from '../state/ask';
import { core } from '../state/core';
import { frame } from '../state/engine';
import { opened } from '../state/files';
import { selected, viewState } from '../state/view';
import { BoundBar, BoundLegend, boundColour, type TimeByBound } from './bounds';

interface Step { name: string; ops: number; time_s: number | null; predicted_time_s: number; efficiency: number | null; bound_by: string | null; time_by_bound: TimeByBound }
interface StepsReply { resources: string[]; steps: Step[]; time_s: number; bins: boolean }
type Columns = Record<string, Float32Array>;

export function Steps() {
  const revision = frame.value?.revision;
  const reply = useAnswer<StepsReply>('steps', revision ? { infeed: !viewState.value.noInfeed, revision } : null);
  if (!reply) return <div class="time-view" />;
  if ('error' in reply) return <div class="time-view"><p class="hint">{reply.error.message}</p></div>;
  const { resources, steps } = reply.json;
  const used = new Set(steps.flatMap(({ time_by_bound }) => Object.keys(time_by_bound)));
  for (const bound of reply.columns.bound ?? []) used.add(resources[bound] ?? 'none');
  return (
    <div class="time-view">
      <BoundLegend resources={resources} used={used} />
      {steps.length > 0 && <StepTable steps={steps} resources={resources} />}
      {(reply.columns.start?.length ?? 0) > 0 && <Timeline columns={reply.columns} reply={reply.json} />}
    </div>
  );
}

function StepTable({ steps, resources }: { steps: Step[]; resources: string[] }) {
  const total = (by: TimeByBound) => Object.values(by).reduce((sum, time) => sum + time, 0);
  const longest = Math.max(...steps.map(({ time_by_bound }) => total(time_by_bound)));
  return (
    <table class="time-table">
      <thead><tr><th scope="col">Step</th><th scope="col">Time by what limits</th><th scope="col" class="number">Time</th><th scope="col" class="number">Efficiency</th><th scope="col">Bound by</th></tr></thead>
      <tbody>
        {steps.map(({ name, time_s, predicted_time_s, efficiency, bound_by, time_by_bound }) => (
          <tr key={name}>
            <th scope="row">{name || '(none)'}</th>
            <td><BoundBar times={time_by_bound} whole={longest} resources={resources} /></td>
            <td class="number">{seconds(time_s ?? predicted_time_s)}</td><td class="number">{percent(efficiency)}</td><td>{bound_by ?? 'not known'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const WIDTH = 1000, HEIGHT = 64;

function Timeline({ columns, reply: { resources, time_s, bins } }: { columns: Columns; reply: StepsReply }) {
  const { start, length, bound, op } = columns as Record<'start' | 'length' | 'bound' | 'op', Float32Array>;
  const [at, setAt] = useState(-1);
  const [name, setName] = useState('');
  const pointed = op[at];
  useEffect(() => {
    setName('');
    if (pointed !== undefined) void core().glance(pointed).then(({ row, error }) => !error && setName(row.name));
  }, [pointed]);
  const paths = new Map<number, string>();
  for (let i = 0; i < start.length; ++i) {
    const [x, width] = [(WIDTH * start[i]!) / time_s, (WIDTH * length[i]!) / time_s];
    paths.set(bound[i]!, `${paths.get(bound[i]!) ?? ''}M${x.toFixed(3)} 0h${width.toFixed(3)}v${HEIGHT}h${(-width).toFixed(3)}z`);
  }
  const find = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const time = ((event.clientX - box.left) / box.width) * time_s;
    let low = 0, high = start.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (start[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const named = (i: number) => resources[bound[i]!] ?? 'not known';
  return (
    <figure class="timeline">
      <figcaption>Operations along time, {seconds(time_s)} in all{bins && '; each strip has the colour of what limits most of it'}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label="Operations along time by what limits them"
        onPointerMove={event => setAt(find(event))} onPointerLeave={() => setAt(-1)} onClick={event => !opened.value?.program && (selected.value = op[find(event as unknown as PointerEvent)]!)}>
        {[...paths].map(([resource, d]) => <path key={resource} d={d} fill={boundColour(resource)} />)}
      </svg>
      <p class="muted">{at < 0 ? 'Point at a strip for its operation; click selects it.' : `${name || `#${op[at]}`}: ${named(at)}, ${seconds(length[at])} from ${seconds(start[at])}`}</p>
    </figure>
  );
}
