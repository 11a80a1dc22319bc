// The analysis, the picture and the settings as files.
import { count } from '../format';
import { download } from '../core/download';
import { core } from '../core/core';
import { panelFrame } from '../core/engine';
import { commandFiles } from './command_files';
import { copyCommand, exportChanges, exportConfig, exportDocument, exportName, exportReport } from './exports';
import { complain, notice, opened } from '../sources/opened';
import { view, viewState } from '../core/view';
import { withSizesForEqualNames } from '../table/with_sizes';
import { shownColumns, tableCsv } from '../widgets/columns';
import { viewHasTables, viewTablesCsv } from '../core/shown_tables';
import { shownView } from '../shell/views';
import { pictureOpen } from '../core/dialogs';
import { Menu } from '../widgets/Menu';
import { late } from '../widgets/late';

const PictureDialog = late('PictureDialog');

/** The menu of all exports. */
export function ExportMenu() {
  const run = (close: () => void, write: () => Promise<void>) => () => {
    close();
    write().catch((error: unknown) => complain('Export', error));
  };
  return (
    <>
      <Menu label="Export" align="right">
        {close => (
          <>
            {items().map(([label, text, write]) => (
              <button key={label} type="button" class="item" onClick={run(close, write)}>
                <strong>{label}</strong>
                <span class="muted">{text.replace('OPS', exportedOps())}</span>
              </button>
            ))}
          </>
        )}
      </Menu>
      {pictureOpen.value && <PictureDialog />}
    </>
  );
}

/** The operations in exported documents: those that the filters let through, as in the table. */
function exportedOps() {
  const { shown, all } = panelFrame.value?.json ?? {};
  return !shown || shown.ops === all!.ops ? 'all operations' : `${count(shown.ops)} of ${count(all!.ops)} operations`;
}

type Item = [label: string, text: string, write: () => Promise<void>];

const items = (): Item[] => [
  ['Picture…', 'the current view as PNG or SVG, or to paste', async () => void (pictureOpen.value = true)],
  ['Report (HTML)', 'this page with its data, in one file to pass on', exportReport],
  ['JSON', 'OPS, all figures', () => exportDocument('json', 'application/json', 'roofline.json')],
  ['CSV', 'OPS, all figures, named as in the JSON', () => exportDocument('csv', 'text/csv', 'roofline.csv')],
  ...(viewHasTables() ? [[`${shownView().tab.label} (CSV)`, 'all tables of this view', exportViewTables] as Item] : []),
  ['Operations (CSV)', 'the table as shown, in the words of the page', exportOperations],
  ...(opened.value?.before ? [['Changes (CSV)', 'the comparison, one row per operation', exportChanges] as Item] : []),
  ...commandFiles().map(
    ({ item, text, file, content }): Item => [item, text, async () => download(await content(), file)],
  ),
  ['roofline_config.json', 'machine, thresholds, what-if', exportConfig],
  ['Copy as command', 'these figures in a terminal, by roofline', copyCommand],
];

const MOST_ROWS = 100_000;

const csvFile = (text: string, of: string) =>
  download(new Blob([text], { type: 'text/csv' }), `${exportName()}.${of}.csv`);

const exportViewTables = async () => csvFile(viewTablesCsv(), shownView().tab.label.toLowerCase().replaceAll(' ', '_'));

async function exportOperations() {
  const integerWork = panelFrame.value?.json.integer_work ?? false;
  const total = panelFrame.value?.json.table.total ?? 0;
  const rows = await core().rows(view.value, Math.min(total, MOST_ROWS));
  csvFile(tableCsv(shownColumns(), withSizesForEqualNames(rows), integerWork), viewState.value.level ?? 'table');
  if (total > MOST_ROWS)
    notice.value = `The file has the first ${count(MOST_ROWS)} of ${count(total)} rows. Export > CSV writes every operation.`;
}
