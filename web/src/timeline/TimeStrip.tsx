// Operations over time: width by duration, colour by limit.
import { useEffect, useState } from 'preact/hooks';
import { seconds } from '../format';
import { resourceVariable } from '../plot/palette';
import { core } from '../core/core';
import { opened } from '../sources/files';
import { selected } from '../core/view';
import { BoundLegend } from './bounds';

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

const WIDTH = 1000;
const HEIGHT = 18;

/** The operations over time, coloured by limit. Hovering names one, a click selects it. */
export function TimeStrip({ columns, label, json: { resources, time_s, bins } }: Props) {
  const { start, length, bound, op } = columns as Record<'start' | 'length' | 'bound' | 'op', Float32Array>;
  const [at, setAt] = useState(-1);
  const [name, setName] = useState('');
  const pointed = op[at];
  useEffect(() => {
    setName('');
    if (pointed !== undefined)
      void core()
        .glance(pointed)
        .then(({ row, error }) => !error && setName(row.name));
  }, [pointed]);
  const paths = new Map<number, string>();
  for (let i = 0; i < start.length; ++i) {
    const [x, width] = [(WIDTH * start[i]!) / time_s, (WIDTH * length[i]!) / time_s];
    paths.set(
      bound[i]!,
      `${paths.get(bound[i]!) ?? ''}M${x.toFixed(2)} 0h${width.toFixed(2)}v${HEIGHT}h${(-width).toFixed(2)}z`,
    );
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
  const limit = (i: number) => resources[bound[i]!] ?? 'not known';
  const used = new Set(Array.from(bound, one => resources[one] ?? 'none'));
  return (
    <figure class="time-strip" aria-label={label}>
      <figcaption>
        <span class="ellipsis">
          {at < 0
            ? `${label}, ${seconds(time_s)}${bins ? '; each strip in the colour of its main limit' : ', in order'}`
            : `${name || `#${op[at]}`}: ${limit(at)}, ${seconds(length[at])} from ${seconds(start[at])}`}
        </span>
        <BoundLegend resources={resources} used={used} />
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
        {[...paths].map(([resource, d]) => (
          <path key={resource} d={d} style={{ fill: resourceVariable(resource) }} />
        ))}
      </svg>
    </figure>
  );
}
