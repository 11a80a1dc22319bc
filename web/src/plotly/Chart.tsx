// A chart of statistics, drawn by Plotly, which is fetched with the first of them.
import type { Data, Layout } from 'plotly.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useExportedChart } from '../plot/exported';
import { readPalette, type Palette } from '../plot/palette';
import { textWidth } from '../plot/ruler';
import { loadScript, loadStyle, urlOf } from '../core/assets';
import { shade } from '../core/theme';
import { withNames, type Names } from './room';

type Plotly = typeof import('./bundle').default;
declare global {
  var RooflinePlotly: { default: Plotly } | undefined;
}

/** Where in the data a point is. */
interface DataPoint {
  trace: number;
  index: number;
}

interface Props {
  label: string;
  data: Data[];
  layout: Partial<Layout>;
  names?: Names;
  onClick?: (point: DataPoint) => void;
  onHover?: (point: DataPoint | null) => void; // null: the pointer has left
}

type Listeners = { [Name in 'onClick' | 'onHover']: Props[Name] | undefined };

let loading: Promise<Plotly> | null = null;

/** The stylesheet is linked under the name by which Plotly knows it, because the page's policy keeps it from adding its own. */
function loadPlotly(): Promise<Plotly> {
  loading ??= (async () => {
    await loadStyle('plotly.css', { id: 'plotly.js-style-global', className: 'no-inline-styles' });
    await loadScript(await urlOf('plotly.js', 'text/javascript'));
    return globalThis.RooflinePlotly!.default;
  })();
  loading.catch(() => (loading = null));
  return loading;
}

/** A chart that fills its box, in the page's colours. */
export function Chart({ label, data: unnamed, layout, names, onClick, onHover }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [note, setNote] = useState('Drawing…');
  const drawing = useRef<Drawing | null>(null);
  const listeners = useRef({ onClick, onHover });
  listeners.current = { onClick, onHover };
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setSize({ width: entry!.contentRect.width, height: entry!.contentRect.height }),
    );
    observer.observe(box.current!);
    const own = new Drawing(
      box.current!,
      () => listeners.current,
      error => setNote(error.message),
      () => setNote(''),
    );
    drawing.current = own;
    return () => {
      observer.disconnect();
      own.end();
    };
  }, []);
  const dataFor = (size: { width: number; height: number }) =>
    names
      ? withNames(unnamed, { ...names, texts: names.texts.map(escaped) }, layout, size, text => textWidth(text, 11))
      : unnamed;
  useExportedChart(box, async (width, height, palette) => {
    const figure = {
      data: recoloured(dataFor({ width, height }), palette),
      layout: { ...themed(recoloured(layout, palette), palette), width, height },
    };
    const plotly = await loadPlotly();
    const embedded = await loaded(
      await plotly.toImage(figure as PlotlyElement & typeof figure, { format: 'svg', width, height }),
    );
    return surface => surface.image(embedded, { left: 0, top: 0, right: surface.width, bottom: surface.height });
  });
  void shade.value;
  useEffect(() => {
    if (size.width >= 80 && size.height >= 80) drawing.current!.draw(dataFor(size), { ...themed(layout), ...size });
  });
  return (
    <div class="chart-box" ref={box} role="img" aria-label={label}>
      {note && <p class="hint muted">{note}</p>}
    </div>
  );
}

interface PlotlyElement extends HTMLDivElement {
  on(name: string, listener: (event: { points: { curveNumber: number; pointIndex: number }[] }) => void): void;
}

/** Draws one picture at a time, then the newest of those requested since. */
class Drawing {
  private next: { data: Data[]; layout: Partial<Layout> } | null = null;
  private busy = false;
  private started = false;
  private ended = false;

  constructor(
    private readonly box: HTMLDivElement,
    private readonly listeners: () => Listeners,
    private readonly fail: (error: Error) => void,
    private readonly drawn: () => void, // for the first time
  ) {}

  draw(data: Data[], layout: Partial<Layout>) {
    this.next = { data, layout };
    if (!this.busy) this.run().catch(this.fail);
  }

  end() {
    this.ended = true;
    if (this.started) void loading?.then(plotly => plotly.purge(this.box));
  }

  private async run() {
    this.busy = true;
    try {
      const plotly = await loadPlotly();
      while (this.next && !this.ended) {
        const { data, layout } = this.next;
        this.next = null;
        const first = !this.started;
        this.started = true;
        await plotly.react(this.box, data, layout, { displayModeBar: false, doubleClick: false, showTips: false });
        if (!first || this.ended) continue;
        this.drawn();
        this.listen();
      }
    } finally {
      this.busy = false;
    }
  }

  private listen() {
    const plot = this.box as PlotlyElement; // since the first picture
    const at = ({ curveNumber, pointIndex }: { curveNumber: number; pointIndex: number }) => ({
      trace: curveNumber,
      index: pointIndex,
    });
    plot.on('plotly_click', ({ points }) => this.listeners().onClick?.(at(points[0]!)));
    plot.on('plotly_hover', ({ points }) => this.listeners().onHover?.(at(points[0]!)));
    plot.on('plotly_unhover', () => this.listeners().onHover?.(null));
  }
}

/** Plotly's picture as an element and as an image. */
async function loaded(address: string) {
  const text = decodeURIComponent(address.slice(address.indexOf(',') + 1));
  const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement as Element as SVGSVGElement;
  const image = new Image();
  image.src = address;
  await image.decode();
  return { svg, image };
}

/** The colours of the theme in force, as another palette has them. */
function recoloured<T>(value: T, palette: Palette): T {
  const [from, to] = [readPalette(), palette].map(({ status, series, ramp, ...rest }) => [
    ...Object.values(rest),
    ...Object.values(status),
    ...series,
    ...ramp,
  ]);
  const other = new Map(from!.map((colour, i) => [colour, to![i]!]));
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return other.get(part) ?? part;
    if (Array.isArray(part)) return part.map(walk);
    if (part === null || typeof part !== 'object' || ArrayBuffer.isView(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(value) as T;
}

/** A layout in a palette's colours and type. */
function themed(layout: Partial<Layout>, palette = readPalette()): Partial<Layout> {
  const { surface, ink, muted, grid, font } = palette;
  const axis = { gridcolor: grid, linecolor: grid, zerolinecolor: grid, tickfont: { color: muted }, fixedrange: true };
  const titled = ({ title, ...rest }: Partial<Layout['xaxis']> = {}) => ({
    ...axis,
    ...rest,
    ...(title && { title: { font: { size: 11 }, standoff: 8, ...title } }),
  });
  return {
    dragmode: false,
    hovermode: 'closest',
    paper_bgcolor: surface,
    plot_bgcolor: surface,
    font: { family: font, size: 11, color: ink },
    hoverlabel: { bgcolor: surface, bordercolor: muted, font: { color: ink, family: font, size: 12 } },
    ...layout,
    legend: {
      orientation: 'h',
      traceorder: 'normal',
      x: 0,
      y: 1,
      yanchor: 'bottom',
      bgcolor: 'transparent',
      ...layout.legend,
    },
    xaxis: titled(layout.xaxis),
    yaxis: titled(layout.yaxis),
  };
}

/** Plotly reads some HTML in texts: a name must stay a name. */
export const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
