// The first operations in table order: the bound, pale, and the time above it, in the hue of what limits them.
import type { Data, Shape } from 'plotly.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { seconds } from '../format';
import { limitColour, readPalette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { timeTicks } from '../plotly/ticks';
import { panelFrame } from '../core/engine';
import { BoundLegend, roofsNow } from '../plot/bounds';
import { type Bar, firstBars } from './listed';
import { selected } from '../core/view';

const PALE = '66'; // after #rrggbb: 40%
const MOST_BARS = 30;
const LEAST_BARS = 8;
const BAR_PX = 14; // so that no two names overlap
const ABOVE_PX = 8;
const BELOW_PX = 36; // for the axis
const NAME_LENGTH = 22;

/** As many bars as have room for their names; a click selects. */
export function Bars() {
  const box = useRef<HTMLDivElement>(null);
  const [rows, setRows] = useState<Bar[]>([]);
  useEffect(() => {
    let overtaken = false;
    const room = Math.floor((box.current!.clientHeight - ABOVE_PX - BELOW_PX) / BAR_PX);
    void firstBars(Math.min(Math.max(room, LEAST_BARS), MOST_BARS)).then(answer => overtaken || setRows(answer));
    return () => void (overtaken = true);
  }, [panelFrame.value]);
  return (
    <div class="bars" ref={box}>
      <BoundLegend
        limits={new Set(rows.map(({ limit }) => limit))}
        note={panelFrame.value?.json.ran_elsewhere ? '' : 'faded: the bound; strong: time above it'}
      />
      <Chart
        label={`Bound and time above it of the first ${rows.length} operations`}
        data={bars(rows)}
        onClick={({ index }) => (selected.value = rows[index]!.index)}
        layout={{
          barmode: 'stack',
          showlegend: false,
          bargap: 0.25,
          margin: { l: 176, r: 16, t: ABOVE_PX, b: BELOW_PX },
          shapes: frames(rows),
          xaxis: { ...timeTicks(Math.max(0, ...rows.map(lengthOf))), rangemode: 'tozero' },
          yaxis: {
            autorange: 'reversed',
            tickvals: rows.map((_, i) => i),
            ticktext: rows.map(({ name }) => escaped(shortened(name))),
            ticks: 'outside',
            ticklen: 5,
            tickcolor: 'transparent',
          },
        }}
      />
    </div>
  );
}

/** Names of one network differ at their ends as well as at their beginnings. */
const shortened = (name: string) =>
  name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH / 2 - 1)}…${name.slice(-NAME_LENGTH / 2)}` : name;

function bars(rows: Bar[]): Data[] {
  const palette = readPalette();
  const color = rows.map(({ limit }) => limitColour(palette, limit, roofsNow()));
  const bar = (name: string, strength: string, value: (row: Bar) => number | null): Data => ({
    type: 'bar',
    orientation: 'h',
    name,
    y: rows.map((_, i) => i),
    x: rows.map(row => Math.max(0, value(row) ?? 0)),
    marker: { color: color.map(hue => hue + strength) },
    hoverinfo: 'text',
    textposition: 'none',
    text: rows.map(row => `${escaped(row.name)}<br>${name} ${seconds(value(row))}`),
  });
  const bound = bar('bound', PALE, row => row.predicted_time_s);
  return panelFrame.value?.json.ran_elsewhere ? [bound] : [bound, bar('above bound', '', row => row.lost_time_s)];
}

/** Where a bar ends. */
const lengthOf = ({ predicted_time_s, lost_time_s }: Bar) => (predicted_time_s ?? 0) + Math.max(0, lost_time_s ?? 0);

/** Around the bar of the selected operation. */
function frames(rows: Bar[]): Partial<Shape>[] {
  const at = rows.findIndex(({ index }) => index === selected.value);
  return at < 0
    ? []
    : [
        {
          type: 'rect',
          x0: 0,
          x1: lengthOf(rows[at]!),
          y0: at - 0.45,
          y1: at + 0.45,
          line: { color: readPalette().ink, width: 1.5 },
        },
      ];
}
