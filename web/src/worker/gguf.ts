// GGUF files: the language model in one, or in all files of a split one, from their headers. Their weights are never read.
import type { InputFile } from './messages';
import { ggufHeaders } from './network';

const FIRST_BYTES = 1 << 20;
const MOST_BYTES = 64 << 20; // of a header, which holds the tokenizer's vocabulary
const MOST_OF_FURTHER = 4 << 20; // of the other files of a split model, which hold none

const SPLIT = /-\d{5}-of-\d{5}(?=\.gguf$)/i;

export interface GgufModel {
  file: string; // its name, of a split model without the number
  text: string; // the model, as JSON
}

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
  for (let most = FIRST_BYTES; most <= MOST_BYTES; most *= 4) {
    const starts = files.map((file, i) => file.blob.slice(0, i === 0 ? most : Math.min(most, MOST_OF_FURTHER)));
    const list = files.map((file, i) => ({ name: file.name, size: file.blob.size, bytes: starts[i]!.size }));
    const model = await ggufHeaders(list, starts);
    if (model) return { file: name, text: JSON.stringify(model) };
  }
  throw new Error(
    `${name} has a header of more than ${MOST_BYTES >> 20} MB: expected metadata, vocabulary and a list of tensors`,
  );
}
