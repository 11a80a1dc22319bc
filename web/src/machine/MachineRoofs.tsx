// The roofs of several machines with their ridge points in one chart.
import { number } from '../format';
import { drawAxes, plotBox } from '../plot/axes';
import { drawKnot } from '../plot/curves';
import { seriesColour, type Palette } from '../plot/palette';
import { planeOf, type Axis, type Plane } from '../plot/plane';
import { Plot } from '../plot/Plot';
import { Room, turned, upright } from '../plot/room';
import type { Surface, TextStyle } from '../plot/surface';
import { formatName } from '../core/catalogue';
import { units } from '../core/engine';
import { viewState } from '../core/view';
import { comparedMachines, USUAL, useMachines, type MachineRow } from './compared';
import { MachineList, WrongList } from './MachineList';

const NAMED = 9; // up to this many roofs are labelled and drawn thick

/** A few usual machines, or those of the list. */
export function MachineRoofs() {
  const few = viewState.value.machines === undefined;
  const compared = comparedMachines();
  const answer = useMachines(compared.request, false);
  if (answer && 'error' in answer) return <WrongList message={answer.error.message} />;
  const { rows = [] } = answer?.json ?? {};
  // All have the answer's headline; only a few have room.
  const usual = USUAL.filter(id => id !== rows[0]?.id);
  const drawn = few ? rows.filter(({ id }, i) => i === 0 || usual.includes(id)) : rows;
  return (
    <div class="machines-view">
      <MachineList compared={few ? { ...compared, chosen: usual } : compared} rows={rows} listed={drawn} />
      <div class="plot-frame">
        <Plot label="Roofs of the machines" draw={surface => drawRoofs(surface, drawn, rows[0]?.compute)} />
      </div>
    </div>
  );
}

const colourOf = (palette: Palette, i: number) => (i === 0 ? palette.ink : seriesColour(palette, i - 1));

function drawRoofs(surface: Surface, rows: MachineRow[], compute: string | null = null) {
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
      `Performance${compute ? ` in ${formatName(compute)}` : ''} (${rateUnit})`,
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
