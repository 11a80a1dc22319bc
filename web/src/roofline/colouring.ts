// Colours of the points: by limit, by status, or by a value of their table rows.
import type { RowJson } from '../../../wasm/session';
import { PARTLY_KNOWN, POINT_FLAGS, STATUS_WORDS, STATUSES } from '../protocol';
import { count, seconds } from '../format';
import { formatName } from '../core/catalogue';
import type { Frame } from '../core/engine';
import { limitWord } from '../plot/bounds';
import type { LegendEntry } from '../plot/legend';
import { limitOf, MARK_WORDS, markOf } from '../plot/marks';
import { limitColour, seriesColour, type Palette } from '../plot/palette';
import { paleColour, rampColour } from '../plot/ramp';

export const COLOURINGS = {
  limit: 'limit',
  status: 'status',
  lost: 'time above bound',
  step: 'step',
  format: 'format',
  category: 'category',
} as const;
export type Colouring = keyof typeof COLOURINGS;

/** The rows of the points, by operation. */
export type Rows = ReadonlyMap<number, RowJson>;

export interface Colours {
  /** The colour of an operation, which is point `at` of the frame. */
  of: (op: number, at: number) => string;
  legend: { text: string; colour: string }[];
}

const WORDS: { [Key in Colouring]?: (row: RowJson) => string | null } = {
  step: row => row.step,
  format: ({ formats: { compute } }) => compute && formatName(compute),
  category: row => row.category,
};
const SERIES = 7; // more colours cannot be told apart
const FAINTEST = 1e-3; // of the largest time above bound

/** The colours of a frame's points. */
export function coloursOf(by: Colouring, frame: Frame, rows: Rows, palette: Palette): Colours {
  const words = WORDS[by];
  if (words) return byWord(rows, words, palette);
  if (by === 'lost') return byLostTime(rows, palette);
  return by === 'status' ? byStatus(frame, palette) : byLimit(frame, palette);
}

/** The colours and marks in use and their meaning, on the screen as in pictures. `measured`: runs that are points. */
export function legendOf({ legend }: Colours, frame: Frame, measured: number, palette: Palette): LegendEntry[] {
  const { muted, whatif, ink } = palette;
  const { shown } = frame.json;
  const entry = (used: unknown, text: string, colour: string, sample: LegendEntry['sample']): LegendEntry[] =>
    used ? [{ text, colour, sample }] : [];
  return [
    ...legend.flatMap(({ text, colour }) => entry(true, text, colour, 'dot')),
    ...entry(shown.by_status.predicted && shown.timed_ops, 'no time: at the bound', muted, 'hollow'),
    ...entry(shown.above_roof, `${MARK_WORDS.above!} ${count(shown.above_roof)}`, muted, 'above'),
    ...entry(frame.whatif_intensity.length, 'with the changes', whatif, 'hollow'),
    ...entry(measured, 'measured', ink, 'target'),
  ];
}

/** The hue shows the limit of a point; pale: near its bound. As in the time strip. */
function byLimit(frame: Frame, palette: Palette): Colours {
  const { roofs, resources } = frame.json;
  const colour = (limit: string) => limitColour(palette, limit, roofs);
  const counts = new Map<string, number>();
  let pale = false;
  frame.points.forEach((_, at) => {
    const limit = limitOf(frame, at);
    counts.set(limit, (counts.get(limit) ?? 0) + 1);
    pale ||= markOf(frame, at) === 'near';
  });
  const entries = new Map<string, { names: string[]; points: number }>(); // memories have one colour
  for (const limit of [...resources, 'neither', 'none']) {
    const points = counts.get(limit);
    if (!points) continue;
    const entry = entries.get(colour(limit)) ?? { names: [], points: 0 };
    entries.set(colour(limit), {
      names: [...entry.names, limit === 'none' ? limitWord(limit) : limit],
      points: entry.points + points,
    });
  }
  const legend = [...entries].map(([hue, { names, points }]) => ({
    text: `${names.join(', ')} ${count(points)}`,
    colour: hue,
  }));
  if (pale) legend.push({ text: 'faded: near the bound', colour: paleColour(palette, palette.muted) });
  return {
    of: (_, at) => {
      const hue = colour(limitOf(frame, at));
      return markOf(frame, at) === 'near' ? paleColour(palette, hue) : hue;
    },
    legend,
  };
}

/** Points that are predicted have the colour of their bound. */
function byStatus(frame: Frame, palette: Palette): Colours {
  const { json, status, flags } = frame;
  return {
    of: (_, at) =>
      (flags[at]! & POINT_FLAGS.predicted) !== 0
        ? limitColour(palette, limitOf(frame, at), json.roofs)
        : palette.status[(flags[at]! & POINT_FLAGS.partly_known) !== 0 ? 'unknown' : STATUSES[status[at]!]!],
    legend: [
      ...STATUSES.map(status => [STATUS_WORDS[status], json.limits.by_status[status], status] as const),
      [PARTLY_KNOWN, json.limits.partly_known, 'unknown'] as const,
    ].flatMap(([words, ops, status]) =>
      ops ? [{ text: `${words} ${count(ops)}`, colour: palette.status[status] }] : [],
    ),
  };
}

/** The most frequent words get a colour each. */
function byWord(rows: Rows, word: (row: RowJson) => string | null, palette: Palette): Colours {
  const counts = new Map<string, number>();
  for (const row of rows.values()) {
    const key = word(row) || NO_WORD;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const words = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
  const shown = words.slice(0, SERIES);
  const colour = new Map(shown.map((key, i) => [key, seriesColour(palette, i)]));
  const rest = words.slice(SERIES).reduce((sum, key) => sum + counts.get(key)!, 0);
  const other = palette.status.unknown;
  return {
    of: op => (rows.has(op) ? (colour.get(word(rows.get(op)!) || NO_WORD) ?? other) : other),
    legend: [
      ...shown.map(key => ({ text: `${key} ${count(counts.get(key)!)}`, colour: colour.get(key)! })),
      ...(rest > 0 ? [{ text: `others ${count(rest)}`, colour: other }] : []),
    ],
  };
}
const NO_WORD = 'none';

function byLostTime(rows: Rows, palette: Palette): Colours {
  const most = Math.max(0, ...Array.from(rows.values(), row => row.lost_time_s ?? 0));
  const ramp = rampColour(palette);
  // Larger values contrast more with the background.
  const dark = /^#[0-7]/.test(palette.surface);
  const share = (lost: number) => (lost > 0 ? Math.max(0, 1 - Math.log(lost / most) / Math.log(FAINTEST)) : 0);
  const part = (lost: number) => (dark ? share(lost) : 0.9 * (1 - share(lost)));
  const none = palette.status.unknown;
  const of = (lost: number | null | undefined) => (lost == null || most === 0 ? none : ramp(part(lost)));
  return {
    of: op => of(rows.get(op)?.lost_time_s),
    legend:
      most > 0
        ? [1, 0.1, 0.01, FAINTEST].map(share => ({
            text: `${seconds(most * share)} above bound`,
            colour: ramp(part(most * share)),
          }))
        : [{ text: 'no time above the bound', colour: none }],
  };
}
