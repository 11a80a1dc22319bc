// The measured roofs, log-log: a slope per memory and a level per format, with points where operators were run.
import type { Machine } from '../core/engine';
import { si } from '../format';
import { numberOf } from './machine';

export interface RoofPoint {
  name: string;
  intensity: number; // FLOP/B
  rate: number; // FLOP/s
}

const WIDTH = 560;
const HEIGHT = 240;
const EDGE = { left: 108, right: 92, top: 10, bottom: 26 };
const [LEAST, MOST] = [1 / 64, 1024]; // FLOP/B

export function Roofs({ machine, points = [] }: { machine: Machine; points?: RoofPoint[] }) {
  const peaks = Object.entries(machine.peaks.matrix ?? {}).map(([format, figure]) => ({
    name: format.toUpperCase(),
    rate: numberOf(figure)!,
  }));
  const memories = machine.memories.map(({ name, bandwidth }) => ({ name, rate: numberOf(bandwidth)! }));
  const top = Math.max(...peaks.map(({ rate }) => rate)) * 2;
  const bottom = Math.min(...memories.map(({ rate }) => rate * LEAST), ...points.map(({ rate }) => rate / 2));
  const x = (intensity: number) =>
    EDGE.left + (Math.log(intensity / LEAST) / Math.log(MOST / LEAST)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (rate: number) =>
    HEIGHT - EDGE.bottom - (Math.log(rate / bottom) / Math.log(top / bottom)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const highest = Math.max(...peaks.map(({ rate }) => rate));
  const shown = peaks.length > 0 && memories.length > 0;
  if (!shown) return null;
  return (
    <svg class="roofs" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Roofs of ${machine.name}`}>
      {memories.map(({ name, rate }) => {
        const ridge = Math.min(MOST, highest / rate);
        const from = Math.max(LEAST, bottom / rate);
        return (
          <g key={name} class="slope">
            <line x1={x(from)} y1={y(rate * from)} x2={x(ridge)} y2={y(rate * ridge)} />
            <text x={x(from) - 4} y={y(rate * from) + 4}>
              {name} {si(rate, 'B/s')}
            </text>
          </g>
        );
      })}
      {peaks.map(({ name, rate }) => (
        <g key={name} class="level">
          <line
            x1={x(Math.max(LEAST, rate / Math.max(...memories.map(m => m.rate))))}
            y1={y(rate)}
            x2={x(MOST)}
            y2={y(rate)}
          />
          <text x={x(MOST) + 4} y={y(rate) + 4}>
            {name} {si(rate, 'FLOP/s')}
          </text>
        </g>
      ))}
      {points.map(({ name, intensity, rate }, i) => (
        <circle key={i} cx={x(Math.min(MOST, Math.max(LEAST, intensity)))} cy={y(rate)} r={4}>
          <title>
            {name}: {si(rate, 'FLOP/s')}
          </title>
        </circle>
      ))}
      {[1 / 16, 1, 16, 256].map(at => (
        <text key={at} class="tick" x={x(at)} y={HEIGHT - 8}>
          {at < 1 ? `1/${1 / at}` : at}
        </text>
      ))}
      <text class="tick" x={WIDTH - EDGE.right + 4} y={HEIGHT - 8}>
        FLOP/B
      </text>
    </svg>
  );
}
