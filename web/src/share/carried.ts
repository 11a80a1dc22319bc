// What a link carries of the user's own file: the input itself, or a summary, its operations in numbers.
import { packed } from '../core/assets';
import { core } from '../core/core';
import { isOwnFile, type CarriedFile, type LinkState, type OwnFile, type Source } from './link';
import { opened } from '../sources/opened';
import { knownFiles } from '../sources/source_files';
import { withoutNames } from './anonymous';

const MOST_ROWS = 4000;
const MOST_BYTES = 24e3; // of a packed summary; beyond, fewer operations are listed and the others added up by type

/** An input up to this size may travel in the link. */
export const INPUT_BYTES = 30e3;

const NAMELESS = 'operations.json';

export interface Carried {
  file: CarriedFile;
  before?: CarriedFile | null; // the input of the run before; null: there is none, it is not one file, or it is too large
  nameless: CarriedFile | null; // with names replaced; null: there are none
  whole: boolean; // every operation is listed
}

/** The summary that fits into a link. */
export async function summarised(): Promise<Carried> {
  for (let most = MOST_ROWS; ; ) {
    const json = await (await core().operationRows(most)).text();
    const { whole, rows } = JSON.parse(json) as { whole: boolean; rows: unknown[] };
    const file = await packedFile(`${opened.value?.source ?? 'operations'} (summary)`, json);
    if (file.text.length <= MOST_BYTES || most === 0) {
      const nameless = withoutNames(json);
      return { file, nameless: nameless === null ? null : await packedFile(NAMELESS, nameless), whole };
    }
    most = Math.floor(Math.min(most, rows.length) * Math.min(0.9, MOST_BYTES / file.text.length));
  }
}

const packedFile = async (file: string, content: BlobPart): Promise<CarriedFile> => ({
  file,
  text: await packed(new Blob([content])),
  encoding: 'gzip',
});

/** The input itself and, of a comparison, that of the run before; null: the input is not at hand. */
export async function carriedInput(
  { file, as: { columns, model } = {} }: OwnFile,
  before: Source | null,
): Promise<Carried | null> {
  const text = await (await core().sourceBlob())?.text();
  if (text === undefined) return null;
  const nameless = withoutNames(text);
  const as = { ...(columns && { columns }), ...(model && { model }) }; // the text of a network has its choices in it
  return {
    file: { ...(await packedFile(file, text)), as },
    before: before && (await carriedBefore(before)),
    nameless: nameless === null ? null : await packedFile(NAMELESS, nameless),
    whole: true,
  };
}

async function carriedBefore(from: Source): Promise<CarriedFile | null> {
  const [one, ...others] = isOwnFile(from) ? (knownFiles(from) ?? []) : [];
  if (!one || others.length > 0 || one.blob.size > INPUT_BYTES) return null;
  const { as } = from as OwnFile;
  return { ...(await packedFile(one.name, one.blob)), ...(as && { as }) };
}

/** A link's state without the files that only its sender has. */
export const withoutOwnFiles = ({ tensors: _, before, ...state }: LinkState): LinkState => ({
  ...state,
  ...(before && !isOwnFile(before) && { before }),
});
