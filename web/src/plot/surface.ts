// The drawing interface of plots, implemented for canvas and for SVG, so that files match the screen. Units are CSS pixels.
import type { Palette } from './palette';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Collects an outline. */
export interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  circle(x: number, y: number, radius: number): void;
  close(): void;
}

export interface Paint {
  fill?: string;
  stroke?: string;
  width?: number; // of the stroke; 1 where it is absent
  dash?: readonly number[];
  opacity?: number;
  title?: string; // shown by viewers of SVG when pointed at
}

export interface TextStyle {
  colour?: string; // ink where it is absent
  size?: number; // 11 where it is absent
  weight?: number;
  align?: 'left' | 'center' | 'right';
  baseline?: 'alphabetic' | 'middle' | 'top';
  halo?: boolean; // stays readable over points and lines
  turn?: number; // radians, clockwise
}

/** A small drawing that occurs many times; equal keys mean equal drawings. */
export interface Stamp {
  key: string;
  size: number; // of the square that holds it
  paint: (surface: Surface, x: number, y: number) => void;
  x: number;
  y: number;
  title?: string;
}

/** A picture made by another library. */
export interface Embedded {
  svg: SVGSVGElement;
  image: HTMLImageElement; // the same, loaded
}

export interface Surface {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  path(trace: (path: Path) => void, paint: Paint): void;
  text(text: string, x: number, y: number, style?: TextStyle): void;
  textWidth(text: string, style?: TextStyle): number;
  image(image: HTMLCanvasElement | Embedded, box: Box): void;
  stamps(stamps: readonly Stamp[]): void;
  /** Draws with everything outside the box left out. */
  clip(box: Box, draw: () => void): void;
  /** Draws on a part, with its own origin and size. */
  part(box: Box, draw: (surface: Surface) => void): void;
}

export const DEFAULT_SIZE = 11;

/** A straight line. */
export function line(surface: Surface, x0: number, y0: number, x1: number, y1: number, paint: Paint) {
  surface.path(path => {
    path.moveTo(x0, y0);
    path.lineTo(x1, y1);
  }, paint);
}

/** A circle. */
export const circle = (surface: Surface, x: number, y: number, radius: number, paint: Paint) =>
  surface.path(path => path.circle(x, y, radius), paint);

/** A rectangle. */
export function rect(surface: Surface, { left, top, right, bottom }: Box, paint: Paint) {
  surface.path(path => {
    path.moveTo(left, top);
    path.lineTo(right, top);
    path.lineTo(right, bottom);
    path.lineTo(left, bottom);
    path.close();
  }, paint);
}

/** Where a line of one pixel is sharp. */
export const crisp = (pixel: number) => Math.round(pixel) + 0.5;

/** Whether two boxes share a pixel. */
export const overlaps = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** A text cut to a width, the middle left out: kernels' names differ at their ends. */
export function fitted(surface: Surface, text: string, width: number, style?: TextStyle) {
  const whole = surface.textWidth(text, style);
  if (whole <= width) return text;
  for (let keep = Math.max(2, Math.floor((text.length * width) / whole) - 1); keep > 2; --keep) {
    const cut = `${text.slice(0, Math.ceil(keep / 2))}…${text.slice(text.length - Math.floor(keep / 2))}`;
    if (surface.textWidth(cut, style) <= width) return cut;
  }
  return '…';
}

/** A text in lines of a width. */
export function wrapped(surface: Surface, text: string, width: number, style?: TextStyle): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && surface.textWidth(longer, style) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
