// Marker outlines, for the canvas and for the symbols in lists. Equal sizes have equal areas.
import { MARKER_OUTLINES, type SymbolName } from '../protocol';
import type { Path } from './surface';

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
