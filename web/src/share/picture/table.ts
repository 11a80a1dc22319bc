// Draws a table of the page: its texts, colour marks and bars.
import { fitted, line, rect, type Surface, type TextStyle } from '../../plot/surface';
import type { Draw } from '../../plot/exported';

const ROW = 20;
const GAP = 14; // between columns
const DOT = 12;
const NARROWEST = 130; // px to which a long text is cut

interface Cell {
  text: string;
  number: boolean; // stands at the right
  bold: boolean;
  head: boolean;
  span: number;
  dot?: string; // colour
  bars: { share: number; colour: string }[];
}

/** The drawing of a table, up to `room` high; it counts the rows left out. */
export function tablePart(table: HTMLTableElement, surface: Surface, width: number, room: number) {
  const rows = Array.from(table.rows)
    .filter(row => !row.matches('.spacer') && row.offsetParent !== null)
    .map(row => Array.from(row.cells, cellOf));
  const fit = Math.max(2, Math.floor(room / ROW));
  const shown = rows.length > fit ? rows.slice(0, fit - 1) : rows;
  const widths = columnWidths(surface, shown, width);
  const draw: Draw = part => {
    shown.forEach((cells, i) => drawRow(part, cells, widths, i * ROW));
    if (shown.length < rows.length)
      part.text(`… ${rows.length - shown.length} more rows`, 0, shown.length * ROW + 14, {
        colour: part.palette.muted,
      });
  };
  return { height: (shown.length + (shown.length < rows.length ? 1 : 0)) * ROW + 8, draw };
}

function cellOf(cell: HTMLTableCellElement): Cell {
  const style = getComputedStyle(cell);
  const mark = cell.querySelector('.status, .dot, .swatch');
  const dot = mark && (getComputedStyle(mark).getPropertyValue('--colour') || getComputedStyle(mark).backgroundColor);
  const bars = Array.from(cell.querySelectorAll<HTMLElement>('.bound-bar > *'), bar => ({
    share: bar.offsetWidth / cell.clientWidth,
    colour: getComputedStyle(bar).backgroundColor,
  }));
  return {
    text: cell.innerText
      .replace(/\s+/g, ' ')
      .replace(/ [▾▴]$/, '')
      .trim(),
    number: style.textAlign === 'right' || style.textAlign === 'end',
    bold: Number(style.fontWeight) >= 600,
    head: cell.closest('thead') !== null,
    span: cell.colSpan,
    ...(dot && { dot: resolved(dot, cell) }),
    bars,
  };
}

/** Resolves a CSS variable, which has no meaning outside the page. */
function resolved(colour: string, element: Element) {
  const name = /^var\((--[\w-]+)\)$/.exec(colour.trim())?.[1];
  return name ? getComputedStyle(element).getPropertyValue(name).trim() : colour.trim();
}

const styleOf = ({ bold, head }: Cell): TextStyle => ({ weight: bold ? 600 : head ? 500 : 400 });

/** As wide as the texts. If that is too wide, shrinks the widest columns, then drops the last ones. */
function columnWidths(surface: Surface, rows: Cell[][], width: number) {
  const widths: number[] = [];
  for (const cells of rows) {
    let at = 0;
    for (const cell of cells) {
      const wanted = cell.bars.length ? 160 : surface.textWidth(cell.text, styleOf(cell)) + (cell.dot ? DOT : 0) + GAP;
      if (cell.span === 1) widths[at] = Math.max(widths[at] ?? GAP, Math.ceil(wanted));
      at += cell.span;
    }
  }
  const full = () => widths.reduce((sum, px) => sum + px, 0);
  const most = () => Math.max(...widths);
  while (full() > width && most() > NARROWEST) widths[widths.indexOf(most())] = Math.max(NARROWEST, most() - 4);
  while (full() > width) widths.pop(); // the first columns say most
  return widths;
}

function drawRow(surface: Surface, cells: Cell[], widths: number[], top: number) {
  const { palette } = surface;
  const total = widths.reduce((sum, px) => sum + px, 0);
  let left = 0;
  let at = 0;
  for (const cell of cells) {
    if (at >= widths.length) break;
    const width = widths.slice(at, at + cell.span).reduce((sum, px) => sum + px, 0);
    const right = left + width - GAP;
    const style = { ...styleOf(cell), colour: cell.head ? palette.muted : palette.ink };
    const start = left + (cell.dot ? DOT : 0);
    if (cell.dot) surface.path(path => path.circle(left + 4, top + 10, 4), { fill: cell.dot });
    let bar = left;
    for (const { share, colour } of cell.bars) {
      const end = bar + share * (width - GAP);
      rect(surface, { left: bar, top: top + 4, right: end, bottom: top + 16 }, { fill: colour });
      bar = end;
    }
    if (!cell.bars.length) {
      const text = fitted(surface, cell.text, right - start, style);
      if (cell.number) surface.text(text, right, top + 14, { ...style, align: 'right' });
      else surface.text(text, start, top + 14, style);
    }
    left += width;
    at += cell.span;
  }
  line(surface, 0, top + ROW - 0.5, total, top + ROW - 0.5, { stroke: palette.grid });
}
