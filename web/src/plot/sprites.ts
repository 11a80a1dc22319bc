// Draws many small pictures by copying their pixels into one layer: without a graphics card a thousand drawImage calls cost more than the
// rest of the chart.

/** RGBA as a canvas holds it, `width` to a row; its first pixel stands (left, top) of the sprite's middle. Device pixels. */
export interface Sprite {
  pixels: Uint32Array;
  width: number;
  height: number;
  left: number;
  top: number;
}

/** What `paint` draws around the middle of a square of `size` pixels, without the empty margin. */
export function makeSprite(
  size: number,
  ratio: number,
  paint: (ctx: CanvasRenderingContext2D, middle: number) => void,
): Sprite {
  const canvas = document.createElement('canvas');
  const side = (canvas.width = canvas.height = Math.round(size * ratio));
  const ctx = canvas.getContext('2d', { willReadFrequently: true })!;
  ctx.scale(ratio, ratio);
  ctx.lineJoin = 'round';
  paint(ctx, size / 2);
  const all = new Uint32Array(ctx.getImageData(0, 0, side, side).data.buffer);
  let [left, right, top, bottom] = [side, -1, side, -1];
  for (let at = 0; at < all.length; ++at) {
    if (all[at] === 0) continue;
    const x = at % side;
    const y = (at - x) / side;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    bottom = y;
  }
  const [width, height] = [Math.max(0, right - left + 1), Math.max(0, bottom - top + 1)];
  const { data } = width && height ? ctx.getImageData(left, top, width, height) : { data: new Uint8ClampedArray() };
  return { pixels: new Uint32Array(data.buffer), width, height, left: left - side / 2, top: top - side / 2 };
}

/** A picture of the canvas's size that sprites are copied into. */
export class SpriteLayer {
  private canvas = document.createElement('canvas');
  private image: ImageData | null = null;
  private pixels = new Uint32Array();
  private rows = { first: Infinity, end: 0 }; // that may have something in them

  /** Empties it, at that many device pixels. */
  start(width: number, height: number) {
    const { first, end } = this.rows;
    this.rows = { first: Infinity, end: 0 };
    if (this.image?.width === width && this.image.height === height)
      return void (end > first && this.pixels.fill(0, first * width, end * width));
    [this.canvas.width, this.canvas.height] = [width, height];
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  /** Puts the sprite's middle at (x, y), in device pixels. */
  add(sprite: Sprite, x: number, y: number) {
    const { width, height } = this.image!;
    const [left, top] = [Math.round(x + sprite.left), Math.round(y + sprite.top)];
    const [first, last] = [Math.max(0, -left), Math.min(sprite.width, width - left)];
    const [highest, lowest] = [Math.max(0, -top), Math.min(sprite.height, height - top)];
    this.rows.first = Math.min(this.rows.first, top + highest);
    this.rows.end = Math.max(this.rows.end, top + lowest);
    for (let row = highest; row < lowest; ++row) {
      const [from, to] = [row * sprite.width, (top + row) * width + left];
      for (let column = first; column < last; ++column) {
        const above = sprite.pixels[from + column]!;
        if (above >>> 24 === 0) continue;
        const below = this.pixels[to + column]!;
        this.pixels[to + column] = above >>> 24 === 255 || below === 0 ? above : over(above, below);
      }
    }
  }

  /** Draws the layer onto a canvas whose transform maps its first pixel to its place. */
  draw(ctx: CanvasRenderingContext2D) {
    this.canvas.getContext('2d')!.putImageData(this.image!, 0, 0);
    const { e, f } = ctx.getTransform();
    ctx.save();
    ctx.setTransform(1, 0, 0, 1, e, f);
    ctx.drawImage(this.canvas, 0, 0);
    ctx.restore();
  }
}

/** Blends one colour over another, both with straight alpha. Unrolled, because it runs for most pixels of overlapping markers. */
function over(above: number, below: number) {
  const a = (above >>> 24) * 255,
    b = (below >>> 24) * (255 - (above >>> 24)),
    whole = a + b; // shares, times 255
  const one = a / whole,
    other = b / whole;
  const red = (above & 255) * one + (below & 255) * other + 0.5;
  const green = ((above >>> 8) & 255) * one + ((below >>> 8) & 255) * other + 0.5;
  const blue = ((above >>> 16) & 255) * one + ((below >>> 16) & 255) * other + 0.5;
  return (red | (green << 8) | (blue << 16) | ((whole / 255 + 0.5) << 24)) >>> 0;
}
