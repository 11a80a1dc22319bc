// Marker outlines, for the canvas and for the symbols in lists. Equal sizes have equal areas.
import type { SymbolName } from '../../../wasm/session';
import type { Path } from './surface';

type Points = readonly (readonly [number, number])[];

/** A regular star or polygon: radii alternate; its area is scaled to that of the unit circle. */
function spiked(corners: number, outer: number, inner: number, turn = -Math.PI / 2): Points {
  const points = Array.from({ length: corners }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / corners;
    const radius = i % 2 ? inner : outer;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
  });
  return unitArea(points);
}

function unitArea(points: Points): Points {
  let area = 0;
  for (const [i, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(i + 1) % points.length]!;
    area += (x * nextY - nextX * y) / 2;
  }
  const factor = Math.sqrt(Math.PI / Math.abs(area));
  return points.map(([x, y]) => [x * factor, y * factor] as const);
}

const arm = 0.32;
const plus: Points = unitArea([
  [-arm, -1], [arm, -1], [arm, -arm], [1, -arm], [1, arm], [arm, arm], [arm, 1], [-arm, 1], [-arm, arm], [-1, arm], [-1, -arm], [-arm, -arm],
]);
const turned = plus.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2] as const);

const OUTLINES: Record<Exclude<SymbolName, 'circle'>, Points> = {
  square: spiked(4, 1, 1, -Math.PI / 4),
  triangle: spiked(3, 1, 1),
  diamond: spiked(4, 1, 1),
  star: spiked(10, 1, 0.45),
  cross: plus,
  x: turned,
};

/** Adds a marker's outline to a path. */
export function outline(path: Path, symbol: SymbolName, x: number, y: number, radius: number) {
  if (symbol === 'circle') return path.circle(x, y, radius);
  OUTLINES[symbol].forEach(([dx, dy], i) => (i === 0 ? path.moveTo(x + dx * radius, y + dy * radius) : path.lineTo(x + dx * radius, y + dy * radius)));
  path.close();
}

/** The same outline as SVG path data, centred on the origin. */
export function pathData(symbol: SymbolName, radius: number) {
  if (symbol === 'circle') return `M${radius} 0A${radius} ${radius} 0 1 1 ${-radius} 0A${radius} ${radius} 0 1 1 ${radius} 0Z`;
  return `M${OUTLINES[symbol].map(([x, y]) => `${(x * radius).toFixed(2)} ${(y * radius).toFixed(2)}`).join('L')}Z`;
}
