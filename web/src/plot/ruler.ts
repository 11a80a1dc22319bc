// Widths of texts on the page.
import { readPalette } from './palette';

let ruler: CanvasRenderingContext2D | null = null;

/** In pixels, at a size in pixels. */
export function textWidth(text: string, size: number) {
  ruler ??= document.createElement('canvas').getContext('2d')!;
  ruler.font = `${size}px ${readPalette().font}`;
  return ruler.measureText(text).width;
}
