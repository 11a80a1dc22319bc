// The tracks of the timeline: all operations, the steps, and one per group, the longest first; and how they are drawn.
import { seconds, timeTick } from '../format';
import type { Mark } from '../plot/marks';
import { planeOf, ticksOf, type Scale } from '../plot/plane';
import { paleColour } from '../plot/ramp';
import { crisp, fitted, line, rect, type Box, type Surface } from '../plot/surface';
import type { Segments } from './segments';

interface Track {
  name: string;
  time_s: number;
  strong?: boolean; // a bold name
  blocks: { from: number; to: number; segment: number; text?: string }[]; // text: the name of a step; absent: an operation
}

/**
 * A track of all operations, one of the steps if there are several, and at most `most` of the groups that segments are in; the groups of
 * least time share the last one. `window`: whose part of the times is summed; null: the segments are bins, which tell no times by group.
 */
export function tracksOf(
  segments: Segments,
  groupOf: (segment: number) => string,
  steps: string[],
  most: number,
  window: TimeWindow | null,
): Track[] {
  const { start, length, step } = segments;
  const block = (i: number) => ({ from: start[i]!, to: start[i]! + length[i]!, segment: i });
  const all: Track = { name: 'All ops', time_s: 0, strong: true, blocks: [] };
  const groups = new Map<string, Track>();
  const stepped: Track = { name: 'Steps', time_s: 0, blocks: [] };
  start.forEach((_, i) => {
    const name = groupOf(i);
    let track = groups.get(name);
    if (!track) groups.set(name, (track = { name, time_s: 0, blocks: [] }));
    for (const each of [all, track]) {
      each.blocks.push(block(i));
      const { from, to } = block(i);
      if (window) each.time_s += Math.max(0, Math.min(to, window.to) - Math.max(from, window.from));
    }
    const last = stepped.blocks.at(-1);
    if (last && step[last.segment] === step[i]) last.to = start[i]! + length[i]!;
    else stepped.blocks.push({ ...block(i), text: steps[step[i]!] ?? '' });
  });
  const sorted = [...groups.values()].sort((a, b) => b.time_s - a.time_s);
  const rest = sorted.length > most ? sorted.splice(most - 1) : [];
  if (rest.length > 0)
    sorted.push({
      name: `${rest.length} others`,
      time_s: rest.reduce((sum, { time_s }) => sum + time_s, 0),
      blocks: rest.flatMap(({ blocks }) => blocks).sort((a, b) => a.from - b.from),
    });
  return [all, ...(stepped.blocks.length > 1 ? [stepped] : []), ...(groups.size > 1 ? sorted : [])];
}

const AXIS_PX = 22;
const GAP_PX = 3;
const LEAST_OUTLINED_PX = 8; // a narrower block is underlined: an outline would hide it
const MOST_ROW_PX = 96;
const LEAST_ROW_PX = 18;
const NAMES_PX = 150;
const NOTED_PX = 120; // with less there is no time next to the names

/** How many tracks have room. */
export const roomFor = (height: number) => Math.max(3, Math.floor((height - AXIS_PX) / (LEAST_ROW_PX + 4)));

export interface TimeWindow {
  from: number;
  to: number; // s
}

/** Where the tracks are on a surface. */
interface Places {
  time: Scale;
  plot: Box;
  row: number; // px from one track to the next
}

export function placesOf({ from, to }: TimeWindow, tracks: number, width: number, height: number): Places {
  const left = Math.min(NAMES_PX, Math.round(width * 0.28));
  const row = Math.min(MOST_ROW_PX, (height - AXIS_PX) / tracks);
  const plot = { left, top: AXIS_PX, right: width - 8, bottom: AXIS_PX + row * tracks };
  const x = { low: from, high: to, log: false, title: '', label: timeTick };
  return { time: planeOf(x, { low: 0, high: 1, log: false, title: '' }, plot).x, plot, row };
}

interface Look {
  colour: string;
  mark: Mark;
}

interface Scene {
  tracks: Track[];
  window: TimeWindow;
  range: TimeWindow | null; // that is summed
  selected: (segment: number) => boolean;
  look: (segment: number) => Look;
}

