// A summary of the source for a link: its operations in numbers instead of the file.
import { packed } from '../core/assets';
import { core } from '../core/core';
import type { CarriedFile } from './link';
import { opened } from '../sources/files';
import { withoutNames } from './anonymous';

const MOST_ROWS = 4000;
const MOST_BYTES = 24e3; // packed; beyond, fewer operations are listed and the others added up by type

export interface Summary {
  file: CarriedFile;
  whole: boolean; // every operation is listed
}

/** The summary that fits into a link. */
export async function summarised(names: boolean): Promise<Summary> {
  for (let most = MOST_ROWS; ; ) {
    const json = await (await core().operationRows(most)).text();
    const { whole, rows } = JSON.parse(json) as { whole: boolean; rows: unknown[] };
    const text = await packed(new Blob([(names ? null : withoutNames(json)) ?? json]));
    const name = names ? `${opened.value?.source ?? 'operations'} (summary)` : 'operations.json';
    if (text.length <= MOST_BYTES || most === 0) return { file: { file: name, text, encoding: 'gzip' }, whole };
    most = Math.floor(Math.min(most, rows.length) * Math.min(0.9, MOST_BYTES / text.length));
  }
}
