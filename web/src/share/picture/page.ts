// A picture of the current view: title and finding, then its charts, tables and texts in their order, and the source.
import { machineAndBasis, panelFrame } from '../../core/engine';
import { printedName } from '../../sources/opened';
import { finding } from '../../core/finding';
import type { Palette } from '../../plot/palette';
import { wrapped, type Surface, type TextStyle } from '../../plot/surface';
import { SvgSurface } from '../../plot/svg';
import { exportedChartOf, type Draw } from '../../plot/exported';
import { tablePart } from './table';

export interface Page {
  width: number;
  height: number;
  draw: Draw;
}

interface Part {
  height: number;
  draw: Draw;
}

const MARGIN = 16;
const GAP = 10;
const TITLE: TextStyle = { size: 15, weight: 600 };
const TEXT: TextStyle = { size: 12 };
const HEADING: TextStyle = { size: 12, weight: 600 };
const LEAST_FIGURE = 180;
const FIGURE_SHARE = 0.6; // of the height at least, where the picture may grow
const BESIDE_FIGURE = 400; // px of a table
const LONGEST_TABLE = 1600;

const CONTENT = 'canvas, .chart-box, table, h3, h4, p, .crossings li, dl.facts > div, .changes li';
const CHROME =
  '.view-controls, .sweep-bar, .precision-controls, .legend, .tooltip, .readout, .hint, form, .visually-hidden';

/** Draws the view at a width, and a least or exact height. */
export async function layOut(width: number, height: number, exact: boolean, palette: Palette): Promise<Page> {
  const ruler = new SvgSurface(width, height, palette);
  const inner = width - 2 * MARGIN;
  const header = headerOf(ruler, inner, palette);
  const footer = textPart(ruler, footerText(), inner, { size: 11, colour: palette.muted }, 15);
  const elements = contentOf(viewElement());
  const figures = elements.filter(element => exportedChartOf(element));
  const around = header.height + footer.height + 2 * MARGIN;
  const texts = new Map<Element, Part>();
  let used = 0;
  const room = height - around;
  const share = figures.length > 0 ? 0.4 : 1; // of the height, for each table
  for (const element of elements) {
    if (exportedChartOf(element)) continue;
    const part =
      element instanceof HTMLTableElement
        ? tablePart(element, ruler, inner, exact ? room * share - used : figures.length ? BESIDE_FIGURE : LONGEST_TABLE)
        : textPart(ruler, textOf(element), inner, /^H\d$/.test(element.tagName) ? HEADING : TEXT, 17);
    texts.set(element, part);
    used += part.height + GAP;
  }
  const left = Math.max(
    exact ? LEAST_FIGURE : height * FIGURE_SHARE,
    (room - used - GAP * figures.length) / Math.max(1, figures.length),
  );
  const parts: Part[] = [];
  for (const element of elements) {
    const prepare = exportedChartOf(element);
    if (!prepare) parts.push(texts.get(element)!);
    else {
      const tall = figures.length === 1 || exact ? left : Math.max(LEAST_FIGURE, inner * aspectOf(element));
      parts.push({ height: tall, draw: await prepare(inner, tall, palette) });
    }
  }
  const body = parts.reduce((sum, part) => sum + part.height + GAP, 0);
  const full = exact ? height : Math.max(figures.length ? height : 0, around + body - GAP);
  return {
    width,
    height: full,
    draw: surface => {
      let top = MARGIN;
      const place = (part: Part) => {
        surface.part({ left: MARGIN, top, right: MARGIN + inner, bottom: top + part.height }, part.draw);
        top += part.height + GAP;
      };
      place({ ...header, height: header.height - GAP });
      surface.clip({ left: 0, top, right: width, bottom: full - footer.height - MARGIN / 2 }, () =>
        parts.forEach(place),
      );
      top = full - footer.height - MARGIN / 2;
      place(footer);
    },
  };
}

/** The section of the view; where only the table is shown there is none. */
const viewSection = () => document.querySelector('main .view');
const viewElement = (): Element => viewSection()?.firstElementChild ?? document.querySelector('.table-frame')!;

function contentOf(root: Element) {
  const all = [root, ...root.querySelectorAll(CONTENT)].filter(
    element => element.matches(CONTENT) && (!element.closest(CHROME) || exportedChartOf(element)),
  );
  return all.filter(
    element =>
      (element as HTMLElement).offsetParent !== null &&
      (exportedChartOf(element) || (element.tagName !== 'CANVAS' && textOf(element) !== '')) &&
      !all.some(other => other !== element && other.contains(element)),
  );
}

const textOf = (element: Element) => (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim();
const aspectOf = ({ clientWidth, clientHeight }: Element) => clientHeight / (clientWidth || 1);

function headerOf(ruler: Surface, width: number, palette: Palette): Part {
  const { source } = panelFrame.value!.json;
  const sentence = finding.value.map(part => part.text).join('');
  const view = viewSection()?.ariaLabel?.replace(/ view$/, '');
  const name = printedName(source);
  const title = textPart(ruler, view ? `${name} · ${view}` : name, width, TITLE, 20);
  const text = textPart(ruler, sentence, width, { ...TEXT, colour: palette.ink }, 17);
  return {
    height: title.height + text.height + GAP,
    draw: surface => {
      title.draw(surface);
      surface.part({ left: 0, top: title.height, right: width, bottom: title.height + text.height }, text.draw);
    },
  };
}

const footerText = () =>
  [machineAndBasis(), new Date().toISOString().slice(0, 10), 'Roofline'].filter(Boolean).join(' · ');

function textPart(ruler: Surface, text: string, width: number, style: TextStyle, leading: number): Part {
  const lines = wrapped(ruler, text, width, style);
  return {
    height: lines.length * leading,
    draw: surface => lines.forEach((words, i) => surface.text(words, 0, leading * (i + 0.75), style)),
  };
}
