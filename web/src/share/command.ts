// The command that gives the figures on the page: `roofline analyze`, `compare`, `op` or `llm`, with the settings and filters in force.
import { copyToClipboard, NOT_COPIED } from '../core/clipboard';
import { filterCount, viewState, type OffloadView } from '../core/view';
import { modelAnswer } from '../model/model';
import type { ModelRequest } from '../model/model_request';
import { formatIndex, operator, type Operator, type Parameter } from '../operator/operator';
import { notice, opened, sample, source } from '../sources/opened';
import { knownFiles, registries } from '../sources/source_files';
import { compareCommand, ONE_FILE_EACH } from './command_compare';
import { BENCHMARK_FILE, commandFiles, HOST_FILE, MODEL_FILE } from './command_files';
import { CONFIG, filterOptions, machineOption, settingsOptions, type CommandParts } from './command_options';
import type { OwnFile, Source } from './link';

/** Puts the command on the clipboard, and shows it with what it cannot say. */
export async function copyCommand() {
  const command = await makeCommand();
  const text = ['roofline', ...command.words].map(quoted).join(' ');
  const said = (await copyToClipboard(text)) ? 'Copied' : `${NOT_COPIED}. The command to copy`;
  const unsaved = [
    ...commandFiles()
      .filter(({ file }) => command.words.includes(file))
      .map(({ file, item }) => `${file} (Export > ${item})`),
    ...(command.words.includes(CONFIG) ? [`${CONFIG} (in the Export menu)`] : []),
  ];
  const hints = [...(unsaved.length > 0 ? [`Save ${unsaved.join(' and ')} first.`] : []), ...command.hints];
  notice.value = `${said}: ${text}${hints.length > 0 ? `. ${hints.join(' ')}` : ''}`;
}

/** A word as a shell takes it. */
export const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

async function makeCommand(): Promise<CommandParts> {
  const isCompared = Boolean(opened.value?.before);
  const isCompareTab = isCompared && viewState.value.tab === 'compare';
  const comparison = isCompareTab ? await compareCommand() : null;
  if (comparison) return comparison;
  const { words, hints } = runCommand(source.value);
  return {
    words,
    hints: [
      ...(isCompareTab ? [ONE_FILE_EACH] : []),
      ...(isCompared ? ['It analyses the later run alone.'] : []),
      ...hints,
    ],
  };
}

function runCommand(from: Source | null): CommandParts {
  if (!from || !('built' in from)) return analyzeCommand(from);
  const words = operator.value ? operatorWords(operator.value) : modelWords(from.request as ModelRequest);
  const remedy = COMMAND_BY_TAB[viewState.value.tab ?? ''];
  return {
    words: [...words, ...settingsOptions(machineOption())],
    hints: [
      ...(filterCount() > 0 ? ['The command has no filters: it includes every operation.'] : []),
      ...(remedy ? [`The command does not print this tab: ${remedy}.`] : []),
    ],
  };
}

/** How to print the tabs that `roofline op` and `roofline llm` leave out. */
const COMMAND_BY_TAB: Record<string, string> = {
  sweep: 'add `--sweep`',
  'model-sweep': 'add `--sweep`',
  mixtures: 'use `roofline quantize`',
  serving: 'use `roofline frontier`',
};

// ---- analyze

function analyzeCommand(from: Exclude<Source, { built: string }> | null): CommandParts {
  const { memory, level, grouped } = viewState.value;
  const filters = filterOptions();
  return {
    words: [
      'analyze',
      ...filesOfRun(from),
      ...registries.value.flatMap(name => ['--registry', name]),
      ...(from && 'file' in from && from.as ? readOptions(from.as) : []),
      ...settingsOptions(machineOption()),
      ...filters.words,
      ...(memory ? ['--memory', memory] : []),
    ],
    hints: [
      ...filters.hints,
      ...(level ? ['It shows the operations, not the program and its steps.'] : []),
      ...(grouped ? ['It does not group identical operations.'] : []),
    ],
  };
}

