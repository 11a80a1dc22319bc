// Measures texts in the page's font.
import { readPalette } from './palette';

let ruler: CanvasRenderingContext2D | null = null;

/** The width of a text; both it and the font size are in pixels. */
export function textWidth(text: string, size: number) {
  ruler ??= document.createElement('canvas').getContext('2d')!;
  ruler.font = `${size}px ${readPalette().font}`;
  return ruler.measureText(text).width;
}
