// Colours of the points: by status, or by a value of their table rows.
import type { RowJson, StatusName } from '../../../wasm/session';
import { count, seconds } from '../format';
import { formatName } from '../core/catalogue';
import type { Frame } from '../core/engine';
import { seriesColour, type Palette } from '../plot/palette';
import { rampColour } from '../plot/ramp';

export const COLOURINGS = {
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
  /** Of an operation; `status`: the colour where nothing else is asked for. */
  of: (op: number, status: StatusName) => string;
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
export function coloursOf(by: Colouring, { json }: Frame, rows: Rows, palette: Palette): Colours {
  const words = WORDS[by];
  if (words) return byWord(rows, words, palette);
  if (by === 'lost') return byLostTime(rows, palette);
  return {
    of: (_, status) => palette.status[status],
    legend: json.statuses.flatMap(status => {
      const ops = json.shown.by_status[status];
      return ops ? [{ text: `${status.replace('-', ' ')} ${count(ops)}`, colour: palette.status[status] }] : [];
    }),
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
  const bright = /^#[0-7]/.test(palette.surface);
  const share = (lost: number) => (lost > 0 ? Math.max(0, 1 - Math.log(lost / most) / Math.log(FAINTEST)) : 0);
  const part = (lost: number) => (bright ? share(lost) : 0.9 * (1 - share(lost)));
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
