// The analysis, the picture and the settings as files.
import { download } from '../download';
import { plotPng, plotSvg } from '../plot/export';
import { core } from '../state/core';
import { panelFrame } from '../state/engine';
import { exportChanges, exportConfig, exportDocument, exportName } from '../state/exports';
import { complain, opened } from '../state/files';
import { view, viewState } from '../state/view';
import { shownColumns, tableCsv } from '../widgets/columns';
import { Menu } from '../widgets/Menu';

/** The menu of all exports. */
export function ExportMenu() {
  const run = (close: () => void, write: () => Promise<void>) => () => {
    close();
    write().catch((error: unknown) => complain('Export', error));
  };
  return (
    <Menu label="Export">
      {close => (
        <>
          {ITEMS.filter(([label]) => label !== 'Changes (CSV)' || opened.value?.before).map(([label, text, write]) => (
            <button key={label} type="button" class="item" onClick={run(close, write)}>
              <strong>{label}</strong>
              <span class="muted">{text}</span>
            </button>
          ))}
        </>
      )}
    </Menu>
  );
}

const ITEMS: [string, string, () => Promise<void>][] = [
  ['JSON', 'every operation, all figures', () => exportDocument('json', 'application/json', 'roofline.json')],
  ['CSV', 'the same, one row per operation', () => exportDocument('csv', 'text/csv')],
  ['Table (CSV)', 'the rows and columns that the table shows, in its order', exportTable],
  ['Changes (CSV)', 'the comparison, one row per operation', exportChanges],
  ['PNG', 'the plot as it is shown, else the roofline', exportPng],
  ['SVG', 'the same, to scale', exportSvg],
  ['roofline_config.json', 'machine, thresholds, what-if', exportConfig],
];

const MOST_ROWS = 100_000;

async function exportTable() {
  const rows = await core().rows(view.value, Math.min(panelFrame.value?.json.table.total ?? 0, MOST_ROWS));
  download(
    new Blob([tableCsv(shownColumns(), rows)], { type: 'text/csv' }),
    `${exportName()}.${viewState.value.level ?? 'table'}.csv`,
  );
}

async function exportPng() {
  const blob = await plotPng();
  if (blob) download(blob, `${exportName()}.png`);
}

/** Points carry the names of their operations: those that take longest are the points. */
async function exportSvg() {
  const rows = await core().rows(
    { ...view.value, sort: 'time', descending: true },
    panelFrame.value?.points.length ?? 0,
  );
  const svg = plotSvg(new Map(rows.map(({ index, name }) => [index, name])));
  download(new Blob([svg], { type: 'image/svg+xml' }), `${exportName()}.svg`);
}