/** Draws the tracks with their names and times at the left. */
export function drawTracks(surface: Surface, { tracks, window, range, selected, look }: Scene) {
  const { palette } = surface;
  const places = placesOf(window, tracks.length, surface.width, surface.height);
  const { time, plot, row } = places;
  for (const { pixel, label } of ticksOf(time)) {
    line(surface, crisp(pixel), plot.top, crisp(pixel), plot.bottom, { stroke: palette.grid });
    const middle = Math.min(pixel, surface.width - surface.textWidth(label) / 2);
    surface.text(label, middle, 6, { colour: palette.muted, align: 'center', baseline: 'top' });
  }
  tracks.forEach(({ name, time_s, strong, blocks }, t) => {
    const top = plot.top + t * row;
    const box = { left: plot.left, right: plot.right, top: top + GAP_PX, bottom: top + row - GAP_PX };
    const note = time_s > 0 && plot.left > NOTED_PX ? seconds(time_s) : '';
    const middle = (box.top + box.bottom) / 2;
    const noted = note ? surface.textWidth(note) + 16 : 8;
    const style = { baseline: 'middle', ...(strong && { weight: 600 }) } as const;
    surface.text(fitted(surface, name, plot.left - noted - 4, style), 4, middle, style);
    surface.text(note, plot.left - 8, middle, { baseline: 'middle', align: 'right', colour: palette.muted });
    surface.clip({ ...plot, top: box.top, bottom: box.bottom }, () => drawBlocks(surface, blocks, time, box, look));
    for (const { from, to, segment, text } of blocks) {
      if (text !== undefined || !selected(segment) || to <= window.from || from >= window.to) continue;
      const [left, right] = [Math.max(plot.left, time.pixel(from)) - 1, Math.min(plot.right, time.pixel(to)) + 1];
      if (right - left < LEAST_OUTLINED_PX)
        rect(surface, { left, right, top: box.bottom, bottom: box.bottom + GAP_PX }, { fill: palette.ink });
      else rect(surface, { ...box, left, right }, { stroke: palette.ink, width: 2 });
    }
    line(surface, 0, crisp(top + row), plot.right, crisp(top + row), { stroke: palette.gridMinor });
  });
  if (!range) return;
  const [left, right] = [range.from, range.to].map(at => Math.max(plot.left, Math.min(plot.right, time.pixel(at))));
  rect(surface, { ...plot, left: left!, right: right! }, { fill: palette.accent, opacity: 0.14 });
  for (const x of [left!, right!]) line(surface, x, plot.top, x, plot.bottom, { stroke: palette.accent, width: 1.5 });
}

/** Draws the blocks of one colour and mark as one path. */
function drawBlocks(
  surface: Surface,
  blocks: Track['blocks'],
  time: Scale,
  { top, bottom }: Box,
  look: (segment: number) => Look,
) {
  const { palette } = surface;
  const paths = new Map<string, { look: Look; boxes: Box[] }>();
  for (const { from, to, segment, text } of blocks) {
    const [left, right] = [time.pixel(from), time.pixel(to)];
    if (right < 0 || left > surface.width) continue;
    if (text !== undefined) {
      const box = { left: left + 0.5, right: Math.max(left + 1, right - 0.5), top, bottom };
      rect(surface, box, { fill: palette.grid });
      const start = Math.max(left, 0) + 6;
      if (right - start > 24) {
        const word = fitted(surface, text, right - start - 6);
        surface.text(word, start, (top + bottom) / 2, { baseline: 'middle' });
      }
      continue;
    }
    const own = look(segment);
    const key = `${own.colour} ${own.mark}`;
    const path = paths.get(key) ?? { look: own, boxes: [] };
    path.boxes.push({ left, right: Math.max(left + 0.6, right - (right - left > 3 ? 0.6 : 0)), top, bottom });
    paths.set(key, path);
  }
  for (const { look: own, boxes } of paths.values()) {
    const trace = (path: Parameters<Parameters<Surface['path']>[0]>[0]) => {
      for (const box of boxes) {
        path.moveTo(box.left, box.top);
        path.lineTo(box.right, box.top);
        path.lineTo(box.right, box.bottom);
        path.lineTo(box.left, box.bottom);
        path.close();
      }
    };
    surface.path(trace, { fill: own.mark === 'near' ? paleColour(surface.palette, own.colour) : own.colour });
    if (own.mark === 'above')
      for (const box of boxes)
        surface.clip(box, () =>
          surface.path(
            path => {
              const high = box.bottom - box.top;
              for (let x = box.left - high; x < box.right; x += 6) {
                path.moveTo(x, box.bottom);
                path.lineTo(x + high, box.top);
              }
            },
            { stroke: palette.surface, width: 2.5 },
          ),
        );
  }
}

/** The block under a point: its track and segment. */
export function blockAt(places: Places, tracks: Track[], x: number, y: number) {
  const { plot, row, time } = places;
  if (x < plot.left || x > plot.right) return null;
  const track = tracks[Math.floor((y - plot.top) / row)];
  if (!track || y < plot.top) return null;
  const near = time.value(x + 1) - time.value(x);
  const at = time.value(x);
  const found =
    track.blocks.find(({ from, to }) => at >= from && at <= to) ??
    track.blocks.find(({ from, to }) => at >= from - near && at <= to + near);
  return found ? { track, block: found } : null;
}
