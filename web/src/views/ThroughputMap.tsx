// Tokens per second over batch and context, with the edge of memory; beside it what batching trades: speed for each user against throughput.
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, si, tick } from '../format';
import { useAnswer } from '../state/ask';
import { changeModel, modelRequest } from '../state/model';
import { shade } from '../state/theme';

interface MapAnswer { batches: number[]; contexts: number[]; machines: number }
const COLUMNS = 128, ROWS = 128;

export function ThroughputMap() {
  const request = modelRequest.value;
  const [at, setAt] = useState<{ column: number; row: number } | null>(null);
  const limits = { batch: Math.max(1024, request?.batch ?? 1), context: Math.max(131072, request?.context ?? 1) };
  // Batch and context are the axes: dragging them only moves the mark.
  const { batch: _, context: __, measured: ___, measured_s: ____, ...rest } = request ?? { model: '' };
  const reply = useAnswer<MapAnswer>('model_map', request && { request: { ...rest, phase: 'decode' }, columns: COLUMNS, rows: ROWS, ...limits });
  const answer = reply && 'json' in reply ? reply : null;
  const tokens = answer?.columns.tokens_per_s;
  if (!request || !answer || !tokens) return <div class="model-view">{reply && 'error' in reply && <p class="error">{reply.error.message}</p>}</div>;
  const { batches, contexts, machines } = answer.json;
  const nearest = (values: number[], value: number) => values.reduce((best, v, i) => (Math.abs(Math.log(v / value)) < Math.abs(Math.log(values[best]! / value)) ? i : best), 0);
  const here = { column: nearest(batches, request.batch ?? 1), row: nearest(contexts, request.context ?? 2048) };
  const shown = at ?? here;
  const value = tokens[shown.row * COLUMNS + shown.column]!;
  return (
    <div class="model-view throughput">
      <figure>
        <figcaption>
          Batch {count(batches[shown.column]!)}, context {count(contexts[shown.row]!)}: <strong>{Number.isNaN(value) ? 'does not fit' : si(value, 'tokens/s')}</strong>
          {!Number.isNaN(value) && <span class="muted"> · {si(value / batches[shown.column]!, 'tokens/s')} for each user</span>}
        </figcaption>
        <Heat tokens={tokens} batches={batches} contexts={contexts} mark={here} onHover={setAt}
          onChoose={({ column, row }) => void changeModel({ phase: 'decode', batch: batches[column]!, context: contexts[row]! })} />
      </figure>
      <Pareto tokens={tokens} batches={batches} row={here.row} machines={machines} context={contexts[here.row]!} batch={here.column} />
    </div>
  );
}

interface HeatProps {
  tokens: Float32Array;
  batches: number[];
  contexts: number[];
  mark: { column: number; row: number };
  onHover: (at: { column: number; row: number } | null) => void;
  onChoose: (at: { column: number; row: number }) => void;
}

/// Dark to light, even steps in lightness, apart for the colour-blind.
const STOPS = [[38, 20, 71], [60, 79, 138], [33, 145, 140], [122, 209, 81], [253, 231, 37]] as const;
function colour(t: number): [number, number, number] {
  const x = Math.max(0, Math.min(1, t)) * (STOPS.length - 1), i = Math.min(STOPS.length - 2, Math.floor(x)), f = x - i;
  return [0, 1, 2].map(c => Math.round(STOPS[i]![c]! * (1 - f) + STOPS[i + 1]![c]! * f)) as [number, number, number];
}

