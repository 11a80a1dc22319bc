// Networks' files, such as ONNX models: their operations as commands.json; and the models in the headers of GGUF and safetensors files.
// The module reads the file by ranges, so that weights stay where they are.
import type { Fault, NetworkChoices } from '../../../wasm/session';
import type { Answer, InputFile } from './messages';
import { canLoad, onDemand, rangesOf } from './on_demand';

interface NetworkCalls {
  is_network(nameSize: number): number;
  open_network(size: number): void;
  commands(settingsSize: number): void;
  plan(settingsSize: number): void;
  modules(settingsSize: number): void;
  network_summary(settingsSize: number): void;
  memory_advice(settingsSize: number): void;
  sweep(settingsSize: number): void;
  gguf(listSize: number): void;
  own_errors(): void;
  checkpoint(configSize: number, indexSize: number, listSize: number): void;
}

const ENDINGS = /\.(onnx|tflite|xml|pt2)$/i;
const START_BYTES = 4096; // network_start_bytes

const ERROR = '{"error"';

let file: Blob; // the one that the module reads
let open: InputFile | null = null; // the network that is open there

const network = onDemand<NetworkCalls>('network.wasm', memory => rangesOf(() => file, memory));

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

/// The module with the network of a file open in it.
async function withNetwork(input: InputFile) {
  const module = await network();
  if (open?.blob !== input.blob) {
    open = null;
    file = input.blob;
    module.put(new TextEncoder().encode(input.name));
    module.exports.open_network(file.size);
    module.json();
    open = input;
  }
  return module;
}

/// A network's operations as a file of commands.json, at the dimensions chosen. The machine of the settings decides how they are merged.
export async function networkCommands(
  input: InputFile,
  settings: string,
  choices: NetworkChoices = {},
): Promise<InputFile> {
  const module = await withNetwork(input);
  const config = new TextEncoder().encode(settings);
  module.put(config, new TextEncoder().encode(JSON.stringify(choices)));
  module.exports.commands(config.length);
  const answer = module.answer();
  if (new TextDecoder().decode(answer.subarray(0, ERROR.length)) === ERROR) throwFault(answer);
  return { name: input.name, blob: new Blob([answer]) };
}

/// A plan of formats for a network, read at the choices of `request`: answer_network_plan() of the core.
/// With `accuracy`: the SQNR of its weights, without reading its operations.
export async function networkPlan(
  input: InputFile,
  settings: string,
  request: NetworkChoices & { accuracy?: boolean },
): Promise<unknown> {
  if (!request.accuracy) await networkCommands(input, settings, request);
  const module = await withNetwork(input);
  const config = new TextEncoder().encode(settings);
  module.put(config, new TextEncoder().encode(JSON.stringify(request)));
  module.exports.plan(config.length);
  return module.json();
}

/// The quantisation error of each float tensor in a model's GGUF files, relative to the others of its class; empty: no float tensors.
export async function tensorErrors(files: InputFile[]): Promise<Record<string, number>> {
  const module = await network();
  open = null;
  file = new Blob(files.map(({ blob }) => blob));
  const list = files.map(({ name, blob }) => ({ name, size: blob.size }));
  module.put(new TextEncoder().encode(JSON.stringify(list)));
  module.exports.own_errors();
  return (module.json() as { own_errors: Record<string, number> }).own_errors;
}

/// Sums by module; the members of an analysis' summary that need the network itself; a sweep over a dimension ("batch=1..64"); proposals
/// that fit the activations into `onChip` bytes, or into the machine's on-chip memory.
export type NetworkQuestion = 'modules' | 'network_summary' | { sweep: string } | { onChip: number | undefined };

/// Of the open network `input` at its `choices`, under settings. `times`: as measured, a commands.json of names and times; or ''.
export async function networkAnswer<T>(
  input: InputFile,
  choices: NetworkChoices,
  settings: string,
  question: NetworkQuestion,
  times: string,
): Promise<Answer<T> | { error: Fault }> {
  if (open?.blob !== input.blob) await networkCommands(input, settings, choices); // another file was tried since
  const module = await network();
  const config = new TextEncoder().encode(settings);
  const asked =
    typeof question === 'string' ? times : 'sweep' in question ? question.sweep : String(question.onChip ?? '');
  module.put(config, new TextEncoder().encode(asked));
  const ask = typeof question === 'string' ? question : 'sweep' in question ? 'sweep' : 'memory_advice';
  module.exports[ask](config.length);
  const json = JSON.parse(new TextDecoder().decode(module.answer())) as T & { error?: Fault };
  return json.error ? { error: json.error } : { json, columns: {} };
}

function throwFault(answer: Uint8Array): never {
  throw (JSON.parse(new TextDecoder().decode(answer)) as { error: Fault }).error;
}
