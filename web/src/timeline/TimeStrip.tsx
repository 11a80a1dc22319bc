// Operations over time: width by duration, hue by limit, strength by how far above the bound.
import { useId, useState } from 'preact/hooks';
import { count, seconds } from '../format';
import type { Mark } from '../plot/marks';
import { limitVariable } from '../plot/palette';
import { panelFrame } from '../core/engine';
import { opened } from '../sources/opened';
import { selected } from '../core/view';
import { BoundLegend, roofsNow } from '../plot/bounds';
import { useOpName } from './op_name';
import { limitAndMark, segmentMarks, type Segments, type TimeAnswer } from './segments';

interface Props {
  label: string;
  note?: string; // after the label and the time
  columns: Segments;
  json: TimeAnswer;
}

interface Part {
  mark: Mark;
  limit: string;
  d: string;
}

const WIDTH = 1000;
const HEIGHT = 18;
const LEAST_SEPARATED = 6; // width of operations with a line between them

/** The operations over time, coloured by limit. Hovering names one, a click selects it. */
export function TimeStrip({
  columns,
  label,
  note = '',
  json: { limits, time_s, untimed, repeated, launched, bins },
}: Props) {
  const { start, length, limit, op } = columns;
  const [at, setAt] = useState(-1);
  const hatch = useId();
  const name = useOpName(op[at] ?? null);
  const marks = segmentMarks(columns, bins, panelFrame.value);
  const markOf = (i: number): Mark => marks.get(op[i]!) ?? 'plain';
  const limitOf = (i: number) => limits[limit[i]!] ?? 'none';
  const paths = new Map<string, Part>();
  const colours: string[] = [];
  for (let i = 0; i < start.length; ++i) {
    const [x, width] = [(WIDTH * start[i]!) / time_s, (WIDTH * length[i]!) / time_s];
    const part = { mark: markOf(i), limit: limitOf(i), d: '' };
    const key = `${part.mark} ${part.limit}`;
    const known = paths.get(key) ?? part;
    colours.push(key);
    known.d += `M${x.toFixed(2)} 0h${width.toFixed(2)}v${HEIGHT}h${(-width).toFixed(2)}z`;
    paths.set(key, known);
  }
  // Neighbours of one colour would look like a single operation.
  const isWide = (i: number) => (WIDTH * length[i]!) / time_s >= LEAST_SEPARATED;
  const isSeparated = (i: number) => i > 0 && colours[i] === colours[i - 1] && isWide(i - 1) && isWide(i);
  const separators = Array.from(start, (at, i) =>
    isSeparated(i) ? `M${((WIDTH * at) / time_s).toFixed(2)} 0v${HEIGHT}` : '',
  ).join('');
  const find = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const time = ((event.clientX - left) / width) * time_s;
    let [low, high] = [0, start.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (start[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return time <= start[low]! + length[low]! || !launched ? low : -1; // idle there
  };
  const order = bins
    ? '; each strip in the colour of its main limit'
    : repeated
      ? ', with all calls of each operation together'
      : launched
        ? '; in the gaps the device is idle'
        : ', in order';
  const parts = [...paths.values()];
  const used = [...limits, 'none'].filter(name => parts.some(part => part.limit === name));
  return (
    <figure class="time-strip" aria-label={label}>
      <figcaption>
        <span class="ellipsis">
          {at < 0
            ? `${label}, ${seconds(time_s)}${untimed ? ` without ${count(untimed)} untimed ops` : ''}${order}${note}`
            : `${name || `#${op[at]}`}: ${limitAndMark(limitOf(at), markOf(at))}, ${seconds(length[at])} from ${seconds(start[at])}`}
        </span>
        <BoundLegend limits={used} marks={new Set(parts.map(({ mark }) => mark))} />
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}, coloured by limit`}
        onPointerMove={event => setAt(find(event))}
        onPointerLeave={() => setAt(-1)}
        onClick={event => !opened.value?.program && (selected.value = op[find(event)] ?? selected.value)}
      >
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0h3v6h-3z" style={{ fill: 'var(--surface)' }} />
        </pattern>
        {[...paths].map(([key, { mark, limit: name, d }]) => (
          <path
            key={key}
            d={d}
            class={mark}
            data-limit={name}
            style={{ '--colour': limitVariable(name, roofsNow()) }}
          />
        ))}
        {[...paths].map(([key, { mark, d }]) => mark === 'above' && <path key={key} d={d} fill={`url(#${hatch})`} />)}
        {separators && <path d={separators} class="separators" />}
      </svg>
    </figure>
  );
}
