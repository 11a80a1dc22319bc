// The colours of plots, read from the stylesheet.
import type { RoofJson } from '../../../wasm/session';
import { STATUSES, type StatusName } from '../protocol';

export interface Palette {
  surface: string;
  ink: string;
  muted: string;
  grid: string;
  gridMinor: string;
  roof: string;
  whatif: string;
  accent: string;
  density: string;
  pale: string; // mixed into the colour of operations near their bound
  error: string;
  font: string;
  status: Record<StatusName, string>;
  series: string[]; // to tell curves apart
  ramp: string[]; // from little to much
}

const known = new Map<string, Palette>();

/** The palette of a theme, whichever is in force. */
export function paletteOf(theme: 'light' | 'dark'): Palette {
  const { dataset } = document.documentElement;
  let palette = known.get(theme);
  if (!palette) {
    const now = dataset.theme;
    dataset.theme = theme; // restored before the next refresh of the screen
    known.set(theme, (palette = fromStyle(getComputedStyle(document.body))));
    if (now) dataset.theme = now;
  }
  return palette;
}

/** The palette of the theme in force. */
export const readPalette = () => paletteOf(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');

function fromStyle(style: CSSStyleDeclaration): Palette {
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const numbered = (name: string, count: number) => Array.from({ length: count }, (_, i) => of(`${name}-${i + 1}`));
  return {
    surface: of('surface'),
    ink: of('ink'),
    muted: of('muted'),
    grid: of('grid'),
    gridMinor: of('grid-minor'),
    roof: of('roof'),
    whatif: of('whatif'),
    accent: of('accent'),
    density: of('density'),
    pale: of('pale'),
    error: of('error'),
    font: style.fontFamily,
    status: Object.fromEntries(STATUSES.map(status => [status, of(`status-${status}`)])) as Record<StatusName, string>,
    series: numbered('series', SERIES),
    ramp: numbered('ramp', 5),
  };
}

const SERIES = 8;

/** The colour of the i-th curve. */
export const seriesColour = ({ series }: Palette, i: number) => series[i % SERIES]!;
/** The same for HTML. */
export const seriesVariable = (i: number) => `var(--series-${(i % SERIES) + 1})`;

/** Assigns colour numbers to curves: a curve keeps its number while it is shown; a new one takes the lowest free number. */
export class CurveColours {
  private numbers = new Map<string, number>();

  of(names: readonly string[]): number[] {
    const kept = new Map<string, number>();
    for (const name of names) if (this.numbers.has(name)) kept.set(name, this.numbers.get(name)!);
    const used = new Set(kept.values());
    for (const name of names) {
      if (kept.has(name)) continue;
      let free = 0;
      while (used.has(free)) ++free;
      kept.set(name, free);
      used.add(free);
    }
    this.numbers = kept;
    return names.map(name => kept.get(name)!);
  }
}

/** The colour of a roof: that of its resource. */
export const roofColour = ({ status, whatif }: Palette, roof: RoofJson) =>
  roof.whatif
    ? whatif
    : status[roof.kind === 'compute' ? 'compute-bound' : roof.kind === 'link' ? 'link-bound' : 'memory-bound'];

/** The status that has the colour of a limit: a resource by its name, "compute", any "link" or "neither"; all else is not known. */
export function limitStatus(name: string | null | undefined, roofs: RoofJson[]): StatusName {
  if (!name || name === 'none') return 'unknown';
  if (name === 'neither') return 'memory-inefficient';
  if (name === 'compute') return 'compute-bound';
  const isLink = name === 'link' || roofs.some(roof => roof.name === name && roof.kind === 'link');
  return isLink ? 'link-bound' : 'memory-bound';
}

/** The colour of a limit. */
export const limitColour = ({ status }: Palette, name: string | null | undefined, roofs: RoofJson[]) =>
  status[limitStatus(name, roofs)];
/** The same for HTML. */
export const limitVariable = (name: string | null | undefined, roofs: RoofJson[]) =>
  `var(--status-${limitStatus(name, roofs)})`;

/** The colour of a status, for HTML. */
export const statusVariable = (status: StatusName) => `var(--status-${status})`;
