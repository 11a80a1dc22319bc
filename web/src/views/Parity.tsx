// Theory against measurement: predicted against measured times, their errors and speed-ups, and the machine that explains them best.
import { useEffect, useRef, useState } from 'preact/hooks';
import { readPalette } from '../chart/palette';
import { downloadJson } from '../download';
import { percent, seconds, type Maybe } from '../format';
import { useAnswer } from '../state/ask';
import { formatName } from '../state/catalogue';
import { frame, type Machine } from '../state/engine';
import { saveMachine } from '../state/machines';
import { chooseMachine } from '../state/settings';
import { shade } from '../state/theme';
import { selected } from '../state/view';
import { Choice } from '../widgets/Choice';
import { drawParity, type ParityPoint, type PlacedPoint } from './parity_draw';

const MOST_OPS = 10_000;  // every operation is compared, one by one
const MOST_ROWS = 500;

export const parityApplies = () => {
  const all = frame.value?.json.all;
  return all !== undefined && all.timed_ops > 0 && all.ops <= MOST_OPS;
};

interface Agreement { ops: number; mape: number | null; within_band: number | null }
interface ParityOp {
  index: number; name: string; type: string; format: string | null;
  predicted_time_s: number | null; typical_time_s: number | null; stated_time_s: number | null; time_s: number | null;
  error: number | null; typical_error: number | null; stated_error: number | null; efficiency: number | null;
  baseline: number | null; speedup_predicted: number | null; speedup_measured: number | null;
}
interface ParityJson { baseline: string | null; formats: string[]; band: number; rows: number; predicted: Agreement; typical: Agreement; stated: Agreement; ops: ParityOp[] }
interface FitJson {
  compute: number | null; bandwidth: number | null; launch_s: number; rms: number; bound_rms: number; above_roof: number;
  machine: Machine; ops: { index: number; residual: number }[];
}

type Theory = 'predicted' | 'typical';

export function Parity() {
  const [baseline, setBaseline] = useState('');
  const [theory, setTheory] = useState<Theory>('predicted');
  const [fitting, setFitting] = useState(false);
  const answer = useAnswer<ParityJson>('parity', baseline ? { baseline } : {});
  const fit = useAnswer<FitJson>('fit', fitting ? {} : null);
  if (!answer) return <div class="parity" />;
  if ('error' in answer) return <div class="parity"><p class="hint">{answer.error.message}</p></div>;
  const parity = answer.json;
  const fitted = fitting && fit && !('error' in fit) ? fit.json : null;
  return (
    <div class="parity">
      <ParityChart parity={parity} theory={theory} />
      <div class="parity-side">
        <div class="parity-tools">
          <Choice label="Prediction" value={theory} options={[['predicted', 'Bound'], ['typical', 'Typical']]} onChange={setTheory} />
          <label>Over <select aria-label="Baseline format" value={parity.baseline ?? ''} onChange={event => setBaseline(event.currentTarget.value)}>
            {parity.formats.map(id => <option key={id} value={id}>{formatName(id)}</option>)}
          </select></label>
          <button type="button" aria-pressed={fitting} onClick={() => setFitting(!fitting)}>Fit the machine</button>
        </div>
        <Agreements parity={parity} />
        {fitting && fit && ('error' in fit ? <p class="hint">{fit.error.message}</p> : <FitResult fit={fit.json} />)}
        <ParityTable parity={parity} theory={theory} fit={fitted} />
      </div>
    </div>
  );
}

/// Below a hundredth of a percent the rest is rounding.
const error = (fraction: Maybe) => percent(fraction != null && Math.abs(fraction) < 1e-4 ? 0 : fraction);
const signed = (fraction: Maybe) => (fraction == null || Math.abs(fraction) < 1e-4 ? error(fraction) : fraction > 0 ? `+${error(fraction)}` : `−${error(-fraction)}`);
const times = (factor: Maybe) => (factor == null ? '–' : `${Number(factor.toPrecision(3))}×`);

function Agreements({ parity }: { parity: ParityJson }) {
  const rows = ([['Bound', parity.predicted], ['Typical', parity.typical], ['Table’s own', parity.stated]] as const).filter(([, { ops }]) => ops > 0);
  return (
    <dl class="parity-figures">
      {rows.map(([name, { ops, mape, within_band }]) => (
        <div key={name}><dt>{name}</dt><dd>mean error {error(mape)}, {percent(within_band)} of {ops} within ±{Math.round(parity.band * 100)} %</dd></div>
      ))}
    </dl>
  );
}

function FitResult({ fit }: { fit: FitJson }) {
  const [saved, setSaved] = useState(false);
  return (
    <div class="fit">
      <p>
        Best explained by {fit.compute === null ? 'no measured compute' : `${percent(fit.compute)} of the compute peak`}, {fit.bandwidth === null ? 'no measured bandwidth' : `${percent(fit.bandwidth)} of the bandwidth`} and {seconds(fit.launch_s)} per launch:
        {' '}{error(fit.rms)} root mean square error, {percent(fit.bound_rms)} by the bound alone.
        {fit.above_roof > 0 && ` ${fit.above_roof} are faster than the machine allows: check its peak and bandwidth.`}
      </p>
      <div class="actions">
        <button type="button" onClick={() => chooseMachine(fit.machine)}>Use the calibrated machine</button>
        <button type="button" onClick={() => setSaved(saveMachine(fit.machine))}>{saved ? 'Saved' : 'Save to my machines'}</button>
        <button type="button" onClick={() => downloadJson(fit.machine, `${fit.machine.id}.json`)}>Export</button>
      </div>
    </div>
  );
}

