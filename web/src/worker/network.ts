// Networks' files, such as ONNX models: their operations as commands.json; and the models in the headers of GGUF and safetensors files. By a
// module of its own, which is fetched with the first of them.
// The module reads the file by ranges, so that weights stay where they are.
import type { Fault, NetworkChoices } from '../../../wasm/session';
import type { InputFile } from './messages';

interface Exports {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
  reserve(size: number): number;
  answer(): number;
  answer_size(): number;
  is_network(nameSize: number): number;
  open_network(size: number): void;
  commands(): void;
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

let load: (() => Promise<ArrayBuffer>) | undefined;
let started: Promise<Exports> | undefined;
let file: Blob; // the one that the module reads
let open: InputFile | null = null; // the network that is open there

/// `loader`: fetches the module.
export function loadNetworksBy(loader?: () => Promise<ArrayBuffer>) {
  load = loader;
}

async function start(): Promise<Exports> {
  const reader = new FileReaderSync();
  let memory: WebAssembly.Memory;
  const page = {
    read(offset: number, to: number, bytes: number) {
      try {
        const range = reader.readAsArrayBuffer(file.slice(offset, offset + bytes));
        new Uint8Array(memory.buffer).set(new Uint8Array(range), to);
        return range.byteLength === bytes ? 1 : 0;
      } catch {
        return 0; // the file has changed or is gone
      }
    },
  };
  // What C++'s library may call besides: there are no files, and nobody reads what is printed.
  const nothing = new Proxy({}, { get: () => () => 0, has: () => true }) as WebAssembly.ModuleImports;
  const { instance } = await WebAssembly.instantiate(await load!(), importsFor({ page }, nothing));
  const exports = instance.exports as unknown as Exports;
  memory = exports.memory;
  exports._initialize?.();
  return exports;
}

/// The imports by name, and `rest` for every other module.
const importsFor = (own: WebAssembly.Imports, rest: WebAssembly.ModuleImports): WebAssembly.Imports => ({
  env: rest,
  wasi_snapshot_preview1: rest,
  ...own,
});

const module = () =>
  (started ??= start().catch((error: unknown) => {
    started = undefined; // the next network tries again
    throw error;
  }));

function put(exports: Exports, ...parts: Uint8Array[]) {
  const at = exports.reserve(parts.reduce((sum, part) => sum + part.length, 0));
  let next = at;
  for (const part of parts) {
    new Uint8Array(exports.memory.buffer).set(part, next);
    next += part.length;
  }
}

const answerOf = (exports: Exports) =>
  new Uint8Array(exports.memory.buffer).slice(exports.answer(), exports.answer() + exports.answer_size());

function throwFault(answer: Uint8Array) {
  const { error } = JSON.parse(new TextDecoder().decode(answer)) as { error?: Fault };
  if (error) throw error;
}

interface FileStart {
  name: string;
  size: number; // of the file
  bytes: number; // of what is given of it
}

/// The language model in the headers of GGUF files; null: they take more than `starts`, the first bytes of each.
export async function ggufHeaders(list: FileStart[], starts: Blob[]): Promise<object | null> {
  const exports = await module();
  const text = new TextEncoder().encode(JSON.stringify(list));
  put(exports, text, new Uint8Array(await new Blob(starts).arrayBuffer()));
  exports.gguf(text.length);
  const answer = answerOf(exports);
  throwFault(answer);
  return (JSON.parse(new TextDecoder().decode(answer)) as { model: object | null }).model;
}

/// The language model of a checkpoint, by its config.json, the index of its safetensors files ('': none) and their headers, `starts`.
export async function checkpointHeaders(
  config: string,
  index: string,
  list: FileStart[],
  starts: Blob[],
): Promise<object> {
  const exports = await module();
  const texts = [config, index, JSON.stringify(list)].map(text => new TextEncoder().encode(text));
  put(exports, ...texts, new Uint8Array(await new Blob(starts).arrayBuffer()));
  exports.checkpoint(texts[0]!.length, texts[1]!.length, texts[2]!.length);
  const answer = answerOf(exports);
  throwFault(answer);
  return (JSON.parse(new TextDecoder().decode(answer)) as { model: object }).model;
}

/// Whether a file is a network, by its name and its first bytes. Only what may be one fetches the module.
export async function isNetwork({ name, blob }: InputFile): Promise<boolean> {
  if (!load) return false;
  const bytes = new Uint8Array(await blob.slice(0, START_BYTES).arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes);
  if (!ENDINGS.test(name) && !text.startsWith('TFL3', 4) && bytes[0] !== 0x08) return false;
  const exports = await module();
  const name8 = new TextEncoder().encode(name);
  put(exports, name8, bytes);
  return exports.is_network(name8.length) === 1;
}

/// A network's operations as a file of commands.json, at the dimensions chosen.
export async function networkCommands(input: InputFile, choices: NetworkChoices = {}): Promise<InputFile> {
  const exports = await module();
  if (open?.blob !== input.blob) {
    open = null;
    file = input.blob;
    put(exports, new TextEncoder().encode(input.name));
    exports.open_network(file.size);
    throwFault(answerOf(exports));
    open = input;
  }
  put(exports, new TextEncoder().encode(JSON.stringify(choices)));
  exports.commands();
  const answer = answerOf(exports);
  if (new TextDecoder().decode(answer.subarray(0, ERROR.length)) === ERROR) throwFault(answer);
  return { name: input.name, blob: new Blob([answer]) };
}
