// Networks' files, such as ONNX models: their operations as commands.json; and the models in the headers of GGUF and safetensors files.
// The module reads the file by ranges, so that weights stay where they are.
import type { Fault, NetworkChoices } from '../../../wasm/session';
import type { Answer, InputFile } from './messages';
import { canLoad, onDemand } from './on_demand';

interface NetworkCalls {
  is_network(nameSize: number): number;
  open_network(size: number): void;
  commands(): void;
  modules(): void;
  sweep(settingsSize: number): void;
  gguf(listSize: number): void;
  checkpoint(configSize: number, indexSize: number, listSize: number): void;
}

const ENDINGS = /\.(onnx|tflite|xml|pt2)$/i;
const START_BYTES = 4096; // network_start_bytes

/// Of workers: reads at once what it is asked for.
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const ERROR = '{"error"';

let file: Blob; // the one that the module reads
let open: InputFile | null = null; // the network that is open there

const network = onDemand<NetworkCalls>('network.wasm', memory => {
  const reader = new FileReaderSync();
  return {
    read(offset: number, to: number, bytes: number) {
      try {
        const range = reader.readAsArrayBuffer(file.slice(offset, offset + bytes));
        new Uint8Array(memory()).set(new Uint8Array(range), to);
        return range.byteLength === bytes ? 1 : 0;
      } catch {
        return 0; // the file has changed or is gone
      }
    },
  };
});

interface FileStart {
  name: string;
  size: number; // of the file
  bytes: number; // of what is given of it
}

/// The language model in the headers of GGUF files; null: they take more than `starts`, the first bytes of each.
export async function ggufHeaders(list: FileStart[], starts: Blob[]): Promise<object | null> {
  const module = await network();
  const text = new TextEncoder().encode(JSON.stringify(list));
  module.put(text, new Uint8Array(await new Blob(starts).arrayBuffer()));
  module.exports.gguf(text.length);
  return (module.json() as { model: object | null }).model;
}

/// The language model of a checkpoint, by its config.json, the index of its safetensors files ('': none) and their headers, `starts`.
export async function checkpointHeaders(
  config: string,
  index: string,
  list: FileStart[],
  starts: Blob[],
): Promise<object> {
  const module = await network();
  const texts = [config, index, JSON.stringify(list)].map(text => new TextEncoder().encode(text));
  module.put(...texts, new Uint8Array(await new Blob(starts).arrayBuffer()));
  module.exports.checkpoint(texts[0]!.length, texts[1]!.length, texts[2]!.length);
  return (module.json() as { model: object }).model;
}

/// Whether a file is a network, by its name and its first bytes. Only what may be one fetches the module.
export async function isNetwork({ name, blob }: InputFile): Promise<boolean> {
  if (!canLoad()) return false;
  const bytes = new Uint8Array(await blob.slice(0, START_BYTES).arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes);
  if (!ENDINGS.test(name) && !text.startsWith('TFL3', 4) && bytes[0] !== 0x08) return false;
  const module = await network();
  const name8 = new TextEncoder().encode(name);
  module.put(name8, bytes);
  return module.exports.is_network(name8.length) === 1;
}

/// A network's operations as a file of commands.json, at the dimensions chosen.
export async function networkCommands(input: InputFile, choices: NetworkChoices = {}): Promise<InputFile> {
  const module = await network();
  if (open?.blob !== input.blob) {
    open = null;
    file = input.blob;
    module.put(new TextEncoder().encode(input.name));
    module.exports.open_network(file.size);
    module.json();
    open = input;
  }
  module.put(new TextEncoder().encode(JSON.stringify(choices)));
  module.exports.commands();
  const answer = module.answer();
  if (new TextDecoder().decode(answer.subarray(0, ERROR.length)) === ERROR) throwFault(answer);
  return { name: input.name, blob: new Blob([answer]) };
}

/// Of the network that was opened last, as it is now read, under settings: its sums by module, or what it takes over a range of a
/// dimension ("batch=1..64").
export async function askNetwork<T>(settings: string, range?: string): Promise<Answer<T> | { error: Fault }> {
  const module = await network();
  const config = new TextEncoder().encode(settings);
  module.put(config, new TextEncoder().encode(range ?? ''));
  if (range === undefined) module.exports.modules();
  else module.exports.sweep(config.length);
  const json = JSON.parse(new TextDecoder().decode(module.answer())) as T & { error?: Fault };
  return json.error ? { error: json.error } : { json, columns: {} };
}

function throwFault(answer: Uint8Array): never {
  throw (JSON.parse(new TextDecoder().decode(answer)) as { error: Fault }).error;
}