function ParityTable({ parity, theory, fit }: { parity: ParityJson; theory: Theory; fit: FitJson | null }) {
  const residuals = new Map(fit?.ops.map(({ index, residual }) => [index, residual]));
  const stated = parity.stated.ops > 0;
  const over = parity.baseline ? ` over ${formatName(parity.baseline)}` : '';
  return (
    <div class="parity-table" tabIndex={0} role="region" aria-label="Predicted and measured">
      <table>
        <thead>
          <tr>
            <th scope="col">Operation</th><th scope="col">Measured</th><th scope="col">{theory === 'typical' ? 'Typical' : 'Bound'}</th><th scope="col">Error</th>
            {stated && <><th scope="col">Table’s own</th><th scope="col">Error</th></>}
            {fit && <th scope="col">Residual</th>}
            <th scope="col">Measured{over}</th><th scope="col">Predicted{over}</th>
          </tr>
        </thead>
        <tbody>
          {parity.ops.slice(0, MOST_ROWS).map(op => (
            <tr key={op.index} aria-current={op.index === selected.value} onClick={() => (selected.value = op.index)}>
              <th scope="row"><button type="button" class="link">{op.name}</button></th>
              <td>{seconds(op.time_s)}</td>
              <td>{seconds(theory === 'typical' ? op.typical_time_s : op.predicted_time_s)}</td>
              <td>{signed(theory === 'typical' ? op.typical_error : op.error)}</td>
              {stated && <><td>{seconds(op.stated_time_s)}</td><td>{signed(op.stated_error)}</td></>}
              {fit && <td>{signed(residuals.get(op.index))}</td>}
              <td>{times(op.speedup_measured)}</td>
              <td>{times(op.speedup_predicted)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {parity.rows > MOST_ROWS && <p class="muted">{parity.rows - MOST_ROWS} more are in the table below.</p>}
    </div>
  );
}

const PICK_PX = 12;

function ParityChart({ parity, theory }: { parity: ParityJson; theory: Theory }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const placed = useRef<PlacedPoint[]>([]);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [hovered, setHovered] = useState<PlacedPoint | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height }));
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);

  const palette = readPalette();
  const colours = [palette.accent, palette.status['memory-inefficient'], palette.status['compute-bound'], palette.whatif, palette.status['latency-bound'], palette.muted];
  const colourOf = (format: string | null) => colours[Math.max(0, parity.formats.indexOf(format ?? '')) % colours.length]!;
  const points: ParityPoint[] = parity.ops.flatMap(op => {
    const x = theory === 'typical' ? op.typical_time_s : op.predicted_time_s;
    return x && op.time_s ? [{ op: op.index, x, y: op.time_s, colour: colourOf(op.format) }] : [];
  });
  useEffect(() => {
    const element = canvas.current!;
    if (size.width < 80 || size.height < 80) return;
    element.width = Math.round(size.width * devicePixelRatio);
    element.height = Math.round(size.height * devicePixelRatio);
    const context = element.getContext('2d')!;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    placed.current = drawParity(context, { points, band: parity.band, palette, selected: selected.value, ...size, xTitle: theory === 'typical' ? 'typical' : 'predicted by the bound' });
    element.dataset.points = String(placed.current.length);
  }, [parity, theory, size, selected.value, shade.value]);

  const nearest = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const distance = ({ px, py }: PlacedPoint) => Math.hypot(px - (event.clientX - box.left), py - (event.clientY - box.top));
    const best = placed.current.reduce<PlacedPoint | null>((a, b) => (a === null || distance(b) < distance(a) ? b : a), null);
    return best && distance(best) <= PICK_PX ? best : null;
  };
  const over = hovered && parity.ops.find(({ index }) => index === hovered.op);
  return (
    <div class="parity-chart">
      <canvas ref={canvas} role="img" aria-label={`Predicted against measured times of ${points.length} operations; the table beside it has the numbers`}
        onMouseMove={event => setHovered(nearest(event))} onMouseLeave={() => setHovered(null)}
        onClick={event => {
          const point = nearest(event);
          if (point) selected.value = point.op;
        }} />
      <ul class="parity-legend">{parity.formats.map(id => <li key={id}><Swatch colour={colourOf(id)} />{formatName(id)}</li>)}</ul>
      {over && hovered && (
        <p class="parity-hover">
          <strong>{over.name}</strong> measured {seconds(over.time_s)}, {theory} {seconds(hovered.x)} ({signed(theory === 'typical' ? over.typical_error : over.error)})
        </p>
      )}
    </div>
  );
}

const Swatch = ({ colour }: { colour: string }) => <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4" fill={colour} /></svg>;
