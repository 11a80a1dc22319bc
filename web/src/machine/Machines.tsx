// Compares machines: their roofs with ridge points in one chart, and a table of speed-ups.
import type { MachinesJson } from '../../../wasm/session';
import { NONE, number, range, rate, scaled, seconds, si, unitsIn } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { drawKnot } from '../plot/curves';
import { seriesColour, seriesVariable, type Palette } from '../plot/palette';
import { planeOf, type Axis, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { Room, turned, upright } from '../plot/room';
import type { Surface, TextStyle } from '../plot/surface';
import { useAnswer } from '../core/ask';
import { formatName } from '../core/catalogue';
import { panelFrame, units, type Machine } from '../core/engine';
import { opened } from '../sources/files';
import { isMachine } from '../share/link';
import { chooseMachineOption, isMine, machineOptions, myMachines, optionOf } from './machine_options';
import { chooseMachine } from '../core/settings';
import { changeView, selected, viewState } from '../core/view';
import { Choice } from '../widgets/Choice';
import { Combobox } from '../widgets/Combobox';
import { IconButton } from '../widgets/IconButton';
import { ClipBox } from '../widgets/ClipBox';

type Row = MachinesJson['rows'][number];

const USUAL = ['h100-sxm', 'a100-80gb-sxm', 'l4', 'rtx-4090', 'mi300x', 'jetson-orin-nano'];
const NAMED = 9; // up to this many roofs are labelled and drawn thick

/** The machines' roofs and their table. */
export function Machines() {
  const chosen = viewState.value.machines ?? USUAL;
  const all = chosen === 'all';
  const single = opened.value?.format === 'operator'; // its rows are formats, which do not add up
  const op = single || viewState.value.scope === 'op' ? selected.value : null;
  // The user's machines are sent as documents, because the core knows presets only. Those named in a link but missing here are left out.
  const files = all ? [] : chosen.filter(isMachine);
  const mine = myMachines.value.filter(({ id }) => all || chosen.includes(optionOf(id)));
  const own = [...files, ...mine];
  const presets = all ? [] : chosen.filter(item => !isMachine(item) && !isMine(item as string));
  const answer = useAnswer<MachinesJson>('machines', { op, own, ...(!all && { machines: presets }) });
  const set = (next: typeof chosen) => changeView({ machines: next });
  if (answer && 'error' in answer)
    return (
      <p class="hint">
        {answer.error.message}{' '}
        <button type="button" onClick={() => set(USUAL)}>
          Reset the list
        </button>
      </p>
    );
  const rows = answer?.json.rows ?? [];
  // The i-th row as an entry of `chosen`: the current machine is first, then documents, the user's machines, presets.
  const option = (i: number) => files[i - 1] ?? (i <= own.length ? optionOf(rows[i]!.id) : rows[i]!.id);
  const take = (item: string | object) =>
    typeof item === 'string' ? chooseMachineOption(item) : chooseMachine(item as Machine);
  const name = panelFrame.value?.json.table.rows.find(({ index }) => index === selected.value)?.name;
  return (
    <div class="machines-view">
      <div class="sweep-bar">
        <Choice
          label="Machines"
          value={all ? 'all' : 'some'}
          options={[
            ['some', 'Selected'],
            ['all', 'All machines'],
          ]}
          onChange={next => set(next === 'all' ? 'all' : USUAL)}
        />
        {!all && (
          <Combobox
            label="Add a machine"
            options={machineOptions().filter(({ id }) => !chosen.includes(id))}
            value="Add a machine…"
            onChange={id => set([...chosen, id])}
          />
        )}
        {single || name === undefined ? (
          <span class="muted">{single ? `Of ${name}` : 'All operations'}</span>
        ) : (
          <Choice
            label="Scope"
            value={op === null ? '' : 'op'}
            options={[
              ['', 'All operations'],
              ['op', name],
            ]}
            onChange={scope => changeView({ scope })}
          />
        )}
      </div>
      <div class="machines-split">
        <div class="plot-frame">
          <Plot label="Roofs of the machines" draw={surface => drawRoofs(surface, rows)} />
        </div>
        <ClipBox class="comparison" label="Machines side by side">
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Machine</th>
                <th scope="col" class="number">
                  Speed-up
                </th>
                <th scope="col" class="number">
                  Bound
                </th>
                <th scope="col" class="number">
                  Realistic
                </th>
                <th scope="col">Bound by</th>
                <th scope="col" class="number">
                  Ridge, {units.value.intensity}
                </th>
                <th scope="col" class="number">
                  Peak
                </th>
                <th scope="col" class="number">
                  Bandwidth
                </th>
                <th scope="col">Computes as</th>
                <th scope="col" />
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => (
                <tr key={`${i} ${row.id}`}>
                  <th scope="row">
                    <span class="dot" style={{ '--colour': variableOf(i) }} />{' '}
                    {i === 0 ? (
                      row.name
                    ) : (
                      <button type="button" class="link" title="Use this machine" onClick={() => take(option(i))}>
                        {row.name}
                      </button>
                    )}
                  </th>
                  <td class="number">
                    <strong>{i === 0 ? range(1, 1) : range(row.speedup, row.speedup)}</strong>
                  </td>
                  <td class="number">{seconds(row.predicted_time_s)}</td>
                  <td class="number">{seconds(row.typical_time_s)}</td>
                  <td>{row.bound_by || NONE}</td>
                  <td class="number">{number(scaled(row.ridge, units.value))}</td>
                  <td class="number">{rate(row.peak, unitsIn(units.value, row.compute))}</td>
                  <td class="number">{si(row.bandwidth, 'B/s')}</td>
                  <td>
                    {row.compute ? formatName(row.compute) : NONE}
                    {row.fallback && <span class="muted"> (fallback)</span>}
                  </td>
                  <td>
                    {i > 0 && !all && (
                      <IconButton
                        icon="close"
                        label={`Remove ${row.name}`}
                        class="ghost small"
                        onClick={() => set(chosen.filter(item => item !== option(i)))}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ClipBox>
      </div>
    </div>
  );
}

const colourOf = (palette: Palette, i: number) => (i === 0 ? palette.ink : seriesColour(palette, i - 1));
const variableOf = (i: number) => (i === 0 ? 'var(--ink)' : seriesVariable(i - 1));

function drawRoofs(surface: Surface, rows: Row[]) {
  const known = rows
    .map((row, i) => ({ ...row, i }))
    .filter(({ peak, bandwidth }) => peak !== null && bandwidth !== null);
  if (known.length === 0) return;
  const { palette } = surface;
  const { scale, intensity, rate: rateUnit } = units.value;
  const plane = planeOf(
    aroundOf(
      known.map(({ ridge }) => ridge!),
      `Intensity (${intensity})`,
      scale,
    ),
    aroundOf(
      known.map(({ peak }) => peak!),
      `Performance (${rateUnit})`,
      scale,
    ),
    plotBox(surface),
  );
  const { box, x, y } = plane;
  drawAxes(surface, plane);
  surface.clip(box, () => {
    const labels: Name[] = [];
    for (const { i, peak, bandwidth, ridge, name, speedup } of known) {
      const colour = colourOf(palette, i);
      const [cornerX, cornerY] = [x.pixel(ridge!), y.pixel(peak!)];
      const few = known.length <= NAMED;
      surface.path(
        path => {
          path.moveTo(box.left, y.pixel(bandwidth! * x.axis.low));
          path.lineTo(cornerX, cornerY);
          path.lineTo(box.right, cornerY);
        },
        { stroke: colour, width: i === 0 ? 2.5 : few ? 1.5 : 1, opacity: i === 0 || few ? 1 : 0.7 },
      );
      drawKnot(surface, cornerX, cornerY, colour, 3);
      if (few || i === 0)
        labels.push({
          name,
          ridge: number(ridge! * scale),
          corner: { x: cornerX, y: cornerY },
          foot: { x: box.left, y: y.pixel(bandwidth! * x.axis.low) },
          colour,
          rank: i === 0 ? Infinity : (speedup ?? 0),
        });
    }
    drawNames(surface, plane, labels);
  });
}

interface Name {
  name: string;
  ridge: string;
  colour: string;
  rank: number;
  corner: { x: number; y: number };
  foot: { x: number; y: number }; // of the slope, at the left edge or below it
}

/** Labels roofs, the current machine first, then the fastest: above the roof, below it, or along its slope. Without room, the name is in the table only. */
function drawNames(surface: Surface, { box }: Plane, names: Name[]) {
  const lines = names.flatMap(({ corner, foot }) => [
    { x0: foot.x, y0: foot.y, x1: corner.x, y1: corner.y },
    { x0: corner.x, y0: corner.y, x1: box.right, y1: corner.y },
  ]);
  const room = new Room(box, [], lines);
  for (const { name, ridge, corner, foot, colour } of names.sort((a, b) => b.rank - a.rank)) {
    const style: TextStyle = { colour, weight: 500, halo: true, baseline: 'middle' };
    const text = `${name} · ${ridge}`;
    const width = surface.textWidth(text, style);
    const x = Math.min(corner.x + 6, box.right - 6 - width);
    const flat = room.take([upright(x, corner.y - 9, width), upright(x, corner.y + 9, width)]);
    if (flat) {
      surface.text(text, flat.x, flat.y, style);
      continue;
    }
    const slope = Math.hypot(corner.x - foot.x, corner.y - foot.y);
    const [dx, dy] = [(corner.x - foot.x) / slope, (corner.y - foot.y) / slope];
    const length = surface.textWidth(name, style);
    const along = room.take(
      Array.from({ length: Math.floor((slope - length) / 8) }, (_, i) => {
        const before = 16 + 8 * i + length / 2; // the corner
        return turned(corner.x - before * dx + 9 * dy, corner.y - before * dy - 9 * dx, length, dx, dy);
      }),
    );
    if (along) surface.text(name, along.x, along.y, { ...style, align: 'center', turn: Math.atan2(dy, dx) });
  }
}

/** Whole decades around every value. */
const aroundOf = (values: number[], title: string, factor: number): Axis => ({
  low: 10 ** (Math.floor(Math.log10(Math.min(...values))) - 1),
  high: 10 ** (Math.ceil(Math.log10(Math.max(...values))) + 0.5),
  log: true,
  title,
  factor,
});
