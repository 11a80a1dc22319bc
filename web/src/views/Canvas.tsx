// A canvas as large as its place, drawn again whenever its size, the theme or what it shows changes.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readPalette, type Palette } from '../chart/palette';
import { shade } from '../state/theme';

interface Props {
  label: string;
  draw: (ctx: CanvasRenderingContext2D, width: number, height: number, palette: Palette) => void;
  onPoint?: (x: number | null, y: number) => void;  // null: the pointer has left
  onPick?: (x: number, y: number) => void;
}

export function Canvas({ label, draw, onPoint, onPick }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height }));
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);
  void shade.value;
  useLayoutEffect(() => {
    const element = canvas.current!;
    if (size.width === 0) return;
    const ratio = devicePixelRatio;
    element.width = Math.round(size.width * ratio);
    element.height = Math.round(size.height * ratio);
    const ctx = element.getContext('2d')!;
    ctx.scale(ratio, ratio);
    const palette = readPalette();
    ctx.fillStyle = palette.surface;
    ctx.fillRect(0, 0, size.width, size.height);
    draw(ctx, size.width, size.height, palette);
    element.dataset.painted = String(Number(element.dataset.painted ?? 0) + 1);
  });
  return (
    <canvas ref={canvas} class="plane" role="img" aria-label={label} onPointerMove={event => onPoint?.(event.offsetX, event.offsetY)}
      onPointerLeave={() => onPoint?.(null, 0)} onClick={event => onPick?.(event.offsetX, event.offsetY)} />
  );
}
