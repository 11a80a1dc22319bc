// Speed-up against SQNR, one point per format, and the Pareto front. The table beside it has the same by keyboard.
import { useEffect, useRef, useState } from 'preact/hooks';
import { summary, type Candidate, type Shared } from './Precision';

const LEFT = 44, RIGHT = 16, TOP = 12, BOTTOM = 34, LANE = 22;  // px
const MOST_DB = 100;  // FP32 and what is exact share the lane: drawn to scale they would press the rest together

interface Placed { format: Candidate; x: number; y: number; slow: number }

export function PrecisionChart({ formats, chosen, pointed, point, choose }: Shared) {
  const box = useRef<HTMLDivElement>(null);
  const [{ width, height }, resize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const observer = new ResizeObserver(() => resize({ width: box.current!.clientWidth, height: box.current!.clientHeight }));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  const shown = formats.filter(({ sqnr_db, exact, speedup_optimistic }) => (exact || sqnr_db !== null) && speedup_optimistic !== null);
  const speeds = shown.flatMap(({ speedup_optimistic, speedup_pessimistic }) => [speedup_optimistic!, speedup_pessimistic!]);
  const [low, high] = [Math.log2(Math.min(1, ...speeds)) - 0.15, Math.log2(Math.max(1, ...speeds)) + 0.35];
  const top = TOP + LANE;
  const beyond = ({ sqnr_db, exact }: Candidate) => exact || sqnr_db! > MOST_DB;
  const highest = Math.max(20, ...shown.filter(format => !beyond(format)).map(({ sqnr_db }) => sqnr_db!));
  const ceiling = Math.ceil(highest / 10) * 10, floor = Math.min(0, ...shown.map(({ sqnr_db }) => Math.floor((sqnr_db ?? 0) / 10) * 10));
  const x = (speed: number) => LEFT + ((Math.log2(speed) - low) / (high - low)) * (width - LEFT - RIGHT);
  const y = (db: number) => top + ((ceiling - db) / (ceiling - floor)) * (height - top - BOTTOM);
  const placed: Placed[] = shown.map(format => ({
    format, x: x(format.speedup_optimistic!), slow: x(format.speedup_pessimistic!), y: beyond(format) ? TOP + LANE / 2 : y(format.sqnr_db!),
  }));
  const front = placed.filter(({ format }) => format.pareto).sort((a, b) => a.x - b.x || a.y - b.y);
  const stairs = front.map(({ x: px, y: py }, i) => (i === 0 ? `M${px} ${py}` : `V${py}H${px}`)).join('');
  const xTicks = powersOfTwo(low, high), yTicks = steps(floor, ceiling).filter(db => db < MOST_DB);
  const labels = roomFor([...front].reverse(), placed.filter(({ format }) => format.id === pointed || format.id === chosen), width);

  return (
    <div class="precision-chart" ref={box}>
      {width > 0 && height > 0 && shown.length > 0 && (
        <svg width={width} height={height} role="img" aria-label="Speed-up against SQNR of every format; the table has the figures">
          {xTicks.map(tick => <g key={tick}><line class={tick === 1 ? 'today' : 'grid'} x1={x(tick)} x2={x(tick)} y1={TOP} y2={height - BOTTOM} /><text class="tick" x={x(tick)} y={height - BOTTOM + 14} text-anchor="middle">{tick}×</text></g>)}
          {yTicks.map(tick => <g key={tick}><line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} /><text class="tick" x={LEFT - 5} y={y(tick) + 4} text-anchor="end">{tick}</text></g>)}
          <text class="tick" x={LEFT - 5} y={TOP + LANE / 2 + 4} text-anchor="end">&gt; {MOST_DB}</text>
          <text class="tick" x={LEFT} y={height - 4}>speed-up over today</text>
          <text class="tick" x={-(top + 2)} y={10} text-anchor="end" transform="rotate(-90)">SQNR, dB</text>
          <path class="front" d={stairs} />
          {front.length > 1 && <text class="front-label" x={width - RIGHT} y={height - 4} text-anchor="end">— Pareto front</text>}
          {placed.map(({ format, x: px, y: py, slow }) => (
            <g key={format.id} class={`point ${format.pareto ? 'front' : ''} ${format.id === pointed ? 'pointed' : ''} ${format.id === chosen ? 'chosen' : ''}`} data-format={format.id}
              onClick={() => choose(format)} onMouseEnter={() => point(format.id)} onMouseLeave={() => point(null)}>
              <title>{summary(format)}</title>
              {Math.abs(px - slow) > 2 && <line class="range" x1={slow} x2={px} y1={py} y2={py} />}
              <circle cx={px} cy={py} r={format.id === pointed || format.id === chosen ? 7 : 5} />
            </g>
          ))}
          {labels.map(({ format, x: lx, y: ly, anchor }) => <text key={format.id} class="label" x={lx} y={ly} text-anchor={anchor}>{format.name}</text>)}
        </svg>
      )}
    </div>
  );
}

function powersOfTwo(low: number, high: number) {
  const ticks = [];
  for (let e = Math.ceil(low); e <= high; ++e) ticks.push(2 ** e);
  return ticks;
}

function steps(floor: number, ceiling: number) {
  const step = ceiling - floor > 50 ? 20 : 10;
  const ticks = [];
  for (let db = Math.ceil(floor / step) * step; db <= ceiling; db += step) ticks.push(db);
  return ticks;
}

interface Label { format: Candidate; x: number; y: number; anchor: 'start' | 'end' }

/// Labels of the points pointed at, then of the front's as far as they leave each other room.
function roomFor(front: Placed[], first: Placed[], width: number): Label[] {
  const labels: Label[] = [];
  for (const { format, x, y } of [...first, ...front]) {
    const length = 6.4 * format.name.length;
    const end = x + 9 + length > width;
    const label: Label = { format, x: end ? x - 9 : x + 9, y: y - 5, anchor: end ? 'end' : 'start' };
    const left = (l: Label) => (l.anchor === 'end' ? l.x - 6.4 * l.format.name.length : l.x);
    const clash = labels.some(other => Math.abs(other.y - label.y) < 13 && left(label) < left(other) + 6.4 * other.format.name.length && left(other) < left(label) + length);
    if (!clash) labels.push(label);
  }
  return labels;
}
