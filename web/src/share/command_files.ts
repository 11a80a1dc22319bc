// Files that a copied command reads and that exist only in the page. The Export menu saves each under the name that the command has for it.
import { core } from '../core/core';
import { viewState } from '../core/view';
import type { ModelRequest } from '../model/model_request';
import { before, inputItem, opened, source, unsavedInput } from '../sources/opened';
import { knownFiles, openedFiles } from '../sources/source_files';
import { isOwnFile, type Source } from './link';

interface CommandFile {
  item: string; // of the Export menu
  text: string; // what it is
  file: string; // its name
  content: () => Promise<Blob>;
}

const PASTED = 'pasted text'; // as sources/files.ts calls it
export const MODEL_FILE = 'config.json';
export const HOST_FILE = 'host.json';
export const BENCHMARK_FILE = 'benchmark.json';
export const MACHINE_BEFORE_FILE = 'machine_before.json';

/** The files that the command for the open run needs. */
export function commandFiles(): CommandFile[] {
  const { model, measured } = requestOf(source.value) ?? {};
  const { offload, beforeMachine } = viewState.value;
  return [
    ...openInput(),
    ...inputBefore(),
    ...jsonFile('Model', MODEL_FILE, model),
    ...(isModel() ? jsonFile('Host', HOST_FILE, offload?.host) : []),
    ...jsonFile('Benchmark', BENCHMARK_FILE, measured),
    ...(opened.value?.before ? jsonFile('Machine before', MACHINE_BEFORE_FILE, beforeMachine) : []),
  ];
}

const isModel = () => source.value && 'built' in source.value && source.value.built === 'model';

/** The request of the open language model, or of the one beside the kernels of a trace. */
function requestOf(from: Source | null): Partial<ModelRequest> | undefined {
  if (from && 'built' in from) return from.built === 'model' ? from.request : undefined;
  return from && 'file' in from ? (from.as?.model as Partial<ModelRequest>) : undefined;
}

/** Empty unless value is an object: an id needs no file. */
const jsonFile = (item: string, file: string, value: unknown): CommandFile[] =>
  typeof value === 'object' && value !== null
    ? [{ item, text: `${file}, for the command`, file, content: () => Promise.resolve(jsonBlob(value)) }]
    : [];

const jsonBlob = (value: object) => new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' });

function openInput(): CommandFile[] {
  const file = unsavedInput.value ?? openedFiles().find(({ name }) => name === PASTED)?.name;
  if (!file) return [];
  return [
    { item: inputItem(), text: 'the file that is open', file, content: async () => (await core().sourceBlob())! },
  ];
}

/** The file of the run before, unless it is that of the open run. */
function inputBefore(): CommandFile[] {
  const from = opened.value?.before ? before.value : null;
  if (!from || isOwnFile(from) || isSameInput(from, source.value)) return [];
  const [input] = knownFiles(from) ?? [];
  if (!input) return [];
  return [
    {
      item: 'Run before',
      text: `${input.name}, which the open run is compared with`,
      file: input.name,
      content: () => Promise.resolve(input.blob),
    },
  ];
}

/** Whether two sources are the same file. Own files may differ under one name. */
export const isSameInput = (a: Source, b: Source | null) =>
  a === b || (!isOwnFile(a) && JSON.stringify(a) === JSON.stringify(b));
