// Pictures as files: the same page drawn to SVG or to a canvas.
import { surfaceOf } from '../../plot/canvas';
import { paletteOf, type Palette } from '../../plot/palette';
import { SvgSurface } from '../../plot/svg';
import { layOut } from './page';

export const BACKGROUNDS = { light: 'light', dark: 'dark', transparent: 'transparent' } as const;
export type Background = keyof typeof BACKGROUNDS;

/** Sizes in CSS pixels; `ratio`: of a PNG's pixels. A column's type is that of a paper's captions, a slide's can be read from the last row. */
export const SIZES = {
  page: { label: 'page', width: 1000, height: 700, exact: false, ratio: 2 },
  column: { label: 'column of a paper', width: 420, height: 460, exact: false, ratio: 4 },
  slide: { label: 'slide, 16 : 9', width: 960, height: 540, exact: true, ratio: 2 },
} as const;
export type Size = keyof typeof SIZES;

interface PictureOptions {
  background: Background;
  size: Size;
}

/** Colours for a background. A transparent one paints no surfaces that only hide what is below them. */
function paletteFor(background: Background): Palette {
  return background === 'transparent' ? { ...paletteOf('light'), surface: 'transparent' } : paletteOf(background);
}

/** The view that is shown, as an SVG document. */
export async function pictureSvg({ background, size }: PictureOptions): Promise<Blob> {
  const { width, height, exact } = SIZES[size];
  const palette = paletteFor(background);
  const page = await layOut(width, height, exact, palette);
  const surface = new SvgSurface(page.width, page.height, palette);
  page.draw(surface);
  return new Blob([surface.document()], { type: 'image/svg+xml' });
}

/** The same as PNG. */
export async function picturePng({ background, size }: PictureOptions): Promise<Blob> {
  const { width, height, exact, ratio } = SIZES[size];
  const palette = paletteFor(background);
  const page = await layOut(width, height, exact, palette);
  const canvas = document.createElement('canvas');
  page.draw(surfaceOf(canvas, page.width, page.height, palette, ratio));
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      blob => (blob ? resolve(blob) : reject(new Error('The browser cannot make a picture of this size.'))),
      'image/png',
    ),
  );
}
