// The run along time under the roofline: each operation as wide as it takes long, in the colour of what limits it.
import { useEffect, useState } from 'preact/hooks';
import { seconds } from '../format';
import { resourceVariable } from '../plot/palette';
import { ask } from '../state/ask';
import { core } from '../state/core';
import { panelFrame } from '../state/engine';
import { opened } from '../state/files';
import { ready } from '../state/picture';
import { held } from '../state/pointer';
import { selected, viewState } from '../state/view';
import { BoundLegend } from '../widgets/bounds';
import type { Answer } from '../worker/messages';

interface Reply {
  resources: string[];
  time_s: number;
  bins: boolean;
}

const WIDTH = 1000;
const HEIGHT = 18;

/** The strip, in a row that is there before the answer is. Asked for at rest: while something is dragged the chart comes first. */
export function RunStrip() {
  const [reply, setReply] = useState<Answer<Reply> | null>(null);
  const { noInfeed, level } = viewState.value;
  const revision = ready.value && !held.value ? panelFrame.value?.revision : undefined;
  useEffect(() => {
    if (revision === undefined) return;
    let stale = false;
    void ask<Reply>('steps', { infeed: !noInfeed, revision }).then(
      next => stale || setReply('error' in next ? null : next),
      () => {}, // the core has stopped: with what is open comes another frame
    );
    return () => void (stale = true);
  }, [revision, noInfeed, level]);
  const several = reply && (reply.columns.start?.length ?? 0) > 1;
  if (opened.value?.format === 'operator' || (reply && !several)) return null;
  return <div class="run-strip">{several && <Strip columns={reply.columns} reply={reply.json} />}</div>;
}

function Strip({
  columns,
  reply: { resources, time_s, bins },
}: { columns: Record<string, Float32Array>; reply: Reply }) {
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
    <figure aria-label="The run along time">
      <figcaption>
        <span class="ellipsis">
          {at < 0
            ? `The run, ${seconds(time_s)}${bins ? '; each strip by what limits most of it' : ' in order'}`
            : `${name || `#${op[at]}`}: ${limit(at)}, ${seconds(length[at])} from ${seconds(start[at])}`}
        </span>
        <BoundLegend resources={resources} used={used} />
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="The run along time by what limits each operation"
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
