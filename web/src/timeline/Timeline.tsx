// The run over time, one track per type of operation, or per limit if there is one type: zoom with the wheel, drag to sum a range, click to
// select an operation.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, percent, seconds } from '../format';
import type { Mark } from '../plot/marks';
import { limitColour, readPalette } from '../plot/palette';
import { BoundBar, BoundLegend, limitWord, roofsNow } from '../plot/bounds';
import { HoverCard } from '../plot/HoverCard';
import { Plot } from '../plot/Plot';
import { useAnswer } from '../core/ask';
import { panelFrame } from '../core/engine';
import { narrow } from '../core/layout';
import { selected } from '../core/view';
import { idle, opened } from '../sources/opened';
import { IconButton } from '../widgets/IconButton';
import { limitAndMark, segmentMarks, type Segments } from './segments';
import { blockAt, drawTracks, placesOf, roomFor, tracksOf, type TimeWindow } from './tracks';
import { useOpName } from './op_name';
import { useRangeDrag } from './range_drag';
import type { StepsReply } from './Steps';
import { keyAction, useWheelZoom, partInRun, zoomOf, type Zoom } from './zoom';

interface Props {
  json: StepsReply;
  columns: Segments;
  request: object; // of the whole run
}

/** The tracks, with sums over the part in view or over a range. */
export function Timeline({ json: whole, columns: coarse, request }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [marked, setRange] = useState<TimeWindow | null>(null);
  const range = partInRun(marked, whole.time_s);
  const zoom = zoomOf(whole.time_s);
  const { zoomed, window } = zoom;

  useEffect(() => setRange(null), [opened.value]);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setSize(entry!.contentRect));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  // A long run comes in bins: a zoom asks for those of its window.
  const detailed = useAnswer<StepsReply>('steps', zoomed && whole.bins ? { ...request, ...zoomed } : null);
  const fine = detailed && 'json' in detailed ? detailed : null;
  const segments = zoomed && fine ? (fine.columns as unknown as Segments) : coarse;
  const bins = zoomed && fine ? fine.json.bins : whole.bins;
  const summed = range ?? zoomed;
  const sums = useAnswer<StepsReply>('steps', summed && { ...request, ...summed });
  const totals = summed ? (sums && 'json' in sums ? sums.json.range : null) : whole.range;

  const limitOf = (segment: number) => whole.limits[segments.limit[segment]!] ?? 'none';
  const kinds = opened.value?.kinds ?? [];
  const steps = opened.value?.steps ?? [];
  const most = roomFor(size.height) - 2;
  const tracks = useMemo(
    () =>
      tracksOf(
        segments,
        new Set(kinds.map(({ type }) => type)).size > 1
          ? segment => kinds[segments.class[segment]!]?.type ?? 'unlisted'
          : segment => (limitOf(segment) === 'neither' ? 'neither' : limitWord(limitOf(segment))),
        steps,
        most,
        bins ? null : window,
      ),
    [segments, kinds, steps, most, bins, window.from, window.to],
  );
  const frame = panelFrame.value;
  const marks = useMemo(() => segmentMarks(segments, bins, frame), [segments, bins, frame]);
  const markOf = (segment: number): Mark => marks.get(segments.op[segment]!) ?? 'plain';
  const places = placesOf(window, tracks.length, size.width, size.height);
  useWheelZoom(box, zoom, places.time);
  const { over, handlers } = useRangeDrag(box, {
    window,
    time: places.time,
    onRange: setRange,
    onClick: (x, y) => {
      const hit = blockAt(places, tracks, x, y);
      if (!hit) setRange(null);
      else if (hit.block.text !== undefined) setRange({ from: hit.block.from, to: hit.block.to });
      else selected.value = segments.op[hit.block.segment]!;
    },
  });
  const under = over && blockAt(places, tracks, over.x, over.y);
  const pointed = under && under.block.text === undefined ? segments.op[under.block.segment]! : null;
  const name = useOpName(pointed);

  const key = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keyAction(zoom, event.key);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const palette = readPalette();
  const used = [...whole.limits, 'none'].filter(limit => limit in whole.range.time_by_limit);
  return (
    <div class="timeline">
      <Bar zoom={zoom} range={range} setRange={setRange} totals={totals} run={whole} />
      <figure
        class="timeline-tracks"
        aria-label="Operations over time"
        ref={box}
        tabIndex={0}
        {...handlers}
        onDblClick={() => zoom.set(null)}
        onKeyDown={key}
      >
        <Plot
          label={`${count(tracks.length)} tracks of operations over time, coloured by limit: ${tracks.map(track => track.name).join(', ')}`}
          draw={surface =>
            drawTracks(surface, {
              tracks,
              window,
              range,
              selected: segment => !bins && segments.op[segment] === selected.value,
              look: segment => ({
                colour: limitColour(palette, limitOf(segment), roofsNow()),
                mark: markOf(segment),
              }),
            })
          }
        />
        {over && under && (
          <HoverCard {...over}>
            <strong>{under.block.text ?? (bins ? under.track.name : name || `#${pointed}`)}</strong>
            <div>
              {seconds(under.block.to - under.block.from)} from {seconds(under.block.from)}
            </div>
            {under.block.text === undefined && (
              <div>
                {limitAndMark(limitOf(under.block.segment), markOf(under.block.segment))}
                {bins && ' (most of it)'}
              </div>
            )}
          </HoverCard>
        )}
      </figure>
      <div class="timeline-bar">
        <BoundLegend limits={used} marks={new Set(marks.values())} />
        <span class="fill" />
        <Notes whole={whole} />
      </div>
    </div>
  );
}

