// The same work on several machines: their roofs in one chart with the ridge points, and a table beside it.
import type { MachinesJson } from '../../../wasm/session';
import { NONE, number, range, rate, scaled, seconds, si, unitsIn } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { drawKnot, drawLabel } from '../plot/curves';
import { seriesColour, seriesVariable, type Palette } from '../plot/palette';
import { planeOf, type Axis, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { overlaps, type Box, type Surface } from '../plot/surface';
import { useAnswer } from '../state/ask';
import { formatName } from '../state/catalogue';
import { panelFrame, units, type Machine } from '../state/engine';
import { isMachine } from '../state/link';
import { chooseMachineOption, isMine, machineOptions, myMachines, optionOf } from '../state/machines';
import { chooseMachine } from '../state/settings';
import { changeView, selected, viewState } from '../state/view';
import { Choice } from '../widgets/Choice';
import { Combobox } from '../widgets/Combobox';
import { IconButton } from '../widgets/IconButton';

type Row = MachinesJson['rows'][number];

const USUAL = ['h100-sxm', 'a100-80gb-sxm', 'l4', 'rtx-4090', 'mi300x', 'jetson-orin-nano'];
const NAMED = 9; // beyond, lines are thin and only the hovered table row is named

/** The machines' roofs and their table. */
export function Machines() {
  const chosen = viewState.value.machines ?? USUAL;
  const all = chosen === 'all';
  const op = selected.value;
  // One's own go as files: the core knows no other browser's machines. A link that names one which is not here leaves it out.
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
          Back to the usual ones
        </button>
      </p>
    );
  const rows = answer?.json.rows ?? [];
  // As `chosen` has them. The machine in force comes first, then files, one's own, and presets.
  const option = (i: number) => files[i - 1] ?? (i <= own.length ? optionOf(rows[i]!.id) : rows[i]!.id);
  const take = (item: string | object) =>
    typeof item === 'string' ? chooseMachineOption(item) : chooseMachine(item as Machine);
  const name = panelFrame.value?.json.table.rows.find(({ index }) => index === op)?.name;
  return (
    <div class="machines-view">
      <div class="sweep-bar">
        <Choice
          label="Machines"
          value={all ? 'all' : 'some'}
          options={[
            ['some', 'Chosen'],
            ['all', 'Every machine'],
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
        <span class="muted">{name === undefined ? 'All operations together' : `Of ${name}`}</span>
      </div>
      <div class="machines-split">
        <div class="plot-frame">
          <Plot label="Roofs of the machines" draw={surface => drawRoofs(surface, rows)} />
        </div>
        <div class="comparison" tabIndex={0} aria-label="Machines side by side">
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
                  Typical
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
                      <button type="button" class="link" title="Take this machine" onClick={() => take(option(i))}>
                        {row.name}
                      </button>
                    )}
                  </th>
                  <td class="number">
                    <strong>{i === 0 ? '1.0×' : range(row.speedup, row.speedup)}</strong>
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
        </div>
      </div>
    </div>
  );
}

const LABEL_PX = 13;

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

/** The machine in force first, then the fastest; over the roof, under it, or, without the ridge point, along its slope. Where all of that is taken, the table alone has the name. */
function drawNames(surface: Surface, plane: Plane, names: Name[]) {
  const { box } = plane;
  const taken: Box[] = [];
  const free = (places: Box[]) => {
    const isFree = !places.some(place => taken.some(other => overlaps(place, other)));
    if (isFree) taken.push(...places);
    return isFree;
  };
  for (const { name, ridge, corner, foot, colour } of names.sort((a, b) => b.rank - a.rank)) {
    const text = `${name} · ${ridge}`;
    const width = surface.textWidth(text);
    const right = Math.min(corner.x + 6 + width, box.right - 4);
    const flat = [corner.y - 5, corner.y + LABEL_PX].find(y =>
      free([{ left: right - width, right, top: y - LABEL_PX, bottom: y }]),
    );
    if (flat !== undefined) {
      drawLabel(surface, plane, text, corner.x + 6, flat, colour);
      continue;
    }
    const length = surface.textWidth(name);
    const turn = Math.atan2(corner.y - foot.y, corner.x - foot.x);
    const [across, down] = [Math.cos(turn), Math.sin(turn)];
    for (let before = 16; ; before += 8) {
      // Above the line, and so far before its corner.
      const x = corner.x - (length + before) * across + 5 * down;
      const y = corner.y - (length + before) * down - 5 * across;
      if (x < box.left + 4 || y > box.bottom - 4) break;
      const parts = Array.from({ length: Math.ceil(length / LABEL_PX) }, (_, i) => ({
        left: x + i * LABEL_PX * across - 2,
        right: x + (i + 1) * LABEL_PX * across + 2,
        top: y + (i + 1) * LABEL_PX * down - LABEL_PX,
        bottom: y + i * LABEL_PX * down,
      }));
      if (!free(parts)) continue;
      surface.text(name, x, y, { colour, weight: 500, halo: true, turn });
      break;
    }
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
