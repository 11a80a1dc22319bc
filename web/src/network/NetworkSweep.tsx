// A network over a range of one of the lengths that its file leaves open: bound, estimate and peak activations.
import type { NetworkSweepJson, NetworkSweepPoint } from '../../../wasm/session';
import { bytes, NONE, seconds, timeTick, type Maybe } from '../format';
import { useAnswer, type Reply } from '../core/ask';
import { core } from '../core/core';
import { useFinding } from '../core/finding';
import { settingsText } from '../core/settings';
import { changeView, viewState, type NetworkSweepView } from '../core/view';
import { readPalette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { decadeTicks } from '../plotly/ticks';
import { AnswerFault } from '../widgets/AnswerFault';
import { NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { network, setDimension } from './network';

const POINTS = 24;
const MOST = 1e6; // of a dimension

type Shown = 'time' | 'each' | 'memory';
const SHOWN: readonly (readonly [Shown, string])[] = [
  ['time', 'Time'],
  ['each', 'Time per item'],
  ['memory', 'Peak activations'],
];

const askSweep = (_: string, request: object) =>
  core().askNetwork(settingsText.peek(), { sweep: (request as { range: string }).range }) as Promise<
    Reply<NetworkSweepJson>
  >;

const changeSweep = (part: NetworkSweepView) =>
  changeView({ networkSweep: { ...viewState.peek().networkSweep, ...part } });

/** The view. */
export function NetworkSweep() {
  const dimensions = network.value?.dimensions ?? [];
  const chosen = viewState.value.networkSweep ?? {};
  const [shown] = SHOWN.find(([id]) => id === chosen.shown) ?? SHOWN[0]!;
  const dimension = dimensions.find(({ name }) => name === chosen.dimension) ?? dimensions[0];
  const least = Math.max(1, dimension?.least ?? 1);
  const most = dimension?.greatest ?? MOST;
  const usual = { from: least, to: Math.min(most, Math.max(64, 8 * (dimension?.value ?? 1))) };
  const { from, to } = (dimension && chosen.ends?.[dimension.name]) ?? usual;
  const reply = useAnswer<NetworkSweepJson>(
    'sweep',
    dimension && from <= to ? { range: `${dimension.name}=${from}..${to}:${POINTS}` } : null,
    askSweep,
  );
  const json = reply && 'json' in reply ? reply.json : null;
  useFinding(json?.finding);
  if (!dimension) return null;
  const { name } = dimension;
  const end = (key: 'from' | 'to', title: string, value: number) => (
    <label class="field">
      <span>{title}</span>
      <NumberInput
        value={value}
        whole
        least={key === 'to' ? from : least}
        most={key === 'from' ? to : most}
        onInput={next =>
          next !== undefined &&
          changeSweep({
            ends: { ...chosen.ends, [name]: { from, to, [key]: next } },
          })
        }
      />
    </label>
  );
  const points = json?.points ?? [];
  const shownCurves = curves(points, shown);
  return (
    <div class="explore-view">
      <div class="view-controls">
        <Select
          label="Dimension"
          value={name}
          options={dimensions.map(each => [each.name, each.name] as const)}
          onChange={next => changeSweep({ dimension: next })}
        />
        {end('from', 'from', from)}
        {end('to', 'to', to)}
        <Select label="Show" value={shown} options={SHOWN} onChange={next => changeSweep({ shown: next })} />
      </div>
      <AnswerFault reply={reply} />
      {json && (
        <Chart
          label={`${name} from ${from} to ${to}`}
          data={shownCurves.map(({ title, dash, values }) => ({
            type: 'scatter' as const,
            mode: 'lines+markers' as const,
            name: title,
            line: { dash, width: 1.5, color: readPalette().status.normal },
            x: points.map(({ length }) => length),
            y: values,
            text: points.map(
              (point, i) =>
                `${escaped(name)} ${point.length}<br>${title} ${shownValue(values[i], shown)}` +
                (point.bound_by ? `<br>mostly bound by ${escaped(point.bound_by)}` : '') +
                (point.not_counted ? `<br>${point.not_counted} nodes not counted` : ''),
            ),
            hoverinfo: 'text' as const,
          }))}
          layout={{
            showlegend: shown !== 'memory',
            legend: { orientation: 'h' },
            margin: { l: 72, r: 24, t: 8, b: 44 },
            xaxis: { title: { text: escaped(name) }, type: 'log', ...decadeTicks(points.map(({ length }) => length)) },
            yaxis: {
              title: { text: SHOWN.find(([id]) => id === shown)![1] },
              type: 'log',
              ...decadeTicks(
                shownCurves.flatMap(({ values }) => values.filter(value => value !== null)),
                shown === 'memory' ? bytes : timeTick,
              ),
            },
          }}
          onClick={({ index }) => points[index] && setDimension(name, points[index].length)}
        />
      )}
    </div>
  );
}

const shownValue = (value: Maybe, shown: Shown) =>
  value == null ? NONE : shown === 'memory' ? bytes(value) : seconds(value);

function curves(
  points: NetworkSweepPoint[],
  shown: Shown,
): { title: string; dash: 'solid' | 'dot'; values: (number | null)[] }[] {
  if (shown === 'memory')
    return [{ title: 'Peak activations', dash: 'solid', values: points.map(p => p.peak_activation_bytes) }];
  const per = ({ length }: NetworkSweepPoint) => (shown === 'each' ? length : 1);
  return [
    { title: 'Bound', dash: 'solid', values: points.map(p => p.predicted_time_s / per(p)) },
    {
      title: 'Estimate',
      dash: 'dot',
      values: points.map(p => (p.typical_time_s === null ? null : p.typical_time_s / per(p))),
    },
  ];
}