function Heat({ tokens, batches, contexts, mark, onHover, onChoose }: HeatProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current!.getContext('2d')!;
    const image = context.createImageData(COLUMNS, ROWS);
    let [low, high] = [Infinity, 0];
    for (const value of tokens) if (value > 0) [low, high] = [Math.min(low, value), Math.max(high, value)];
    const span = Math.log(high / low) || 1;
    for (let row = 0; row < ROWS; ++row)
      for (let column = 0; column < COLUMNS; ++column) {
        const value = tokens[row * COLUMNS + column]!;
        const pixel = ((ROWS - 1 - row) * COLUMNS + column) * 4;  // the longest context on top
        const edge = Number.isNaN(value) && ((row > 0 && !Number.isNaN(tokens[(row - 1) * COLUMNS + column]!)) || (column > 0 && !Number.isNaN(tokens[row * COLUMNS + column - 1]!)));
        const [r, g, b] = edge ? [214, 57, 57] : Number.isNaN(value) ? [128, 128, 128] : colour(Math.log(value / low) / span);
        image.data.set([r, g, b, edge || !Number.isNaN(value) ? 255 : 70], pixel);
      }
    context.putImageData(image, 0, 0);
    canvas.current!.dataset.painted = String(Number(canvas.current!.dataset.painted ?? 0) + 1);
  }, [tokens, shade.value]);
  const cell = (event: PointerEvent | MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const within = (value: number, most: number) => Math.max(0, Math.min(most - 1, Math.floor(value * most)));
    return { column: within((event.clientX - box.left) / box.width, COLUMNS), row: ROWS - 1 - within((event.clientY - box.top) / box.height, ROWS) };
  };
  return (
    <div class="heat">
      <span class="axis y">context, {tick(contexts[0]!)} to {tick(contexts[ROWS - 1]!)}</span>
      <div class="heat-box">
        <canvas ref={canvas} width={COLUMNS} height={ROWS} role="img" aria-label="Tokens per second over batch and context; grey does not fit in memory"
          onPointerMove={event => onHover(cell(event))} onPointerLeave={() => onHover(null)} onClick={event => onChoose(cell(event))} />
        <i class="mark" style={{ left: `${(100 * (mark.column + 0.5)) / COLUMNS}%`, bottom: `${(100 * (mark.row + 0.5)) / ROWS}%` }} />
      </div>
      <span class="axis x">batch, {tick(batches[0]!)} to {tick(batches[COLUMNS - 1]!)} · grey, beyond the red edge: out of memory</span>
    </div>
  );
}

function Pareto({ tokens, batches, row, machines, context, batch }: { tokens: Float32Array; batches: number[]; row: number; machines: number; context: number; batch: number }) {
  const points = batches.map((n, column) => ({ n, column, all: tokens[row * COLUMNS + column]! / machines })).filter(({ all }) => all > 0).map(point => ({ ...point, user: (point.all * machines) / point.n }));
  if (points.length < 2) return <figure class="pareto"><figcaption>Nothing fits at a context of {count(context)}.</figcaption></figure>;
  const range = (values: number[]) => [Math.log(Math.min(...values)), Math.log(Math.max(...values))] as const;
  const [x0, x1] = range(points.map(({ user }) => user)), [y0, y1] = range(points.map(({ all }) => all));
  const W = 320, H = 240, x = (user: number) => 44 + ((Math.log(user) - x0) / (x1 - x0 || 1)) * (W - 60), y = (all: number) => H - 34 - ((Math.log(all) - y0) / (y1 - y0 || 1)) * (H - 50);
  const current = points.find(({ column }) => column === batch);
  return (
    <figure class="pareto">
      <figcaption>For each user against per machine, context {count(context)}</figcaption>
      <svg viewBox={`0 0 ${W} ${H}`} role="img" aria-label="Tokens per second of each user against those of a machine, one point per batch">
        <path class="axes" d={`M44 8V${H - 34}H${W - 8}`} />
        <polyline points={points.map(({ user, all }) => `${x(user)},${y(all)}`).join(' ')} />
        {current && <circle cx={x(current.user)} cy={y(current.all)} r="5"><title>batch {current.n}</title></circle>}
        <text x="44" y={H - 20}>{si(Math.exp(x0), '')}</text>
        <text x={W - 8} y={H - 20} text-anchor="end">{si(Math.exp(x1), '')}</text>
        <text x={(W + 44) / 2} y={H - 6} text-anchor="middle">tokens/s for each user</text>
        <text x="40" y={H - 36} text-anchor="end">{si(Math.exp(y0), '')}</text>
        <text x="40" y="18" text-anchor="end">{si(Math.exp(y1), '')}</text>
        <text x="12" y={H / 2 - 10} text-anchor="middle" transform={`rotate(-90 12 ${H / 2 - 10})`}>tokens/s per machine</text>
      </svg>
    </figure>
  );
}
