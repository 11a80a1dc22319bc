// GGUF files: the language model in one, or in all files of a split one, from their headers. Weights are read for a plan alone, by rows.
import { MAX_GGUF_HEADER_BYTES, TOO_LONG_GGUF_HEADER } from '../protocol';
import type { InputFile } from './messages';
import { ggufHeaders, tensorErrors } from './network';

const FIRST_BYTES = 1 << 20;
const MOST_OF_FURTHER = 4 << 20; // of the other files of a split model, which hold none

const SPLIT = /-\d{5}-of-\d{5}(?=\.gguf$)/i;

interface GgufModel {
  file: string; // its name, of a split model without the number
  text: string; // the model, as JSON
}

/// The model that was read last, with its files and their tensors' errors, once they are asked for.
let last: { model: string; files: InputFile[]; errors: Promise<Record<string, number>> | undefined } | null = null;

export const isGguf = async ({ blob }: InputFile) => (await blob.slice(0, 4).text()) === 'GGUF';

/// Groups the files of each split model.
export function ggufModels(files: InputFile[]): InputFile[][] {
  const models = new Map<string, InputFile[]>();
  for (const file of files) {
    const name = file.name.replace(SPLIT, '');
    models.set(name, [...(models.get(name) ?? []), file]);
  }
  return [...models.values()];
}

/// The model in the files of one group.
export async function ggufModel(files: InputFile[]): Promise<GgufModel> {
  files = [...files].sort((a, b) => (a.name < b.name ? -1 : 1)); // by number: only the first has the model's metadata
  const name = files[0]!.name.replace(SPLIT, '');
  for (let most = FIRST_BYTES; most <= MAX_GGUF_HEADER_BYTES; most *= 4) {
    const starts = files.map((file, i) => file.blob.slice(0, i === 0 ? most : Math.min(most, MOST_OF_FURTHER)));
    const list = files.map((file, i) => ({ name: file.name, size: file.blob.size, bytes: starts[i]!.size }));
    const model = await ggufHeaders(list, starts);
    if (!model) continue;
    const text = JSON.stringify(model);
    last = { model: text, files, errors: undefined };
    return { file: name, text };
  }
  throw new Error(`${name}: ${TOO_LONG_GGUF_HEADER}`);
}

/// The errors of the tensors, by name, if `model` is the one that was read last.
export async function ggufErrors(model: unknown): Promise<Record<string, number> | undefined> {
  if (!last || JSON.stringify(model) !== last.model) return undefined;
  const read = last;
  read.errors ??= tensorErrors(read.files);
  read.errors.catch(() => (read.errors = undefined)); // the next plan tries again
  return read.errors;
}
