// The command that gives the figures on the page: `roofline analyze`, `op` or `llm`, with the settings and filters in force.
import type { ReadOverrides } from '../../../wasm/session';
import { copyToClipboard, NOT_COPIED } from '../core/clipboard';
import { settings } from '../core/settings';
import { viewState } from '../core/view';
import { notice, opened, sample, source, unsavedInput } from '../sources/opened';
import { registries } from '../sources/source_files';
import type { Built, Source } from './link';

/** Puts the command on the clipboard, and shows it with what it cannot say. */
export async function copyCommand() {
  const text = command();
  const said = (await copyToClipboard(text)) ? 'Copied' : `${NOT_COPIED}. The command to copy`;
  const unsaved = [unsavedInput.value, ofSettings() === CONFIG && CONFIG[1]].filter(Boolean);
  const { search, statuses, where, level, grouped } = isOfFile(source.value) ? viewState.value : {};
  const dropped = [statuses && 'status', where && 'column'].filter(Boolean);
  const hints = [
    unsaved.length > 0 && `Save ${unsaved.join(' and ')} first, under Export.`,
    search && 'It searches names only, the page also types.',
    dropped.length > 0 && `The command cannot filter by ${dropped.join(' or ')}: it includes every operation.`,
    level && 'It shows the operations, not the program and its steps.',
    grouped && 'It does not group identical operations.',
  ].filter(Boolean);
  notice.value = `${said}: ${text}${hints.length > 0 ? `. ${hints.join(' ')}` : ''}`;
}

/** The words of the command, quoted for a shell. Files are named without their folder. */
export const command = () =>
  ['roofline', ...ofSource(source.value), ...ofSettings(), ...(isOfFile(source.value) ? ofView() : [])]
    .map(quoted)
    .join(' ');

const isOfFile = (from: Source | null) => !(from && 'built' in from);

/** A word as a shell takes it. */
export const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const CONFIG = ['--config', 'roofline_config.json'];

/** Settings that hold a whole machine are in the file that Export saves. */
function ofSettings(): string[] {
  const { machine, ...rest } = settings.value;
  const values = flat(rest);
  if (typeof machine === 'object' || values.some(([, value]) => typeof value === 'object')) return CONFIG;
  return [
    ...(machine === undefined ? [] : ['--machine', machine]),
    ...values.flatMap(([key, value]) => ['--set', `${key}=${value}`]),
  ];
}

/** "whatif.weight" and its value, of all settings; those of a machine stay together. */
const flat = (document: object, prefix = ''): [string, unknown][] =>
  Object.entries(document).flatMap(([key, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !('id' in value)
      ? flat(value, `${prefix}${key}.`)
      : [[prefix + key, value]],
  );

function ofSource(from: Source | null): string[] {
  if (from && 'built' in from) return ofBuilt(from);
  const withRegistries = registries.value.flatMap(name => ['--registry', name]);
  if (from && 'sample' in from) return ['analyze', sample.value?.file ?? from.sample, ...withRegistries];
  const files =
    from && 'files' in from && from.files ? from.files.map(({ file }) => file) : [opened.value?.source ?? ''];
  return ['analyze', ...files, ...withRegistries, ...(from?.as ? ofOverrides(from.as) : [])];
}

const ofOverrides = ({ columns = {}, network }: ReadOverrides) => [
  ...Object.entries(columns).flatMap(([header, as]) => ['--column', `${header}=${as}`]),
  ...Object.entries(network?.dimensions ?? {}).flatMap(([name, length]) => ['--dim', `${name}=${length}`]),
  ...(typeof network?.fold === 'string' ? [`--fold=${network.fold}`] : []),
  ...(typeof network?.fold === 'boolean' ? [network.fold ? '--fold=all' : '--fold=none'] : []),
];

const LLM_FLAGS: Record<string, [whenTrue: string[], whenFalse: string[]]> = {
  causal: [[], ['--no-causal']],
  last_token: [[], ['--all-logits']],
};

function ofBuilt({ built, request }: Built): string[] {
  if (built === 'operator') {
    const { type, parameters, formats } = request as { type: string; parameters: object; formats: string[] };
    return [
      'op',
      type,
      ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`),
      '--formats',
      formats.join(),
    ];
  }
  const { model, speculate, measured: _, ...rest } = request as Record<string, unknown>;
  const { gamma, acceptance, draft } = (speculate ?? {}) as Record<string, unknown>;
  return [
    'llm',
    typeof model === 'string' ? model : 'config.json',
    ...Object.entries(rest).flatMap(([key, value]) =>
      key in LLM_FLAGS ? LLM_FLAGS[key]![value ? 0 : 1] : [`--${key.replaceAll('_', '-')}`, String(value)],
    ),
    ...(speculate ? ['--speculate', [gamma, acceptance, draft].join()] : []),
  ];
}

function ofView(): string[] {
  const { search, types, categories, steps, bounds, limits, memory, noInfeed } = viewState.value;
  const each = (option: string, names: string[] = []) => names.flatMap(name => [option, name]);
  return [
    ...(search ? ['--name', search] : []),
    ...each('--category', [...(types ?? []), ...(categories ?? [])]),
    ...each('--step', steps),
    ...each('--bound-by', bounds),
    ...each('--limited-by', limits),
    ...(memory ? ['--memory', memory] : []),
    ...(noInfeed ? ['--exclude-infeed'] : []),
  ];
}
