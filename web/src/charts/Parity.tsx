// Predicted against measured times: errors, speed-ups, and the machine that fits best.
import { useRef, useState } from 'preact/hooks';
import { downloadJson } from '../core/download';
import { percent, seconds, times, timeTick, type Maybe } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { drawLegend, type LegendEntry } from '../plot/legend';
import { seriesColour } from '../plot/palette';
import { planeOf, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { circle, line, type Stamp, type Surface } from '../plot/surface';
import { useAnswer } from '../core/ask';
import { formatName } from '../core/catalogue';
import { panelFrame } from '../core/engine';
import type { Machine } from '../core/machine_document';
import { saveMachine } from '../machine/machine_options';
import { chooseMachine } from '../core/settings';
import { selected } from '../core/view';
import { AnswerFault, NoAnswer } from '../widgets/AnswerFault';
import { Choice } from '../widgets/Choice';
import { HoverCard } from '../plot/HoverCard';
import { ClipBox } from '../widgets/ClipBox';
import { Select } from '../widgets/Select';

const MOST_ROWS = 500;

interface Agreement {
  ops: number;
  mape: number | null;
  within_band: number | null;
}
interface ParityOp {
  index: number;
  name: string;
  type: string;
  format: string | null;
  predicted_time_s: number | null;
  typical_time_s: number | null;
  stated_time_s: number | null;
  time_s: number | null;
  error: number | null;
  typical_error: number | null;
  stated_error: number | null;
  efficiency: number | null;
  baseline: number | null;
  speedup_predicted: number | null;
  speedup_measured: number | null;
}
interface ParityJson {
  baseline: string | null;
  formats: string[];
  band: number;
  rows: number;
  predicted: Agreement;
  typical: Agreement;
  stated: Agreement;
  ops: ParityOp[];
}
interface FitJson {
  compute: number | null;
  bandwidth: number | null;
  launch_s: number;
  rms: number;
  bound_rms: number;
  above_roof: number;
  machine: Machine;
  ops: { index: number; residual: number }[];
}

type Theory = 'predicted' | 'typical';

/** The chart, the errors and the fit. */
export function Parity() {
  const [baseline, setBaseline] = useState('');
  const [theory, setTheory] = useState<Theory>('predicted');
  const [fitting, setFitting] = useState(false);
  const revision = panelFrame.value?.revision; // another one where the filters change
  const answer = useAnswer<ParityJson>('parity', revision ? { revision, ...(baseline && { baseline }) } : null);
  const fit = useAnswer<FitJson>('fit', fitting && revision ? { revision } : null);
  if (!answer || 'error' in answer) return <NoAnswer reply={answer} class="parity" />;
  const parity = answer.json;
  const several = parity.formats.length > 1; // speed-ups need a second format
  const fitted = fitting && fit && !('error' in fit) ? fit.json : null;
  return (
    <div class="parity">
      <ParityChart parity={parity} theory={theory} />
      <div class="parity-side">
        <div class="parity-tools">
          <Choice
            label="Prediction"
            value={theory}
            options={[
              ['predicted', 'Bound'],
              ['typical', 'Estimate'],
            ]}
            onChange={setTheory}
          />
          {several && (
            <label>
              Over{' '}
              <Select
                label="Baseline format"
                value={parity.baseline ?? ''}
                options={parity.formats.map(id => [id, formatName(id)] as const)}
                onChange={setBaseline}
              />
            </label>
          )}
          <button type="button" aria-pressed={fitting} onClick={() => setFitting(!fitting)}>
            Fit the machine
          </button>
        </div>
        <Agreements parity={parity} />
        {fitting && fit && ('error' in fit ? <AnswerFault reply={fit} /> : <FitResult fit={fit.json} />)}
        <ParityTable parity={parity} theory={theory} fit={fitted} />
      </div>
    </div>
  );
}

/** Errors below 0.01% are rounding and shown as 0. */
const error = (fraction: Maybe) => percent(fraction != null && Math.abs(fraction) < 1e-4 ? 0 : fraction);
const signed = (fraction: Maybe) => `${fraction != null && fraction >= 1e-4 ? '+' : ''}${error(fraction)}`;

function Agreements({ parity }: { parity: ParityJson }) {
  const rows = (
    [
      ['Bound', parity.predicted],
      ['Estimate', parity.typical],
      ['Stated in the file', parity.stated],
    ] as const
  ).filter(([, { ops }]) => ops > 0);
  return (
    <dl class="parity-figures" aria-label="Errors">
      {rows.map(([name, { ops, mape, within_band }]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            mean error {error(mape)}, {percent(within_band)} of {ops} within ±{Math.round(parity.band * 100)}%
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FitResult({ fit }: { fit: FitJson }) {
  const [saved, setSaved] = useState(false);
  return (
    <div class="fit" role="group" aria-label="Fit">
      <p>
        Best fit: {fit.compute === null ? 'compute not measured' : `${percent(fit.compute)} of the compute peak`},{' '}
        {fit.bandwidth === null ? 'bandwidth not measured' : `${percent(fit.bandwidth)} of the bandwidth`} and{' '}
        {seconds(fit.launch_s)} per launch: RMS error {error(fit.rms)}, {percent(fit.bound_rms)} with the bound alone.
        {fit.above_roof > 0 &&
          ` ${fit.above_roof} operations are faster than the machine allows: check its peak and bandwidth.`}
      </p>
      <div class="actions">
        <button type="button" onClick={() => chooseMachine(fit.machine)}>
          Use the calibrated machine
        </button>
        <button type="button" onClick={() => setSaved(saveMachine(fit.machine))}>
          {saved ? 'Saved' : 'Save to my machines'}
        </button>
        <button type="button" onClick={() => downloadJson(fit.machine, `${fit.machine.id}.json`)}>
          Export
        </button>
      </div>
    </div>
  );
}

function ParityTable({ parity, theory, fit }: { parity: ParityJson; theory: Theory; fit: FitJson | null }) {
  const residuals = new Map(fit?.ops.map(({ index, residual }) => [index, residual]));
  const stated = parity.stated.ops > 0;
  const several = parity.formats.length > 1;
  const over = parity.baseline ? ` over ${formatName(parity.baseline)}` : '';
  return (
    <ClipBox class="parity-table" label="Predicted and measured">
      <table>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Measured</th>
            <th scope="col">{theory === 'typical' ? 'Estimate' : 'Bound'}</th>
            <th scope="col">Error</th>
            {stated && (
              <>
                <th scope="col">Stated in the file</th>
                <th scope="col">Error</th>
              </>
            )}
            {fit && <th scope="col">Residual</th>}
            {several && (
              <>
                <th scope="col">Measured{over}</th>
                <th scope="col">Predicted{over}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {parity.ops.slice(0, MOST_ROWS).map(op => (
            <tr key={op.index} aria-current={op.index === selected.value} onClick={() => (selected.value = op.index)}>
              <th scope="row">
                <button type="button" class="link">
                  {op.name}
                </button>
              </th>
              <td>{seconds(op.time_s)}</td>
              <td>{seconds(theory === 'typical' ? op.typical_time_s : op.predicted_time_s)}</td>
              <td>{signed(theory === 'typical' ? op.typical_error : op.error)}</td>
              {stated && (
                <>
                  <td>{seconds(op.stated_time_s)}</td>
                  <td>{signed(op.stated_error)}</td>
                </>
              )}
              {fit && <td>{signed(residuals.get(op.index))}</td>}
              {several && (
                <>
                  <td>{times(op.speedup_measured)}</td>
                  <td>{times(op.speedup_predicted)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {parity.rows > MOST_ROWS && (
        <p class="muted">{parity.rows - MOST_ROWS} more operations are in the table below.</p>
      )}
    </ClipBox>
  );
}

const PICK_PX = 12;

interface Point {
  op: ParityOp;
  x: number; // seconds
  y: number;
}

function ParityChart({ parity, theory }: { parity: ParityJson; theory: Theory }) {
  const plane = useRef<Plane | null>(null);
  const [hovered, setHovered] = useState<Point | null>(null);
  const points = parity.ops.flatMap((op): Point[] => {
    const x = theory === 'typical' ? op.typical_time_s : op.predicted_time_s;
    return x && op.time_s ? [{ op, x, y: op.time_s }] : [];
  });
  const pointAt = (px: number, py: number) => {
    if (!plane.current) return null;
    const { x, y } = plane.current;
    let best: Point | null = null;
    let least = PICK_PX;
    for (const point of points) {
      const distance = Math.hypot(x.pixel(point.x) - px, y.pixel(point.y) - py);
      if (distance <= least) [best, least] = [point, distance];
    }
    return best;
  };
  return (
    <div class="plot-frame">
      <Plot
        label={`Predicted against measured times of ${points.length} operations; the table beside it has the numbers`}
        draw={surface => (plane.current = drawParity(surface, parity, points, theory))}
        onPoint={(x, y) => setHovered(x === null ? null : pointAt(x, y))}
        onPick={(x, y) => {
          const point = pointAt(x, y);
          if (point) selected.value = point.op.index;
        }}
      />
      {hovered && (
        <HoverCard x={plane.current!.x.pixel(hovered.x)} y={plane.current!.y.pixel(hovered.y)}>
          <strong>{hovered.op.name}</strong> measured {seconds(hovered.y)},{' '}
          {theory === 'typical' ? 'estimate' : 'bound'} {seconds(hovered.x)} (
          {signed(theory === 'typical' ? hovered.op.typical_error : hovered.op.error)})
        </HoverCard>
      )}
    </div>
  );
}

function drawParity(surface: Surface, { formats, band }: ParityJson, points: Point[], theory: Theory): Plane | null {
  if (points.length === 0) return null;
  const { palette } = surface;
  const times = points.flatMap(({ x, y }) => [x, y]);
  const axis = {
    low: 10 ** Math.floor(Math.log10(Math.min(...times)) - 0.1),
    high: 10 ** Math.ceil(Math.log10(Math.max(...times)) + 0.1),
    log: true,
    label: timeTick,
  };
  const plane = planeOf(
    { ...axis, title: theory === 'typical' ? 'Estimated time' : 'Time predicted by the bound' },
    { ...axis, title: 'Measured time' },
    plotBox(surface),
  );
  const { box, x, y } = plane;
  drawAxes(surface, plane);
  surface.clip(box, () => {
    // Error = predicted / measured - 1: the band's edges are measured = predicted / (1 + band) and predicted / (1 - band).
    surface.path(
      path => {
        path.moveTo(box.left, y.pixel(axis.low / (1 + band)));
        path.lineTo(box.right, y.pixel(axis.high / (1 + band)));
        path.lineTo(box.right, y.pixel(axis.high / (1 - band)));
        path.lineTo(box.left, y.pixel(axis.low / (1 - band)));
        path.close();
      },
      { fill: palette.density, opacity: 0.35 },
    );
    line(surface, box.left, box.bottom, box.right, box.top, { stroke: palette.roof });
    const place = (id: string | null) => Math.max(0, formats.indexOf(id ?? ''));
    const dot = (point: Point, radius: number, stroke: string, key: string): Stamp => ({
      key,
      size: 2 * radius + 4,
      x: x.pixel(point.x),
      y: y.pixel(point.y),
      title: point.op.name,
      paint: (into, atX, atY) =>
        circle(into, atX, atY, radius, { fill: seriesColour(palette, place(point.op.format)), stroke }),
    });
    surface.stamps([
      ...points.map(point => dot(point, 4, palette.surface, `parity ${place(point.op.format)}`)),
      ...points
        .filter(({ op }) => op.index === selected.value)
        .map(point => dot(point, 6, palette.ink, `parity selected ${place(point.op.format)}`)),
    ]);
    drawLegend(
      surface,
      formats.map((id, i): LegendEntry => ({ text: formatName(id), colour: seriesColour(palette, i), sample: 'dot' })),
      box.left + 8,
      box.top + 13,
    );
  });
  return plane;
}
