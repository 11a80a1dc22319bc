// The tables of the shown view, for Export.
import type { Maybe } from '../format';

export type CsvCell = Maybe | string; // null: empty

interface ShownTable {
  element: () => HTMLTableElement | null;
  lines: () => CsvCell[][]; // head first
}

/** Those on the page. A table adds itself while it is mounted. */
export const mountedTables = new Set<ShownTable>();

/** The tables of the view in their order on the page, without those of panels. */
const tablesOfView = () =>
  [...mountedTables]
    .flatMap(table => ({ element: table.element(), table }))
    .filter(({ element }) => element?.closest('.view'))
    .sort((a, b) => (a.element!.compareDocumentPosition(b.element!) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));

export const viewHasTables = () => tablesOfView().length > 0;

/** The view's tables as CSV; several with their captions, and an empty line between two of them. */
export const viewTablesCsv = () =>
  tablesOfView()
    .map(({ element, table }, _, all) => {
      const caption = all.length > 1 && element!.caption?.textContent;
      return csv([...(caption ? [[caption]] : []), ...table.lines()]);
    })
    .join('\r\n');

/** Prefixes an apostrophe to text that a spreadsheet would run as a formula, as in the core's CSV. */
const guarded = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);
const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Lines of cells as CSV; numbers with every digit. */
export const csv = (lines: CsvCell[][]) =>
  lines
    .map(cells =>
      cells
        .map(cell => (cell == null ? '' : typeof cell === 'number' ? String(cell) : quoted(guarded(cell))))
        .join(','),
    )
    .join('\r\n') + '\r\n';
