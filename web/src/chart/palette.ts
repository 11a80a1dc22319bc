// The chart's colours, from the stylesheet.
import type { RoofJson } from '../../../wasm/session';
import { STATUSES, type StatusName } from '../protocol';

export interface Palette {
  surface: string; ink: string; muted: string; grid: string; gridMinor: string; roof: string; whatif: string; accent: string; density: string;
  font: string;
  status: Record<StatusName, string>;
}

let known: { theme: string; palette: Palette } | null = null;

export function readPalette(): Palette {
  const theme = document.documentElement.dataset.theme ?? '';
  if (known?.theme !== theme) known = { theme, palette: fromStyle(getComputedStyle(document.body)) };
  return known.palette;
}

function fromStyle(style: CSSStyleDeclaration): Palette {
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    surface: of('surface'), ink: of('ink'), muted: of('muted'), grid: of('grid'), gridMinor: of('grid-minor'), roof: of('roof'),
    whatif: of('whatif'), accent: of('accent'), density: of('density'), font: style.fontFamily,
    status: Object.fromEntries(STATUSES.map(status => [status, of(`status-${status}`)])) as Record<StatusName, string>,
  };
}

/// A predicted op has the colour of what bounds it.
export function boundStatus(resource: string | undefined, roofs: RoofJson[]): StatusName {
  if (resource === undefined) return 'unknown';
  if (resource === 'compute') return 'compute-bound';
  return roofs.some(({ name, kind }) => name === resource && kind === 'link') ? 'link-bound' : 'memory-bound';
}
