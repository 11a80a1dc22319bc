// The measured roofs, log-log: a slope per memory and a level per format, with points where operators were run; dashed, what a data sheet
// states of the same memory and formats.
import { figureValue, type Machine } from '../core/machine_document';
import { si } from '../format';
import { comparedPeaks } from './machine';

const LINE = 13; // from one label's baseline to the next, at least

/** Where labels for these heights stand, in their order, so that none covers another. */
export function labelHeights(heights: readonly number[]): number[] {
  const out = [...heights];
  const order = heights.map((_, i) => i).sort((a, b) => heights[a]! - heights[b]!);
  for (let i = 1; i < order.length; ++i) out[order[i]!] = Math.max(out[order[i]!]!, out[order[i - 1]!]! + LINE);
  return out;
}

interface RoofPoint {
  name: string;
  intensity: number; // FLOP/B
  rate: number; // FLOP/s
  unit: string; // of the rate: OP/s of an integer format
}

const WIDTH = 560;
const HEIGHT = 240;
const EDGE = { left: 126, right: 152, top: 10, bottom: 26 };
const [LEAST, MOST] = [1 / 64, 1024]; // FLOP/B

interface Props {
  machine: Machine;
  sheet?: Machine | null;
  points?: RoofPoint[];
}

export function Roofs({ machine, sheet = null, points = [] }: Props) {
  const peaks = comparedPeaks(machine, sheet).map(({ name, figure, unit, stated }) => ({
    name,
    unit,
    rate: figureValue(figure)!,
    stated,
  }));
  const memories = machine.memories.map(({ name, bandwidth }) => ({ name, rate: figureValue(bandwidth)! }));
  const stated = {
    peaks: peaks.map(peak => peak.stated),
    bandwidth: figureValue(sheet?.memories[0]?.bandwidth ?? sheet?.memories[0]?.read_bandwidth),
  };
  const top = Math.max(...peaks.map(({ rate }) => rate), ...stated.peaks.map(rate => rate ?? 0)) * 2;
  const bottom = Math.min(...memories.map(({ rate }) => rate * LEAST), ...points.map(({ rate }) => rate / 2));
  const x = (intensity: number) =>
    EDGE.left + (Math.log(intensity / LEAST) / Math.log(MOST / LEAST)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (rate: number) =>
    HEIGHT - EDGE.bottom - (Math.log(rate / bottom) / Math.log(top / bottom)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const highest = Math.max(...peaks.map(({ rate }) => rate));
  const start = (rate: number) => Math.max(LEAST, bottom / rate); // of a memory's slope
  const memoryLabels = labelHeights(memories.map(({ rate }) => y(rate * start(rate))));
  const peakLabels = labelHeights(peaks.map(({ rate }) => y(rate)));
  const shown = peaks.length > 0 && memories.length > 0;
  if (!shown) return null;
  return (
    <svg
      class="roofs"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Roofs of ${machine.name}${sheet ? `; dashed, those of ${sheet.name}` : ''}`}
    >
      {sheet && (
        <g class="stated">
          {stated.bandwidth && (
            <line
              x1={x(start(stated.bandwidth))}
              y1={y(stated.bandwidth * start(stated.bandwidth))}
              x2={x(Math.min(MOST, top / stated.bandwidth))}
              y2={y(stated.bandwidth * Math.min(MOST, top / stated.bandwidth))}
            />
          )}
          {stated.peaks.map(
            (rate, i) =>
              rate && (
                <line
                  key={i}
                  x1={x(Math.max(LEAST, Math.min(MOST, rate / (stated.bandwidth ?? Infinity))))}
                  y1={y(rate)}
                  x2={x(MOST)}
                  y2={y(rate)}
                />
              ),
          )}
        </g>
      )}
      {memories.map(({ name, rate }, i) => {
        const ridge = Math.min(MOST, highest / rate);
        const from = start(rate);
        return (
          <g key={name} class="slope">
            <line x1={x(from)} y1={y(rate * from)} x2={x(ridge)} y2={y(rate * ridge)} />
            <text x={x(from) - 4} y={memoryLabels[i]! + 4}>
              {name} {si(rate, 'B/s')}
            </text>
          </g>
        );
      })}
      {peaks.map(({ name, rate, unit }, i) => (
        <g key={name} class="level">
          <line
            x1={x(Math.max(LEAST, rate / Math.max(...memories.map(m => m.rate))))}
            y1={y(rate)}
            x2={x(MOST)}
            y2={y(rate)}
          />
          <text x={x(MOST) + 4} y={peakLabels[i]! + 4}>
            {name} {si(rate, unit)}
          </text>
        </g>
      ))}
      {points.map(({ name, intensity, rate, unit }, i) => (
        <circle key={i} cx={x(Math.min(MOST, Math.max(LEAST, intensity)))} cy={y(rate)} r={4}>
          <title>
            {name}: {si(rate, unit)}
          </title>
        </circle>
      ))}
      {[1 / 16, 1, 16, 256].map(at => (
        <text key={at} class="tick" x={x(at)} y={HEIGHT - 8}>
          {at < 1 ? `1/${1 / at}` : at}
        </text>
      ))}
      <text class="tick" x={WIDTH - EDGE.right + 16} y={HEIGHT - 8}>
        FLOP/B
      </text>
    </svg>
  );
}
