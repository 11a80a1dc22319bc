// A table whose columns the user has to map.
import { signal } from '@preact/signals';
import type { TableColumns } from '../../../wasm/session';
import type { InputFile } from '../worker/messages';
import { core } from '../core/core';
import { openFiles } from './files';
import { placeInFile } from '../format';
import { complain, faults, opened, source } from './opened';
import { inPageWords } from './page_words';
import { openedFiles } from './source_files';

export interface AskedColumns extends Required<Omit<TableColumns, 'error'>> {
  file: InputFile;
  refused: string; // why the table could not be read; empty: it is open
  chosen: Record<string, string>; // by header, as ReadOverrides.columns has it
}
export const askedColumns = signal<AskedColumns | null>(null);

/** Asks the user to map the columns of a table. */
export async function askColumns(file: InputFile) {
  const { error, columns = [], choices = [] } = await core().columns(file);
  const from = source.value;
  const chosen = (from && 'file' in from && from.file === file.name && from.as?.columns) || {};
  if (error) complain(file.name, error);
  else askedColumns.value = { file, columns, choices, chosen, refused: refusalOf(file.name) };
}

const refusalOf = (name: string) => {
  const fault = faults.value.find(({ file }) => file === name)?.fault;
  return fault ? [placeInFile(fault), inPageWords(fault.message)].filter(Boolean).join(': ') : '';
};

/** The same for the open table; null: the source is no table. */
export function askOpenColumns() {
  const file = openedFiles()[0];
  return file && opened.value?.format === 'kernels' ? () => void askColumns(file) : null;
}

/** Reads the table with the chosen mapping. */
export function readColumns(chosen: Record<string, string>) {
  const asked = askedColumns.value;
  askedColumns.value = null;
  if (asked) void openFiles([asked.file], { source: { file: asked.file.name, as: { columns: chosen } } });
}
