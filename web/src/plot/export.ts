// The plot that is shown as a file of its own: what is open and what was found, and the plot below.
import { useEffect, useRef } from 'preact/hooks';
import { panelFrame } from '../state/engine';
import { surfaceOf } from './canvas';
import { readPalette } from './palette';
import { drawRoofline } from './roofline/picture';
import { fitted, wrapped, type Surface } from './surface';
import { SvgSurface } from './svg';

type Draw = (surface: Surface) => void;

let shown: Draw | null = null;

/** Makes a view's plot the one that is exported, as long as the view is there. */
export function useExport(draw: Draw) {
  const newest = useRef(draw);
  newest.current = draw;
  useEffect(() => {
    const own: Draw = surface => newest.current(surface);
    shown = own;
    return () => {
      if (shown === own) shown = null;
    };
  }, []);
}

const WIDTH = 1000;
const HEIGHT = 700;
const MARGIN = 16;
const LINE = 18;
const PNG_RATIO = 2;

/** The view's plot; the roofline where a view has none of ours. */
function drawPage(surface: Surface, names: ReadonlyMap<number, string>) {
  const { width, height } = surface;
  const { source, headline } = panelFrame.value!.json;
  const title = { size: 15, weight: 600 },
    text = { size: 13 };
  surface.text(fitted(surface, source, width - 2 * MARGIN, title), MARGIN, 24, title);
  const lines = wrapped(surface, headline, width - 2 * MARGIN, text);
  lines.forEach((line, i) => surface.text(line, MARGIN, 44 + LINE * i, text));
  surface.part(
    { left: 0, top: 38 + LINE * lines.length, right: width, bottom: height },
    shown ?? (part => drawRoofline(part, names)),
  );
}

/** The plot as PNG, at twice the size. */
export function plotPng(): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  drawPage(surfaceOf(canvas, WIDTH, HEIGHT, readPalette(), PNG_RATIO), new Map());
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}

/** The plot as SVG; points of the roofline carry the names that are known. */
export function plotSvg(names: ReadonlyMap<number, string>): string {
  const surface = new SvgSurface(WIDTH, HEIGHT, readPalette());
  drawPage(surface, names);
  return surface.document();
}
