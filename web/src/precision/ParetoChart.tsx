// The formats with their speed-up and accuracy, as a chart.
import type { Data } from 'plotly.js';
import { readPalette, type Palette } from '../plot/palette';
import { Chart, escaped } from '../plotly/Chart';
import { reaches, summary, type Candidate, type Candidates } from './candidates';

const MOST_TICKS = 7; // of the speed-ups
const MOST_DB = 100; // FP32 and exact formats share a line above: drawn to scale they would squeeze the rest
const LANE_DB = 8; // from the highest tick to that line

/** Speed-up against SQNR, one point per format, and the Pareto front. The table offers the same by keyboard. */
export function ParetoChart({ formats, chosen, pointed, point, choose, threshold }: Candidates) {
  const palette = readPalette();
  const beyond = ({ sqnr_db, exact }: Candidate) => exact || sqnr_db! > MOST_DB;
  const shown = formats.filter(
    ({ sqnr_db, exact, speedup_optimistic }) => (exact || sqnr_db !== null) && speedup_optimistic !== null,
  );
  const decibelsShown = shown.filter(format => !beyond(format)).map(({ sqnr_db }) => sqnr_db!);
  const ceiling = Math.ceil(Math.max(20, ...decibelsShown) / 10) * 10;
  const floor = Math.min(0, Math.floor(Math.min(0, ...decibelsShown) / 10) * 10);
  const y = (format: Candidate) => (beyond(format) ? ceiling + LANE_DB : format.sqnr_db!);
  const front = shown
    .filter(({ pareto }) => pareto)
    .sort((a, b) => a.speedup_optimistic! - b.speedup_optimistic! || y(b) - y(a));
  const emphasis = (format: Candidate) => format.id === pointed || format.id === chosen;
  const fastestFirst = [...front].reverse();
  const fastestAccurate = fastestFirst.filter(format => reaches(format, threshold)).slice(0, 1);
  const named = [...new Set([...shown.filter(emphasis), ...fastestAccurate, ...fastestFirst])];
  const data: Data[] = [
    {
      type: 'scatter',
      mode: 'lines',
      name: 'Pareto front',
      line: { color: palette.accent, width: 1.5, shape: 'vh' },
      hoverinfo: 'skip',
      x: front.map(({ speedup_optimistic }) => speedup_optimistic),
      y: front.map(y),
    },
    {
      type: 'scatter',
      mode: 'text+markers',
      showlegend: false,
      x: shown.map(({ speedup_optimistic }) => speedup_optimistic),
      y: shown.map(y),
      marker: {
        size: shown.map(format => (emphasis(format) ? 13 : 9)),
        symbol: shown.map(({ pareto }) => (pareto ? 'circle' : 'diamond')),
        color: shown.map(format => colourOf(format, chosen, threshold, palette)),
        opacity: 1,
        line: { color: shown.map(({ id }) => (id === pointed ? palette.ink : palette.surface)), width: 1.5 },
      },
      error_x: {
        type: 'data',
        symmetric: false,
        array: [],
        arrayminus: shown.map(
          format => format.speedup_optimistic! - (format.speedup_pessimistic ?? format.speedup_optimistic!),
        ),
        color: palette.status.unknown,
        thickness: 2,
        width: 0,
      },
      textfont: { color: palette.ink },
      hovertext: shown.map(format => escaped(summary(format))),
      hoverinfo: 'text',
      cliponaxis: false,
    },
  ];
  const decibelTicks = Array.from({ length: Math.floor((ceiling - floor) / 20) + 1 }, (_, i) => floor + 20 * i).filter(
    db => db < MOST_DB,
  );
  const speeds = [
    1,
    ...shown.flatMap(({ speedup_optimistic, speedup_pessimistic }) => [speedup_optimistic!, speedup_pessimistic ?? 1]),
  ];
  const [low, high] = [Math.log2(Math.min(...speeds)) - 0.15, Math.log2(Math.max(...speeds)) + 0.5];
  const every = Math.ceil((high - low) / MOST_TICKS);
  const [first, last] = [Math.ceil(low / every), Math.floor(high / every)];
  const speedTicks = Array.from({ length: last - first + 1 }, (_, i) => 2 ** (every * (first + i)));
  return (
    <Chart
      label="Speed-up against SQNR of every format; the table has the figures"
      data={data}
      names={{ trace: 1, order: named.map(format => shown.indexOf(format)), texts: shown.map(({ name }) => name) }}
      onClick={({ trace, index }) => trace === 1 && choose(shown[index]!)}
      onHover={at => point(at?.trace === 1 ? shown[at.index]!.id : null)}
      layout={{
        margin: { l: 52, r: 16, t: 24, b: 36 },
        showlegend: true,
        legend: { x: 1, xanchor: 'right' },
        xaxis: {
          type: 'log',
          range: [low, high].map(power => power * Math.log10(2)),
          tickvals: speedTicks,
          ticktext: speedTicks.map(speed => (speed < 1 ? `1/${1 / speed}x` : `${speed}x`)),
          tickangle: 0,
          title: { text: 'speed-up over current formats' },
        },
        yaxis: {
          range: [floor - 2, ceiling + 2 * LANE_DB],
          tickvals: [...decibelTicks, ceiling + LANE_DB],
          ticktext: [...decibelTicks.map(String), `> ${MOST_DB}`],
          title: { text: 'SQNR, dB' },
          zeroline: false,
        },
        shapes: [
          {
            type: 'line',
            x0: 1,
            x1: 1,
            yref: 'paper',
            y0: 0,
            y1: 1,
            layer: 'below',
            line: { color: palette.muted, width: 1, dash: 'dot' },
          },
          {
            type: 'line',
            xref: 'paper',
            x0: 0,
            x1: 1,
            y0: Math.min(threshold, ceiling + LANE_DB),
            y1: Math.min(threshold, ceiling + LANE_DB),
            layer: 'below',
            line: { color: palette.muted, width: 1, dash: 'dot' },
          },
        ],
      }}
    />
  );
}

const colourOf = (format: Candidate, chosen: string | null, threshold: number, { whatif, accent, status }: Palette) =>
  format.id === chosen ? whatif : reaches(format, threshold) ? accent : status.unknown;
