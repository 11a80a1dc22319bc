// Marks which curve is best along an axis.
import { count } from '../format';
import { drawGuide, drawLabel } from './curves';
import type { Plane } from './plane';
import { rect, type Surface } from './surface';

/** These curves are best from here to the next entry. */
interface Lead {
  from: number;
  winners: number[];
}

const LEAD_PX = 6;
const ALIKE = 0.005; // within this fraction of the best a curve counts as equally good

/** The best of some curves at each place; `value` is NaN where a curve does not count. */
export function leadsOf(
  xs: readonly number[],
  curves: number,
  value: (curve: number, i: number) => number,
  least: boolean,
): Lead[] {
  const leads: Lead[] = [];
  xs.forEach((from, i) => {
    const values = Array.from({ length: curves }, (_, curve) => value(curve, i));
    const known = values.filter(each => each > 0);
    const best = least ? Math.min(...known) : Math.max(...known);
    const winners = values.flatMap((each, curve) => (Math.abs(each - best) <= ALIKE * best ? [curve] : []));
    if (leads.at(-1)?.winners.join() !== winners.join()) leads.push({ from, winners });
  });
  return leads;
}

const BESIDE_PX = 3;

/**
 * A band at the bottom of the plane in the winner's colour (`colours`: of each curve), several winners one under the other, with each change named. `beside`: a thin
 * pale band over it instead, without names.
 */
export function drawLeads(
  surface: Surface,
  plane: Plane,
  leads: readonly Lead[],
  end: number,
  colours: readonly string[],
  beside = false,
) {
  const { box, x } = plane;
  const bottom = beside ? box.bottom - LEAD_PX - 1 : box.bottom;
  const band = beside ? BESIDE_PX : LEAD_PX;
  leads.forEach(({ from, winners }, i) => {
    const [left, right] = [x.pixel(from), x.pixel(leads[i + 1]?.from ?? end)];
    const height = band / winners.length;
    winners.forEach((winner, rank) => {
      const top = bottom - band + rank * height;
      rect(
        surface,
        { left, top, right, bottom: top + height },
        { fill: colours[winner]!, ...(beside && { opacity: 0.5 }) },
      );
    });
    if (!beside && i > 0 && winners.length > 0) {
      drawGuide(surface, plane, from);
      drawLabel(surface, plane, count(from), left + LABEL_GAP_PX, labelY(plane), surface.palette.ink);
    }
  });
}

const LABEL_GAP_PX = 4;
const LINE_PX = 13;
const labelY = ({ box }: Plane) => box.bottom - LEAD_PX - BESIDE_PX - 5;

/** Says what the bands are, over the widest part between two changes. */
export function drawLeadsKey(
  surface: Surface,
  plane: Plane,
  leads: readonly Pick<Lead, 'from'>[],
  end: number,
  text: string,
) {
  const parts = leads.map(({ from }, i) => ({
    left: plane.x.pixel(from),
    right: plane.x.pixel(leads[i + 1]?.from ?? end),
    label: i > 0 ? count(from) : '',
  }));
  const { left, label } = parts.reduce((widest, part) =>
    part.right - part.left > widest.right - widest.left ? part : widest,
  );
  const beside = label ? surface.textWidth(label) + 3 * LABEL_GAP_PX : 0;
  const x = left + LABEL_GAP_PX + beside;
  const hasRoom = x + surface.textWidth(text) <= plane.box.right; // else it is above the names of the changes
  drawLabel(surface, plane, text, x, labelY(plane) - (hasRoom ? 0 : LINE_PX), surface.palette.muted);
}
