// The surface of the screen and of PNG files.
import type { Palette } from './palette';
import { makeSprite, SpriteLayer, type Sprite } from './sprites';
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

const layer = new SpriteLayer();
const sprites = new Map<string, Sprite>();
let spritesFor: { palette: Palette; ratio: number } | null = null;

/** A drawing as pixels, made once for each palette and ratio. */
function spriteOf({ key, size, paint }: Stamp, palette: Palette, ratio: number) {
  if (spritesFor?.palette !== palette || spritesFor.ratio !== ratio) {
    sprites.clear();
    spritesFor = { palette, ratio };
  }
  let sprite = sprites.get(key);
  if (!sprite) {
    sprite = makeSprite(size, ratio, (ctx, middle) =>
      paint(new CanvasSurface(ctx, size, size, palette, ratio), middle, middle),
    );
    sprites.set(key, sprite);
  }
  return sprite;
}

/** Draws on a canvas whose transform maps the surface's pixels to the device's. */
class CanvasSurface implements Surface {
  private readonly outline: Path;

  constructor(
    private readonly ctx: CanvasRenderingContext2D,
    readonly width: number,
    readonly height: number,
    readonly palette: Palette,
    private readonly ratio: number, // device pixels per pixel
  ) {
    ctx.lineJoin = 'round';
    this.outline = {
      moveTo: (x, y) => ctx.moveTo(x, y),
      lineTo: (x, y) => ctx.lineTo(x, y),
      circle: (x, y, radius) => {
        ctx.moveTo(x + radius, y);
        ctx.arc(x, y, radius, 0, 2 * Math.PI);
      },
      close: () => ctx.closePath(),
    };
  }

  path(trace: (path: Path) => void, { fill, stroke, width = 1, dash, opacity = 1 }: Paint) {
    const { ctx } = this;
    ctx.beginPath();
    trace(this.outline);
    ctx.globalAlpha = opacity;
    if (fill) {
      ctx.fillStyle = fill;
      ctx.fill();
    }
    if (stroke) {
      ctx.strokeStyle = stroke;
      ctx.lineWidth = width;
      if (dash) ctx.setLineDash(dash as number[]);
      ctx.stroke();
      if (dash) ctx.setLineDash([]);
    }
    ctx.globalAlpha = 1;
  }

  text(text: string, x: number, y: number, style: TextStyle = {}) {
    const { ctx, palette } = this;
    this.setFont(style);
    ctx.textAlign = style.align ?? 'left';
    ctx.textBaseline = style.baseline ?? 'alphabetic';
    if (style.turn) {
      ctx.save();
      ctx.translate(x, y);
      ctx.rotate(style.turn);
      [x, y] = [0, 0];
    }
    if (style.halo) {
      ctx.strokeStyle = palette.surface;
      ctx.lineWidth = 4;
      ctx.strokeText(text, x, y);
    }
    ctx.fillStyle = style.colour ?? palette.ink;
    ctx.fillText(text, x, y);
    if (style.turn) ctx.restore();
  }

  textWidth(text: string, style: TextStyle = {}) {
    this.setFont(style);
    return this.ctx.measureText(text).width;
  }

  image(image: HTMLCanvasElement | Embedded, { left, top, right, bottom }: Box) {
    this.ctx.drawImage('svg' in image ? image.image : image, left, top, right - left, bottom - top);
  }

  stamps(stamps: readonly Stamp[]) {
    const { ratio, palette } = this;
    layer.start(Math.round(this.width * ratio), Math.round(this.height * ratio));
    for (const stamp of stamps) layer.add(spriteOf(stamp, palette, ratio), stamp.x * ratio, stamp.y * ratio);
    layer.draw(this.ctx);
  }

  clip({ left, top, right, bottom }: Box, draw: () => void) {
    const { ctx } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, right - left, bottom - top);
    ctx.clip();
    draw();
    ctx.restore();
  }

  part({ left, top, right, bottom }: Box, draw: (surface: Surface) => void) {
    const { ctx, palette, ratio } = this;
    ctx.save();
    ctx.translate(left, top);
    draw(new CanvasSurface(ctx, right - left, bottom - top, palette, ratio));
    ctx.restore();
  }

  private setFont({ weight = 400, size = DEFAULT_SIZE }: TextStyle) {
    this.ctx.font = `${weight} ${size}px ${this.palette.font}`;
  }
}

/** A surface over a whole canvas, which gets the size and the background. */
export function surfaceOf(canvas: HTMLCanvasElement, width: number, height: number, palette: Palette, ratio: number) {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const ctx = canvas.getContext('2d')!;
  ctx.resetTransform(); // device pixels, so that clearing leaves no partial pixel
  ctx.fillStyle = palette.surface;
  ctx.clearRect(0, 0, across, down);
  ctx.fillRect(0, 0, across, down);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return new CanvasSurface(ctx, width, height, palette, ratio);
}
