// A checkpoint: config.json and safetensors files that are opened together. Of the files only the headers are read.
import type { InputFile } from './messages';
import { checkpointHeaders } from './network';

const LENGTH_BYTES = 8; // of the header's length, which begins a safetensors file

export const isCheckpointIndex = (name: string) => /\.safetensors\.index\.json$/i.test(name);

/// The model of `config`, with the bytes that the files' headers state, as JSON. `index`: '' where none was opened.
export async function checkpointModel(config: string, index: string, files: InputFile[]): Promise<string> {
  const starts = await Promise.all(
    files.map(async ({ blob }) => {
      const length = new DataView(await blob.slice(0, LENGTH_BYTES).arrayBuffer()).getBigUint64(0, true);
      return blob.slice(0, LENGTH_BYTES + Number(length));
    }),
  );
  const list = files.map(({ name, blob }, i) => ({ name, size: blob.size, bytes: starts[i]!.size }));
  return JSON.stringify(await checkpointHeaders(config, index, list, starts));
}
