// Operations over time: width by duration, hue by limit, strength by how far above the bound.
import { useEffect, useId, useState } from 'preact/hooks';
import { seconds } from '../format';
import { MARK_WORDS, marksOf, type Mark } from '../plot/marks';
import { resourceVariable } from '../plot/palette';
import { core } from '../core/core';
import { panelFrame } from '../core/engine';
import { opened } from '../sources/files';
import { selected } from '../core/view';
import { BoundLegend } from '../plot/bounds';

/** The core's answer to "steps"; its columns are start, length, bound, op. */
export interface TimeAnswer {
  resources: string[];
  time_s: number;
  bins: boolean;
}

interface Props {
  label: string;
  columns: Record<string, Float32Array>;
  json: TimeAnswer;
}

interface Part {
  mark: Mark;
  resource: number;
  d: string;
}

const WIDTH = 1000;
const HEIGHT = 18;

/** The operations over time, coloured by limit. Hovering names one, a click selects it. */
export function TimeStrip({ columns, label, json: { resources, time_s, bins } }: Props) {
  const { start, length, bound, op } = columns as Record<'start' | 'length' | 'bound' | 'op', Float32Array>;
  const [at, setAt] = useState(-1);
  const [name, setName] = useState('');
  const hatch = useId();
  const pointed = op[at];
  useEffect(() => {
    setName('');
    if (pointed !== undefined)
      void core()
        .glance(pointed)
        .then(({ row, error }) => !error && setName(row.name));
  }, [pointed, opened.value]);
  const frame = panelFrame.value;
  const marks = bins || !frame ? new Map<number, Mark>() : marksOf(frame);
  const marked = op.every(each => marks.has(each)); // of very many only some are points
  const markOf = (i: number): Mark => (marked ? marks.get(op[i]!)! : 'plain');
  const paths = new Map<string, Part>();
  for (let i = 0; i < start.length; ++i) {
    const [x, width] = [(WIDTH * start[i]!) / time_s, (WIDTH * length[i]!) / time_s];
    const part = { mark: markOf(i), resource: bound[i]!, d: '' };
    const key = part.mark === 'neither' ? part.mark : `${part.mark} ${part.resource}`;
    const known = paths.get(key) ?? part;
    known.d += `M${x.toFixed(2)} 0h${width.toFixed(2)}v${HEIGHT}h${(-width).toFixed(2)}z`;
    paths.set(key, known);
  }
  const find = (event: MouseEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const time = ((event.clientX - left) / width) * time_s;
    let [low, high] = [0, start.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (start[middle]! <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const limit = (i: number) => {
    const mark = markOf(i);
    const resource = resources[bound[i]!] ?? 'not known';
    return mark === 'neither' ? MARK_WORDS.neither! : [resource, MARK_WORDS[mark]].filter(Boolean).join(', ');
  };
  const parts = [...paths.values()];
  const used = new Set(
    parts.filter(({ mark }) => mark !== 'neither').map(({ resource }) => resources[resource] ?? 'none'),
  );
  return (
    <figure class="time-strip" aria-label={label}>
      <figcaption>
        <span class="ellipsis">
          {at < 0
            ? `${label}, ${seconds(time_s)}${bins ? '; each strip in the colour of its main limit' : ', in order'}`
            : `${name || `#${op[at]}`}: ${limit(at)}, ${seconds(length[at])} from ${seconds(start[at])}`}
        </span>
        <BoundLegend resources={resources} used={used} marks={new Set(parts.map(({ mark }) => mark))} />
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}, coloured by limit`}
        onPointerMove={event => setAt(find(event))}
        onPointerLeave={() => setAt(-1)}
        onClick={event => !opened.value?.program && (selected.value = op[find(event)]!)}
      >
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0h3v6h-3z" style={{ fill: 'var(--surface)' }} />
        </pattern>
        {[...paths].map(([key, { mark, resource, d }]) => (
          <path key={key} d={d} class={mark} style={{ fill: resourceVariable(resource) }} />
        ))}
        {[...paths].map(([key, { mark, d }]) => mark === 'above' && <path key={key} d={d} fill={`url(#${hatch})`} />)}
      </svg>
    </figure>
  );
}
