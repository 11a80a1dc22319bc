// The analysis, the picture and the settings as files.
import { chartPng } from '../chart/png';
import { download } from '../download';
import { core } from '../state/core';
import { complain, opened } from '../state/files';
import type { ExportKind } from '../worker/messages';
import { frame } from '../state/engine';
import { view, viewState } from '../state/view';
import { tableCsv } from '../views/columns';
import { shownColumns } from '../views/OpTable';
import { Menu } from '../widgets/Menu';

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
            <button key={label} type="button" class="item" onClick={run(close, write)}><strong>{label}</strong><span class="muted">{text}</span></button>
          ))}
        </>
      )}
    </Menu>
  );
}

const ITEMS: [string, string, () => Promise<void>][] = [
  ['JSON', 'every operation, all figures', () => written('json', 'application/json')],
  ['CSV', 'the same, one row per operation', () => written('csv', 'text/csv')],
  ['Table (CSV)', 'the rows and columns that the table shows, in its order', table],
  ['Changes (CSV)', 'the comparison, one row per operation', changes],
  ['PNG', 'the chart as it is zoomed', png],
  ['SVG', 'the chart, to scale', () => written('svg', 'image/svg+xml')],
  ['roofline_config.json', 'machine, thresholds, what-if', config],
];

async function written(kind: ExportKind, type: string) {
  const blob = await core().write(kind);
  download(new Blob([blob], { type }), `${baseName()}.${kind === 'json' ? 'roofline.json' : kind}`);
}

const MOST_ROWS = 100_000;

export async function table() {
  const rows = await core().rows(view.value, Math.min(frame.value?.json.table.total ?? 0, MOST_ROWS));
  const level = viewState.value.level ?? 'table';
  download(new Blob([tableCsv(shownColumns(), rows)], { type: 'text/csv' }), `${baseName()}.${level}.csv`);
}

export async function changes() {
  download(new Blob([await core().write('compare.csv')], { type: 'text/csv' }), `${baseName()}.compare.csv`);
}

async function png() {
  const blob = await chartPng();
  if (blob) download(blob, `${baseName()}.png`);
}

async function config() {
  download(new Blob([await core().savedConfig()], { type: 'application/json' }), 'roofline_config.json');
}

const baseName = () => (opened.value?.source ?? 'roofline').replace(/(\.json|\.csv)?(\.gz)?$/i, '') || 'roofline';
