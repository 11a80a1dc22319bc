// Tokens per second over batch and context (prefill: prompt), with the limit of memory, and the trade-off between speed per user and throughput.
import type { Data } from 'plotly.js';
import { useMemo, useRef, useState } from 'preact/hooks';
import { count, number } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { cellAt, drawCells, type Cell } from '../plot/cells';
import { drawLegend } from '../plot/legend';
import { readPalette } from '../plot/palette';
import { planeOf, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { packed, rampOf } from '../plot/ramp';
import { circle, type Surface } from '../plot/surface';
import { Chart } from '../plotly/Chart';
import { decadeTicks } from '../plotly/ticks';
import { useAnswer } from '../core/ask';
import { useFinding } from '../core/finding';
import { changeModel, modelRequest } from './model';
import { contextOf, promptOf } from './model_request';
import { mapFinding } from './scaling_finding';
import { NoAnswer } from '../widgets/AnswerFault';

interface MapAnswer {
  batches: number[];
  contexts: number[];
  machines: number;
}

const COLUMNS = 128;
const ROWS = 128;

/** The map of the open model; a click applies batch and context. */
export function ThroughputMap() {
  const request = modelRequest.value;
  const [pointed, setPointed] = useState<Cell | null>(null);
  const prefill = request?.phase === 'prefill';
  const phase = prefill ? 'prefill' : 'decode';
  const along = prefill ? 'prompt' : 'context';
  const length = request && (prefill ? promptOf(request) : contextOf(request));
  // Batch and context are the axes: changing them only moves the mark.
  const { batch: _, context: __, prompt, measured: ___, measured_s: ____, ...rest } = request ?? { model: '' };
  const reply = useAnswer<MapAnswer>(
    'model_map',
    request && {
      request: { ...rest, ...(prefill ? {} : { prompt }), phase },
      columns: COLUMNS,
      rows: ROWS,
      batch: Math.max(1024, request.batch ?? 1),
      context: Math.max(131072, length!),
    },
  );
  const answer = reply && 'json' in reply ? reply : null;
  const tokens = answer?.columns.tokens_per_s;
  const largest = answer?.columns.largest_batch;
  const headline = useMemo(() => {
    if (!request || !length || !answer || !tokens || !largest) return undefined;
    const { batches, contexts } = answer.json;
    const row = closest(contexts, length);
    const rates = tokens.subarray(row * COLUMNS, (row + 1) * COLUMNS);
    return mapFinding({
      along,
      context: contexts[row]!,
      batches,
      rates,
      largest: largest[row]!,
      at: closest(batches, request.batch ?? 1),
    });
  }, [answer, request, along]);
  useFinding(headline);
  if (!request || !length || !answer || !tokens || !largest) return <NoAnswer reply={reply} class="model-view" />;
  const { batches, contexts } = answer.json;
  const current = { column: closest(batches, request.batch ?? 1), row: closest(contexts, length) };
  const { column, row } = pointed ?? current;
  const value = tokens[row * COLUMNS + column]!;
  // Nothing is cached before the prompts of the map.
  const take = (cell: Cell) =>
    void changeModel({
      phase,
      batch: batches[cell.column]!,
      ...(prefill && { context: undefined }),
      [along]: contexts[cell.row]!,
    });
  return (
    <div class="model-view throughput">
      <figure>
        <figcaption>
          Batch {count(batches[column]!)}, {along} {count(contexts[row]!)}:{' '}
          <strong>{Number.isNaN(value) ? 'does not fit' : `${number(value)} tokens/s`}</strong>
          {!Number.isNaN(value) && !prefill && (
            <span class="muted"> · {number(value / batches[column]!)} per user</span>
          )}
          {!Number.isNaN(value) && batches[column]! > largest[row]! && <span class="warning"> · barely fits</span>}
        </figcaption>
        <TokensMap
          tokens={tokens}
          largest={largest}
          batches={batches}
          contexts={contexts}
          current={current}
          along={along}
          onPoint={setPointed}
          onPick={take}
        />
      </figure>
      {!prefill && (
        <Tradeoff
          tokens={tokens}
          answer={answer.json}
          current={current}
          onPick={at => take({ column: at, row: current.row })}
        />
      )}
    </div>
  );
}

/** The index of the value nearest on a logarithmic scale. */
const closest = (values: number[], value: number) =>
  values.reduce(
    (best, v, i) => (Math.abs(Math.log(v / value)) < Math.abs(Math.log(values[best]! / value)) ? i : best),
    0,
  );

interface MapProps {
  tokens: Float32Array;
  largest: Float32Array; // per context: the largest batch that leaves the reserve free
  batches: number[];
  contexts: number[];
  current: Cell;
  along: 'prompt' | 'context';
}

function TokensMap({
  onPoint,
  onPick,
  ...map
}: MapProps & { onPoint: (cell: Cell | null) => void; onPick: (cell: Cell) => void }) {
  const plane = useRef<Plane | null>(null);
  const under = (x: number, y: number) => plane.current && cellAt(plane.current, [map.batches, map.contexts], { x, y });
  return (
    <div class="plot-frame">
      <Plot
        label={`Tokens per second over batch and ${map.along}; grey: does not fit in memory, red: barely fits`}
        draw={surface => (plane.current = drawMap(surface, map))}
        onPoint={(x, y) => onPoint(x === null ? null : under(x, y))}
        onPick={(x, y) => {
          const cell = under(x, y);
          if (cell) onPick(cell);
        }}
      />
    </div>
  );
}

function drawMap(surface: Surface, { tokens, largest, batches, contexts, current, along }: MapProps): Plane {
  const { palette } = surface;
  const axis = (values: number[], title: string) => ({
    low: values[0]!,
    high: values[values.length - 1]!,
    log: true,
    title,
  });
  const plane = planeOf(
    axis(batches, 'Batch'),
    axis(contexts, along === 'prompt' ? 'Prompt (tokens)' : 'Context (tokens)'),
    plotBox(surface),
  );
  let [low, high] = [Infinity, 0];
  for (const value of tokens) if (value > 0) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const span = Math.log(high / low) || 1;
  const ramp = rampOf(palette);
  const without = packed(palette.muted, 0.3);
  const tight = packed(palette.error, 0.55);
  const isTight = (i: number) => batches[i % batches.length]! > largest[Math.floor(i / batches.length)]!;
  drawAxes(surface, plane);
  drawCells(surface, plane, {
    xs: batches,
    ys: contexts,
    border: packed(palette.error),
    area: i => (Number.isNaN(tokens[i]!) ? 1 : 0),
    colour: i => (Number.isNaN(tokens[i]!) ? without : isTight(i) ? tight : ramp(Math.log(tokens[i]! / low) / span)),
  });
  const [x, y] = [plane.x.pixel(batches[current.column]!), plane.y.pixel(contexts[current.row]!)];
  circle(surface, x, y, 6, { stroke: palette.ink, width: 4 });
  circle(surface, x, y, 6, { stroke: palette.surface, width: 2 });
  const legend = [
    ...(tokens.some(Number.isNaN) ? [{ text: 'out of memory', colour: palette.muted, sample: 'box' } as const] : []),
    ...(tokens.some((value, i) => !Number.isNaN(value) && isTight(i))
      ? [{ text: 'barely fits', colour: palette.error, sample: 'box' } as const]
      : []),
  ];
  legend.forEach((entry, i) => drawLegend(surface, [entry], plane.box.left + 112 * i, plane.box.bottom + 27)); // in one line
  return plane;
}

interface TradeoffProps {
  tokens: Float32Array;
  answer: MapAnswer;
  current: Cell;
  onPick: (column: number) => void;
}

/** One point per batch that fits at the current context. */
function Tradeoff({ tokens, answer: { batches, contexts, machines }, current, onPick }: TradeoffProps) {
  const context = count(contexts[current.row]!);
  const points = batches
    .map((batch, column) => ({ batch, column, all: tokens[current.row * COLUMNS + column]! }))
    .filter(({ all }) => all > 0);
  if (points.length < 2)
    return (
      <figure>
        <figcaption>Nothing fits at a context of {context}.</figcaption>
      </figure>
    );
  const { accent, status } = readPalette();
  const isCurrent = points.map(({ column }) => column === current.column);
  const perUser = points.map(({ all, batch }) => all / batch);
  const perMachine = points.map(({ all }) => all / machines);
  const data: Data = {
    type: 'scatter',
    mode: 'lines+markers',
    x: perUser,
    y: perMachine,
    line: { color: status.normal },
    marker: {
      size: isCurrent.map(is => (is ? 11 : 4)),
      color: isCurrent.map(is => (is ? accent : status.normal)),
      opacity: 1,
    },
    hoverinfo: 'text',
    text: points.map(
      ({ batch, all }) =>
        `batch ${count(batch)}<br>${number(all / batch)} tokens/s per user<br>${number(all / machines)} tokens/s per machine`,
    ),
  };
  return (
    <figure>
      <figcaption>Per user against per machine, context {context}</figcaption>
      <div class="plot-frame">
        <Chart
          label="Tokens per second per user against tokens per second per machine, one point per batch"
          data={[data]}
          onClick={({ index }) => onPick(points[index]!.column)}
          layout={{
            showlegend: false,
            margin: { l: 60, r: 12, t: 8, b: 40 },
            xaxis: { type: 'log', ...decadeTicks(perUser), title: { text: 'tokens/s per user' } },
            yaxis: { type: 'log', ...decadeTicks(perMachine), title: { text: 'tokens/s per machine' } },
          }}
        />
      </div>
    </figure>
  );
}
