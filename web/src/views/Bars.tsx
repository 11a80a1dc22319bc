// The first operations in the table's order: the bound and what is lost beyond it. Plotly is fetched when this view is opened.
import { effect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { readPalette } from '../chart/palette';
import { seconds } from '../format';
import { ask } from '../state/ask';
import { loadScript } from '../state/core';
import { frame } from '../state/engine';
import { shade } from '../state/theme';
import { selected } from '../state/view';
import type { Listed } from './listed';

type Plotly = typeof import('../charts/plotly').default;
declare global {
  var RooflinePlotly: { default: Plotly } | undefined;
}

interface Plot { on(name: string, listener: (event: { points: { pointIndex: number }[] }) => void): void }

const MOST_BARS = 30, LEAST_BARS = 8;
const BAR_PX = 14;  // so that no two names overlap
const ABOVE_PX = 28, BELOW_PX = 36;  // for the legend, for the axis

interface Bar { index: number; name: string; predicted_time_s: number | null; lost_time_s: number | null }

const figure = (value: number) => (Number.isNaN(value) ? null : value);

/// The first of the list: the frame has them, unless the table is scrolled.
async function firstBars(most: number): Promise<Bar[]> {
  const table = frame.peek()?.json.table;
  if (!table) return [];
  if (table.offset === 0 && table.rows.length >= Math.min(most, table.total)) return table.rows.slice(0, most);
  const reply = await ask<{ names: string[] }>('listed', { limit: most });
  if ('error' in reply) return [];
  const { op, predicted, lost } = reply.columns as Listed['columns'];
  return reply.json.names.map((name, i) => ({ index: op[i]!, name, predicted_time_s: figure(predicted[i]!), lost_time_s: figure(lost[i]!) }));
}

async function loadPlotly(): Promise<Plotly> {
  if (!globalThis.RooflinePlotly) {
    const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', id: 'plotly.js-style-global', className: 'no-inline-styles', href: 'plotly.css' });
    document.head.append(style);
    await loadScript('plotly.js');
  }
  return globalThis.RooflinePlotly!.default;
}

export function Bars() {
  const box = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState('');
  useEffect(() => {
    let stop = () => {};
    let gone = false;
    loadPlotly().then(plotly => {
      if (!gone) stop = attach(plotly, box.current!);
    }, (error: Error) => setFailed(error.message));
    return () => {
      gone = true;
      stop();
    };
  }, []);
  return <div class="bars" ref={box}>{failed && <p class="hint">{failed}</p>}</div>;
}

function attach(plotly: Plotly, box: HTMLDivElement) {
  let rows: Bar[] = [];
  let busy = false;
  let stale = false;
  let drawn = false;
  let gone = false;
  const update = async () => {
    stale = true;
    if (busy) return;
    busy = true;
    while (stale) {
      stale = false;
      const room = Math.floor((box.clientHeight - ABOVE_PX - BELOW_PX) / BAR_PX);
      const next = await firstBars(Math.min(Math.max(room, LEAST_BARS), MOST_BARS));
      if (gone) return;
      rows = next;
      await plotly.react(box, traces(rows), layout(rows), { displayModeBar: false, responsive: true });
      if (gone) return;
      if (!drawn) (box as unknown as Plot).on('plotly_click', ({ points }) => (selected.value = rows[points[0]!.pointIndex]!.index));  // before, it is no plot and has no events
      drawn = true;
    }
    busy = false;
  };
  const dispose = effect(() => {
    void [frame.value, shade.value];
    void update();
  });
  return () => {
    gone = true;
    dispose();
    plotly.purge(box);
  };
}

function traces(rows: Bar[]): object[] {
  const palette = readPalette();
  const y = rows.map((_, i) => i);
  const outline = { color: rows.map(({ index }) => (index === selected.peek() ? palette.ink : 'rgba(0,0,0,0)')), width: 1.5 };
  const shared = { type: 'bar', orientation: 'h', y, hoverinfo: 'text', textposition: 'none' };
  return [
    { ...shared, name: 'bound', x: rows.map(row => row.predicted_time_s), text: rows.map(row => `${escaped(row.name)}<br>bound ${seconds(row.predicted_time_s)}`), marker: { color: palette.status.normal, line: outline } },
    { ...shared, name: 'lost', x: rows.map(row => Math.max(0, row.lost_time_s ?? 0)), text: rows.map(row => `${escaped(row.name)}<br>lost ${seconds(row.lost_time_s)}`), marker: { color: palette.status['memory-inefficient'], line: outline } },
  ];
}

function layout(rows: Bar[]): object {
  const palette = readPalette();
  return {
    barmode: 'stack', bargap: 0.25, dragmode: false, hovermode: 'closest',
    paper_bgcolor: palette.surface, plot_bgcolor: palette.surface, font: { family: palette.font, size: 11, color: palette.ink },
    margin: { l: 160, r: 16, t: ABOVE_PX, b: BELOW_PX },
    xaxis: { gridcolor: palette.grid, zerolinecolor: palette.grid, tickformat: '~s', ticksuffix: 's', rangemode: 'tozero' },
    yaxis: { autorange: 'reversed', tickvals: rows.map((_, i) => i), ticktext: rows.map(({ name }) => escaped(name.length > 22 ? `${name.slice(0, 21)}…` : name)), ticks: '', ticklabelstandoff: 6 },
    legend: { orientation: 'h', traceorder: 'normal', x: 0, y: 1.08, bgcolor: 'rgba(0,0,0,0)' },
  };
}

/// Plotly reads some HTML in texts: a name must stay a name.
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
