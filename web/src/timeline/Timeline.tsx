// The run over time, one track per type of operation, or per limit if there is one type: zoom with the wheel, drag to sum a range, click to
// select an operation.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, percent, seconds } from '../format';
import { MARK_WORDS, marksOf, type Mark } from '../plot/marks';
import { limitColour, readPalette } from '../plot/palette';
import { BoundBar, BoundLegend, limitWord, roofsNow, type TimeByBound } from '../plot/bounds';
import { HoverCard } from '../plot/HoverCard';
import { Plot } from '../plot/Plot';
import { useAnswer } from '../core/ask';
import { panelFrame } from '../core/engine';
import { narrow } from '../core/layout';
import { changeView, selected, viewState } from '../core/view';
import { idle, opened } from '../sources/opened';
import { IconButton } from '../widgets/IconButton';
import { blockAt, drawTracks, placesOf, roomFor, tracksOf, type Segments, type TimeWindow } from './tracks';
import { useOpName } from './op_name';
import type { StepsReply } from './Steps';

interface Props {
  json: StepsReply;
  columns: Segments;
  request: object; // of the whole run
}

const ZOOM = 0.7;
const LEAST_PART = 1e-5; // of the run: the segments' starts have seven digits
const CLICK_PX = 4; // less is no drag

/** The tracks, with sums over the part in view or over a range. */
export function Timeline({ json: whole, columns: coarse, request }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [marked, setRange] = useState<TimeWindow | null>(null);
  const [over, setOver] = useState<{ x: number; y: number } | null>(null);
  const dragged = useRef<number | null>(null); // s, where a drag began
  const within = (part: TimeWindow | null) => (part && part.to <= whole.time_s * (1 + LEAST_PART) ? part : null); // a filter may shorten the run
  const [from, to] = viewState.value.timeWindow ?? [];
  const zoomed = within(from === undefined ? null : { from, to: to! });
  const setZoomed = (part: TimeWindow | null) => changeView({ timeWindow: part ? [part.from, part.to] : undefined });
  const range = within(marked);
  const window = zoomed ?? { from: 0, to: whole.time_s };

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
  const filtered = frame && frame.json.shown.ops < frame.json.all.ops;
  const marks = useMemo(() => (bins || !frame ? new Map<number, Mark>() : marksOf(frame)), [bins, frame]);
  const allMarked = useMemo(() => segments.op.every(op => marks.has(op)), [segments, marks]); // in a long run only some operations are points
  const markOf = (segment: number): Mark => (allMarked ? marks.get(segments.op[segment]!)! : 'plain');
  const places = placesOf(window, tracks.length, size.width, size.height);
  const under = over && dragged.current === null ? blockAt(places, tracks, over.x, over.y) : null;
  const pointed = under && under.block.text === undefined ? segments.op[under.block.segment]! : null;
  const name = useOpName(pointed);

  const zoom = (factor: number, at = (window.from + window.to) / 2) => {
    const length = Math.min(whole.time_s, Math.max(whole.time_s * LEAST_PART, (window.to - window.from) * factor));
    const before = ((at - window.from) / (window.to - window.from)) * length;
    const from = Math.max(0, Math.min(whole.time_s - length, at - before));
    setZoomed(length >= whole.time_s * 0.999 ? null : { from, to: from + length });
  };
  const pan = (by: number) => {
    const length = window.to - window.from;
    const from = Math.max(0, Math.min(whole.time_s - length, window.from + by * length));
    if (zoomed) setZoomed({ from, to: from + length });
  };
  const newest = useRef({ zoom, pan, places, zoomed });
  newest.current = { zoom, pan, places, zoomed };
  useEffect(() => {
    const element = box.current!;
    const wheel = (event: WheelEvent) => {
      const now = newest.current;
      if (event.deltaY > 0 && !now.zoomed) return; // nothing to zoom out of: the page scrolls
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return now.pan(Math.sign(event.deltaX) * 0.1);
      now.zoom(
        event.deltaY < 0 ? ZOOM : 1 / ZOOM,
        now.places.time.value(event.clientX - element.getBoundingClientRect().left),
      );
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, []);

  const placeOf = (event: PointerEvent) => {
    const { left, top } = box.current!.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const timeAt = (x: number) => Math.max(window.from, Math.min(window.to, places.time.value(x)));
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    box.current!.setPointerCapture(event.pointerId);
    dragged.current = timeAt(placeOf(event).x);
  };
  const move = (event: PointerEvent) => {
    const at = placeOf(event);
    setOver(at);
    const began = dragged.current;
    if (began === null || Math.abs(places.time.pixel(began) - at.x) < CLICK_PX) return;
    const now = timeAt(at.x);
    setRange({ from: Math.min(began, now), to: Math.max(began, now) });
  };
  const up = (event: PointerEvent) => {
    const began = dragged.current;
    dragged.current = null;
    const { x, y } = placeOf(event);
    if (began === null || Math.abs(places.time.pixel(began) - x) >= CLICK_PX) return;
    const hit = blockAt(places, tracks, x, y);
    if (!hit) return setRange(null);
    if (hit.block.text !== undefined) return setRange({ from: hit.block.from, to: hit.block.to });
    selected.value = segments.op[hit.block.segment]!;
  };
  const keys: Record<string, () => void> = {
    '+': () => zoom(ZOOM),
    '=': () => zoom(ZOOM),
    '-': () => zoom(1 / ZOOM),
    f: () => setZoomed(null),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
  };
  const key = (event: KeyboardEvent) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const palette = readPalette();
  const used = [...whole.limits, 'none'].filter(limit => limit in whole.range.time_by_limit);
  return (
    <div class="timeline">
      <div class="timeline-bar">
        <Sums
          totals={totals}
          of={summed}
          whole={filtered ? 'Operations shown' : idle.value ? 'Busy time' : 'Whole run'}
        />
        {range && (
          <>
            <button type="button" onClick={() => (setZoomed(range), setRange(null))}>
              Zoom to it
            </button>
            <button type="button" class="link" onClick={() => setRange(null)}>
              Clear
            </button>
          </>
        )}
        <IconButton icon="plus" label="Zoom in" keys="+" onClick={() => zoom(ZOOM)} />
        <IconButton icon="minus" label="Zoom out" keys="−" disabled={!zoomed} onClick={() => zoom(1 / ZOOM)} />
        <IconButton icon="fit" label="Show the whole run" keys="F" disabled={!zoomed} onClick={() => setZoomed(null)} />
      </div>
      <figure
        class="timeline-tracks"
        aria-label="Operations over time"
        ref={box}
        tabIndex={0}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => (dragged.current = null)}
        onPointerLeave={() => setOver(null)}
        onDblClick={() => setZoomed(null)}
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
                {[limitWord(limitOf(under.block.segment)), MARK_WORDS[markOf(under.block.segment)]]
                  .filter(Boolean)
                  .join(', ')}
                {bins && ' (most of it)'}
              </div>
            )}
          </HoverCard>
        )}
      </figure>
      <div class="timeline-bar">
        <BoundLegend limits={used} marks={new Set(allMarked ? marks.values() : [])} />
        <span class="fill" />
        {(whole.repeated || idle.value) && (
          <span class="muted">
            {[
              whole.repeated && 'All calls of an operation are one block, at its first call',
              idle.value && `Idle time is left out: ${seconds(idle.value.time_s)}`,
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
      </div>
    </div>
  );
}

/** Sums over the whole run, over the part in view, or over a range. */
function Sums({
  totals,
  of,
  whole,
}: {
  totals: { ops: number; time_by_limit: TimeByBound } | null;
  of: TimeWindow | null;
  whole: string;
}) {
  if (!totals) return <span class="muted">…</span>;
  const time = Object.values(totals.time_by_limit).reduce((sum, each) => sum + each, 0);
  const shares = Object.entries(totals.time_by_limit).sort((a, b) => b[1] - a[1]);
  return (
    <div class="timeline-sums" role="status" aria-label="Sums">
      <strong>
        {of ? `${seconds(of.from)} to ${seconds(of.to)}` : whole}: {seconds(time)}
      </strong>{' '}
      <span class="muted">
        {count(totals.ops)} {totals.ops === 1 ? 'op' : 'ops'}:{' '}
        {shares.map(([limit, part]) => `${limitWord(limit)} ${percent(part / time)}`).join(', ')}
      </span>
      <BoundBar times={totals.time_by_limit} whole={time} />
    </div>
  );
}
