// A plot that fills its box; redrawn when its size, the theme or its data change.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pixelRatio } from '../core/printing';
import { shade } from '../core/theme';
import { surfaceOf } from './canvas';
import { useExportedChart } from './exported';
import { paletteOf } from './palette';
import type { Surface } from './surface';

interface Props {
  label: string;
  draw: (surface: Surface) => void;
  onPoint?: (x: number | null, y: number) => void; // null: the pointer has left
  onPick?: (x: number, y: number) => void;
}

/** The canvas of one plot; exports draw the same. */
export function Plot({ label, draw, onPoint, onPick }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useExportedChart(canvas, () => draw);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height }),
    );
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);
  void shade.value;
  useLayoutEffect(() => {
    if (size.width < 80 || size.height < 80) return;
    const element = canvas.current!;
    draw(surfaceOf(element, size.width, size.height, paletteOf(shade.value), pixelRatio()));
    element.dataset.painted = String(Number(element.dataset.painted ?? 0) + 1);
  });
  return (
    <canvas
      ref={canvas}
      class="plot"
      role="img"
      aria-label={label}
      onPointerMove={event => onPoint?.(event.offsetX, event.offsetY)}
      onPointerLeave={() => onPoint?.(null, 0)}
      onClick={event => onPick?.(event.offsetX, event.offsetY)}
    />
  );
}