interface BarProps {
  zoom: Zoom;
  range: TimeWindow | null; // marked
  setRange: (range: TimeWindow | null) => void;
  totals: StepsReply['range'] | null; // of the range, else of the part in view
  run: StepsReply; // the whole
}

/** The sums, and the buttons that zoom. */
function Bar({ zoom: { zoomed, set, zoomIn, zoomOut }, range, setRange, totals, run }: BarProps) {
  const { shown, all } = panelFrame.value?.json ?? {};
  const filtered = shown && shown.ops < all!.ops;
  return (
    <div class="timeline-bar">
      <Sums
        totals={totals}
        of={range ?? zoomed}
        run={run}
        whole={filtered ? 'Operations shown' : idle.value && !run.launched ? 'Busy time' : 'Whole run'}
      />
      {range && (
        <>
          <button type="button" onClick={() => (set(range), setRange(null))}>
            Zoom to it
          </button>
          <button type="button" class="link" onClick={() => setRange(null)}>
            Clear
          </button>
        </>
      )}
      <IconButton icon="plus" label="Zoom in" keys="+" onClick={() => zoomIn()} />
      <IconButton icon="minus" label="Zoom out" keys="−" disabled={!zoomed} onClick={() => zoomOut()} />
      <IconButton icon="fit" label="Show the whole run" keys="F" disabled={!zoomed} onClick={() => set(null)} />
    </div>
  );
}

/** What the blocks leave out, and how to use them. */
const Notes = ({ whole }: { whole: StepsReply }) => (
  <>
    {(whole.repeated || idle.value) && (
      <span class="muted">
        {[
          whole.repeated && 'All calls of an operation are one block, at its first call',
          idle.value &&
            (whole.launched
              ? 'In the gaps the device is idle'
              : `Idle time is left out: ${seconds(idle.value.time_s)}`),
        ]
          .filter(Boolean)
          .join('. ')}
      </span>
    )}
    {whole.untimed > 0 && (
      <span class="muted">
        Left out: {count(whole.untimed)} {whole.untimed === 1 ? 'operation' : 'operations'} without a time
      </span>
    )}
    {!narrow.value && <span class="muted">Scroll to zoom, drag to sum a range, click to select</span>}
  </>
);

/** Sums over the whole run, over the part in view, or over a range. */
function Sums({ totals, of, run, whole }: { of: TimeWindow | null; whole: string } & Pick<BarProps, 'totals' | 'run'>) {
  if (!totals) return <span class="muted">…</span>;
  const length = of ? of.to - of.from : run.time_s;
  const noun = run.launched ? 'launch' : 'op';
  const time = Object.values(totals.time_by_limit).reduce((sum, each) => sum + each, 0);
  const shares = Object.entries(totals.time_by_limit).sort((a, b) => b[1] - a[1]);
  return (
    <div class="timeline-sums" role="status" aria-label="Sums">
      <strong>
        {of ? `${seconds(of.from)} to ${seconds(of.to)}` : whole}: {seconds(run.launched ? length : time)}
        {run.launched && `, idle ${percent(1 - totals.busy_s / length)}`}
      </strong>{' '}
      <span class="muted">
        {count(totals.ops)} {noun + (totals.ops === 1 ? '' : run.launched ? 'es' : 's')}
        {run.launched && `, ${seconds(time)}`}:{' '}
        {shares.map(([limit, part]) => `${limitWord(limit)} ${percent(part / time)}`).join(', ')}
      </span>
      <BoundBar times={totals.time_by_limit} whole={time} />
    </div>
  );
}
