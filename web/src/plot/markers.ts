// Marker outlines, for the canvas and for the symbols in lists. Equal sizes have equal areas.
import { MARKER_OUTLINES, type SymbolName } from '../protocol';
import { line, type Path, type Surface } from './surface';

/** Adds a marker's outline to a path. */
export function outline(path: Path, symbol: SymbolName, x: number, y: number, radius: number) {
  if (symbol === 'circle') return path.circle(x, y, radius);
  MARKER_OUTLINES[symbol].forEach(([dx, dy], i) =>
    i === 0 ? path.moveTo(x + dx * radius, y + dy * radius) : path.lineTo(x + dx * radius, y + dy * radius),
  );
  path.close();
}

/** The same outline as SVG path data, centred on the origin. */
export function pathData(symbol: SymbolName, radius: number) {
  if (symbol === 'circle')
    return `M${radius} 0A${radius} ${radius} 0 1 1 ${-radius} 0A${radius} ${radius} 0 1 1 ${radius} 0Z`;
  return `M${MARKER_OUTLINES[symbol].map(([x, y]) => `${(x * radius).toFixed(2)} ${(y * radius).toFixed(2)}`).join('L')}Z`;
}

/** Diagonals over a marker above its roof. */
export function paintHatch(
  surface: Surface,
  x: number,
  y: number,
  radius: number,
  colour: string,
  trace: (path: Path) => void,
) {
  const reach = radius * 0.7;
  for (const shift of [-reach, 0, reach]) {
    const length = (reach - Math.abs(shift) / 2) * 0.9;
    const [atX, atY] = [x + shift / 2, y + shift / 2];
    line(surface, atX - length, atY + length, atX + length, atY - length, { stroke: colour });
  }
  surface.path(trace, { stroke: colour, width: 1.5 });
}
