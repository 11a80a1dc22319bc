// The same work on several machines: their roofs in one chart with the ridge points, and a table beside it.
import type { MachinesJson } from '../../../wasm/session';
import type { Palette } from '../chart/palette';
import { NONE, number, range, rate, scaled, seconds, si, type Units } from '../format';
import { useAnswer } from '../state/ask';
import { formatName } from '../state/catalogue';
import { frame, units } from '../state/engine';
import { chooseMachineOption, isMine, machineOptions, myMachines, optionOf } from '../state/machines';
import { look, selected, viewState } from '../state/view';
import { Choice } from '../widgets/Choice';
import { Combobox } from '../widgets/Combobox';
import { Icon } from '../widgets/Icon';
import { Canvas } from './Canvas';
import { drawPlane, label, planeOf, seriesColour, type Axis } from './plane';

type Row = MachinesJson['rows'][number];

const USUAL = ['h100-sxm', 'a100-80gb-sxm', 'l4', 'rtx-4090', 'mi300x', 'jetson-orin-nano'];
const NAMED = 9;  // beyond, lines are thin and only the hovered table row is named

export function Machines() {
  const chosen = viewState.value.machines ?? USUAL;
  const all = chosen === 'all';
  const op = selected.value;
  // One's own go as files: the core knows no other browser's machines. A link that names one which is not here leaves it out.
  const own = myMachines.value.filter(({ id }) => all || chosen.includes(optionOf(id)));
  const presets = all ? [] : chosen.filter(id => !isMine(id));
  const answer = useAnswer<MachinesJson>('machines', { op, own, ...(!all && { machines: presets }) });
  const set = (next: string[] | 'all') => look({ machines: next });
  if (answer && 'error' in answer) return <p class="hint">{answer.error.message} <button type="button" onClick={() => set(USUAL)}>Back to the usual ones</button></p>;
  const rows = answer?.json.rows ?? [];
  const option = (i: number) => (i <= own.length ? optionOf(rows[i]!.id) : rows[i]!.id);  // the machine in force, then one's own, then presets
  const name = frame.value?.json.table.rows.find(({ index }) => index === op)?.name;
  return (
    <div class="machines-view">
      <div class="sweep-bar">
        <Choice label="Machines" value={all ? 'all' : 'some'} options={[['some', 'Chosen'], ['all', 'Every machine']]} onChange={next => set(next === 'all' ? 'all' : USUAL)} />
        {!all && <Combobox label="Add a machine" options={machineOptions().filter(({ id }) => !chosen.includes(id))} value="Add a machine…" onChange={id => set([...chosen, id])} />}
        <span class="muted">{name === undefined ? 'All operations together' : `Of ${name}`}</span>
      </div>
      <div class="machines-split">
        <div class="plane-frame"><Canvas label="Roofs of the machines" draw={(ctx, width, height, palette) => drawRoofs(ctx, width, height, palette, rows)} /></div>
        <div class="comparison" tabIndex={0} aria-label="Machines side by side">
          <table class="figures">
            <thead>
              <tr><th scope="col">Machine</th><th scope="col" class="number">Speed-up</th><th scope="col" class="number">Bound</th><th scope="col" class="number">Typical</th><th scope="col">Bound by</th>
                <th scope="col" class="number">Ridge, {units.value.intensity}</th><th scope="col" class="number">Peak</th><th scope="col" class="number">Bandwidth</th><th scope="col">Computes as</th><th scope="col" /></tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <tr key={`${i} ${row.id}`}>
                  <th scope="row"><span class="dot" style={{ '--colour': i === 0 ? 'var(--ink)' : `var(${CURVES[(i - 1) % CURVES.length]!})` }} /> {i === 0 ? row.name : <button type="button" class="link" title="Take this machine" onClick={() => chooseMachineOption(option(i))}>{row.name}</button>}</th>
                  <td class="number"><strong>{i === 0 ? '1.0×' : range(row.speedup, row.speedup)}</strong></td>
                  <td class="number">{seconds(row.predicted_time_s)}</td><td class="number">{seconds(row.typical_time_s)}</td><td>{row.bound_by || NONE}</td>
                  <td class="number">{number(scaled(row.ridge, units.value))}</td><td class="number">{rate(row.peak, units.value)}</td><td class="number">{si(row.bandwidth, 'B/s')}</td>
                  <td>{row.compute ? formatName(row.compute) : NONE}{row.fallback && <span class="muted"> (fallback)</span>}</td>
                  <td>{i > 0 && !all && <button type="button" class="ghost small" aria-label={`Remove ${row.name}`} onClick={() => set(chosen.filter(id => id !== option(i)))}><Icon name="close" /></button>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  );
}

const LABEL_PX = 13;

// As seriesColour has them.
const CURVES = ['--accent', '--status-memory-inefficient', '--status-compute-bound', '--whatif', '--status-compute-inefficient', '--status-latency-bound', '--status-link-inefficient', '--ink'];

function drawRoofs(ctx: CanvasRenderingContext2D, width: number, height: number, palette: Palette, rows: Row[]) {
  const known = rows.filter(({ peak, bandwidth }) => peak !== null && bandwidth !== null);
  if (known.length === 0) return;
  const unit = units.value;
  const ridges = known.map(({ ridge }) => ridge! * unit.scale);
  const peaks = known.map(({ peak }) => peak! * unit.scale);
  const { xAxis, yAxis } = axesOf(ridges, peaks, unit);
  const plane = planeOf(xAxis, yAxis, { left: 60, top: 22, right: width - 12, bottom: height - 36 });
  drawPlane(ctx, palette, plane, xAxis, yAxis);
  ctx.save();
  ctx.beginPath();
  ctx.rect(plane.plot.left, plane.plot.top, plane.plot.right - plane.plot.left, plane.plot.bottom - plane.plot.top);
  ctx.clip();
  ctx.font = `500 11px ${palette.font}`;
  const labels: { text: string; x: number; y: number; colour: string }[] = [];
  known.forEach(({ peak, bandwidth, ridge, name }, i) => {
    const first = rows.indexOf(known[i]!) === 0;
    const colour = first ? palette.ink : seriesColour(palette, rows.indexOf(known[i]!) - 1);
    const corner = { x: plane.x(ridge! * unit.scale), y: plane.y(peak! * unit.scale) };
    ctx.strokeStyle = colour;
    ctx.lineWidth = first ? 2.5 : known.length > NAMED ? 1 : 1.5;
    ctx.globalAlpha = first || known.length <= NAMED ? 1 : 0.7;
    ctx.beginPath();
    ctx.moveTo(plane.x(xAxis.low), plane.y(bandwidth! * xAxis.low));
    ctx.lineTo(corner.x, corner.y);
    ctx.lineTo(plane.plot.right, corner.y);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.arc(corner.x, corner.y, 3, 0, 2 * Math.PI);
    ctx.fillStyle = palette.surface;
    ctx.fill();
    ctx.stroke();
    if (known.length <= NAMED || first) labels.push({ text: `${name} · ${number(ridge! * unit.scale)}`, x: corner.x + 6, y: corner.y - 5, colour });
  });
  let below = -Infinity;  // the label above this one
  for (const { text, x, y, colour } of labels.sort((one, other) => one.y - other.y)) label(ctx, palette, plane, text, x, (below = Math.max(y, below + LABEL_PX)), colour);
  ctx.restore();
}

/// Whole decades around every ridge point.
function axesOf(ridges: number[], peaks: number[], unit: Units): { xAxis: Axis; yAxis: Axis } {
  const below = (values: number[]) => 10 ** (Math.floor(Math.log10(Math.min(...values))) - 1);
  const above = (values: number[]) => 10 ** (Math.ceil(Math.log10(Math.max(...values))) + 0.5);
  return {
    xAxis: { low: below(ridges), high: above(ridges), log: true, title: `Intensity (${unit.intensity})` },
    yAxis: { low: below(peaks), high: above(peaks), log: true, title: `Performance (${unit.rate})` },
  };
}