/** Files are named without their folder. */
const filesOfRun = (from: Source | null): string[] =>
  (from && knownFiles(from)?.map(({ name }) => name)) ?? [sample.value?.file ?? opened.value?.source ?? ''];

const readOptions = ({ columns = {}, network, model }: NonNullable<OwnFile['as']>) => [
  ...Object.entries(columns).flatMap(([header, as]) => ['--column', `${header}=${as}`]),
  ...Object.entries(network?.dimensions ?? {}).flatMap(([name, length]) => ['--dim', `${name}=${length}`]),
  ...(typeof network?.fold === 'string' ? [`--fold=${network.fold}`] : []),
  ...(typeof network?.fold === 'boolean' ? [network.fold ? '--fold=all' : '--fold=none'] : []),
  ...(model ? tracedModelOptions(model as ModelRequest) : []),
];

const tracedModelOptions = ({ model, ...how }: ModelRequest) => ['--model', modelWord(model), ...requestOptions(how)];

// ---- op

function operatorWords(now: Operator): string[] {
  const { type, parameters, formats } = now;
  const baseline = formatIndex(now, viewState.value.baseline);
  return [
    'op',
    type,
    ...Object.entries(parameters).map(([key, value]) => `${key}=${parameterText(value)}`),
    ...(formats.length > 0 ? ['--formats', formats.join()] : []),
    ...(baseline > 0 ? ['--baseline', formats[baseline]!] : []),
  ];
}

/** A parameter as the command reads it: as JSON if it is any, "1,64" as a list, anything else as text. */
function parameterText(value: Parameter): string {
  if (typeof value === 'string') return isReadAsText(value) ? value : JSON.stringify(value);
  const isShape = Array.isArray(value) && value.length > 1 && value.every(Number.isSafeInteger);
  return isShape ? value.join() : JSON.stringify(value);
}

function isReadAsText(text: string) {
  try {
    JSON.parse(text);
    return false;
  } catch {
    return !/^[\d,-]*,[\d,-]*$/.test(text);
  }
}

// ---- llm

const LLM_FLAGS: Record<string, [whenTrue: string[], whenFalse: string[]]> = {
  causal: [[], ['--no-causal']],
  last_token: [[], ['--all-logits']],
};

function modelWords(request: ModelRequest): string[] {
  const { model, speculate, measured, ...how } = request;
  const { offload } = viewState.value;
  return [
    'llm',
    modelWord(model),
    ...requestOptions(how),
    ...(speculate ? ['--speculate', [speculate.gamma, speculate.acceptance, speculate.draft].join()] : []),
    ...(measured == null ? [] : ['--measured', BENCHMARK_FILE]),
    ...(offload && canShare(request) ? offloadOptions(offload) : []),
  ];
}

const modelWord = (model: string | object) => (typeof model === 'string' ? model : MODEL_FILE);

const requestOptions = (how: Omit<ModelRequest, 'model'>) =>
  Object.entries(how)
    .filter(([, value]) => value != null)
    .flatMap(([key, value]) =>
      key in LLM_FLAGS ? LLM_FLAGS[key]![value ? 0 : 1] : [`--${key.replaceAll('_', '-')}`, String(value)],
    );

/** The page shows no split of other requests, and the command refuses it. */
const canShare = ({ tp = 1, ep = 1, speculate }: ModelRequest) => tp === 1 && ep === 1 && !speculate;

function offloadOptions({ host, gpuLayers, expertsOnHost }: OffloadView): string[] {
  const { model } = modelAnswer.value ?? {};
  const hasExperts = !model || Boolean(model.mlp.experts);
  return [
    '--host',
    typeof host === 'string' ? host : HOST_FILE,
    ...(gpuLayers === undefined ? [] : ['--gpu-layers', String(gpuLayers)]),
    ...(expertsOnHost && hasExperts ? ['--experts-on-host'] : []),
  ];
}
