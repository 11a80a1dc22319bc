// What is open as files: the core's documents and the settings.
import { download } from '../download';
import type { ExportKind } from '../worker/messages';
import { core } from './core';
import { opened } from './files';

/** Saves one of the core's documents. */
export async function exportDocument(kind: ExportKind, type: string, extension: string = kind) {
  download(new Blob([await core().write(kind)], { type }), `${exportName()}.${extension}`);
}

/** Saves the comparison, one row per operation. */
export const exportChanges = () => exportDocument('compare.csv', 'text/csv');

/** Saves the settings as the core writes them. */
export async function exportConfig() {
  download(new Blob([await core().savedConfig()], { type: 'application/json' }), 'roofline_config.json');
}

/** What files are called after, without their ending. */
export const exportName = () =>
  (opened.value?.source ?? 'roofline').replace(/(\.json|\.csv)?(\.gz)?$/i, '') || 'roofline';
