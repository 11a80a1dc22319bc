// The surface of SVG files.
import type { Palette } from './palette';
import {
  DEFAULT_SIZE,
  type Box,
  type Embedded,
  type Paint,
  type Path,
  type Stamp,
  type Surface,
  type TextStyle,
} from './surface';

const ANCHORS = { left: 'start', center: 'middle', right: 'end' } as const;
const SHIFTS = { alphabetic: 0, middle: 0.35, top: 0.8 } as const; // em: not every viewer knows dominant-baseline

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const digits = (value: number) => String(Number(value.toFixed(2)));
const attributes = (values: Record<string, string | number | false | undefined>) =>
  Object.entries(values)
    .map(([name, value]) =>
      value === undefined || value === false
        ? ''
        : ` ${name}="${typeof value === 'number' ? digits(value) : escaped(value)}"`,
    )
    .join('');

/** Collects the elements of an SVG document. */
export class SvgSurface implements Surface {
  private readonly ruler = document.createElement('canvas').getContext('2d')!;

  constructor(
    readonly width: number,
    readonly height: number,
    readonly palette: Palette,
    private readonly elements: string[] = [], // of the document, in their order
  ) {}

  path(trace: (path: Path) => void, { fill, stroke, width = 1, dash, opacity, title }: Paint) {
    let d = '';
    trace({
      moveTo: (x, y) => (d += `M${digits(x)} ${digits(y)}`),
      lineTo: (x, y) => (d += `L${digits(x)} ${digits(y)}`),
      circle: (x, y, radius) => {
        const [r, middle] = [digits(radius), digits(y)];
        d += `M${digits(x + radius)} ${middle}A${r} ${r} 0 1 1 ${digits(x - radius)} ${middle}A${r} ${r} 0 1 1 ${digits(x + radius)} ${middle}Z`;
      },
      close: () => (d += 'Z'),
    });
    const own = attributes({
      fill: fill ?? 'none',
      stroke,
      'stroke-width': stroke && width !== 1 ? width : undefined,
      'stroke-dasharray': dash?.join(' '),
      opacity,
    });
    this.elements.push(
      title === undefined ? `<path d="${d}"${own}/>` : `<path d="${d}"${own}><title>${escaped(title)}</title></path>`,
    );
  }

  text(text: string, x: number, y: number, style: TextStyle = {}) {
    const { size = DEFAULT_SIZE, align = 'left', baseline = 'alphabetic' } = style;
    const own = attributes({
      x,
      y,
      dy: SHIFTS[baseline] * size || undefined,
      fill: style.colour ?? this.palette.ink,
      'font-size': size,
      'font-weight': style.weight,
      'text-anchor': align !== 'left' && ANCHORS[align],
      transform: style.turn ? `rotate(${digits((style.turn * 180) / Math.PI)} ${digits(x)} ${digits(y)})` : undefined,
      ...(style.halo && {
        'paint-order': 'stroke',
        stroke: this.palette.surface,
        'stroke-width': 4,
        'stroke-linejoin': 'round',
      }),
    });
    this.elements.push(`<text${own}>${escaped(text)}</text>`);
  }

  textWidth(text: string, { weight = 400, size = DEFAULT_SIZE }: TextStyle = {}) {
    this.ruler.font = `${weight} ${size}px ${this.palette.font}`;
    return this.ruler.measureText(text).width;
  }

  image(image: HTMLCanvasElement | Embedded, { left, top, right, bottom }: Box) {
    const place = attributes({ x: left, y: top, width: right - left, height: bottom - top });
    if ('svg' in image) {
      const own = image.svg.cloneNode(true) as SVGSVGElement;
      for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top }))
        own.setAttribute(name, digits(value));
      this.elements.push(new XMLSerializer().serializeToString(own));
      return;
    }
    this.elements.push(`<image${place} preserveAspectRatio="none" href="${image.toDataURL('image/png')}"/>`);
  }

  stamps(stamps: readonly Stamp[]) {
    for (const { paint, x, y, title } of stamps) {
      if (title !== undefined) this.elements.push(`<g><title>${escaped(title)}</title>`);
      paint(this, x, y);
      if (title !== undefined) this.elements.push('</g>');
    }
  }

  clip({ left, top, right, bottom }: Box, draw: () => void) {
    const id = `clip${this.elements.length}`;
    const box = attributes({ x: left, y: top, width: right - left, height: bottom - top });
    this.elements.push(`<clipPath id="${id}"><rect${box}/></clipPath><g clip-path="url(#${id})">`);
    draw();
    this.elements.push('</g>');
  }

  part({ left, top, right, bottom }: Box, draw: (surface: Surface) => void) {
    this.elements.push(`<g transform="translate(${digits(left)} ${digits(top)})">`);
    draw(new SvgSurface(right - left, bottom - top, this.palette, this.elements));
    this.elements.push('</g>');
  }

  /** The whole document. */
  document() {
    const { width, height, palette } = this;
    const size = attributes({
      viewBox: `0 0 ${digits(width)} ${digits(height)}`,
      width,
      height,
      'font-family': palette.font,
      'stroke-linejoin': 'round',
    });
    return `<svg xmlns="http://www.w3.org/2000/svg"${size}>\n<rect width="100%" height="100%" fill="${palette.surface}"/>\n${this.elements.join('\n')}\n</svg>\n`;
  }
}
