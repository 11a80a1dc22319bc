// The commands of the palette. Text such as "gemm 1 4096 4096" becomes a command that opens that operator.
import { count } from '../format';
import { describeFormat, formats, models, operators } from '../core/catalogue';
import { compareWithItself, compareWithSample } from '../compare/comparison';
import { COMPARE_WITH_FILE, withItself } from '../compare/CompareMenu';
import { core } from '../core/core';
import { canDrop } from '../core/pointer';
import { openSample } from '../sources/files';
import { hasCache, opened, samples, source } from '../sources/opened';
import { GLOSSARY } from '../help/glossary';
import { canRedo, canUndo, redo, undo } from './history';
import { chooseFiles, chooseOtherRun } from '../sources/input';
import { helpOpen, pictureOpen } from '../core/dialogs';
import { pictureSize } from '../core/layout';
import { startTour } from '../help/tour_step';
import { chooseMachineOption, machineOf, machineOptions } from '../machine/machine_options';
import { changeModel, modelRequest, openModel } from '../model/model';
import { FIRST_REQUEST } from '../model/model_request';
import { AXES_OF } from '../model/model_sweep';
import { detailsOf, openOperator, operator, startOf, type OperatorDetails, type Parameter } from '../operator/operator';
import { changeOperands } from '../change/operands';
import { change, changeWhatIf, settings } from '../core/settings';
import { switchTheme } from '../core/theme';
import { changeView, clearFilters, changeTable, listOtherRows, selected, view } from '../core/view';
import { resetAll } from './reset';
import { copyCommand } from '../share/exports';
import { withSizesForEqualNames } from '../table/with_sizes';

export interface Command {
  title: string;
  hint?: string; // what it is or does
  group: string;
  words?: string; // other names it is found by
  key?: number; // tells commands with the same group and title apart
  run: () => unknown;
}

const ROLES = [
  ['weights', { weight: true }],
  ['activations', { activation: true }],
  ['weights and activations', { weight: true, activation: true }],
  ['KV cache', { kv: true }],
  ['in all operands', { weight: true, activation: true, output: true, kv: true }],
] as const;

function whatIfs(): Command[] {
  return formats.value.flatMap(({ id, weights_only }) =>
    ROLES.filter(
      ([role, operands]) => (!weights_only || !('output' in operands)) && (role !== 'KV cache' || hasCache.value),
    ).map(([role, operands]) => ({
      title: `What if ${describeFormat(id, role)}`,
      group: 'What-if',
      words: id,
      run: () => changeOperands(Object.fromEntries(Object.keys(operands).map(key => [key, id]))),
    })),
  );
}

function machineCommands(): Command[] {
  return machineOptions().flatMap(({ id, name }) => [
    {
      title: `Machine: ${name}`,
      hint: 'analyse on this machine',
      group: 'Machine',
      words: id,
      run: () => chooseMachineOption(id),
    },
    { title: `What if on ${name}`, group: 'What-if', words: id, run: () => changeWhatIf({ machine: machineOf(id) }) },
  ]);
}

function sources(): Command[] {
  return [
    {
      title: 'Open a file…',
      hint: canDrop ? 'or drop it anywhere, or paste its text' : 'or paste its text',
      group: 'Open',
      words: 'upload load browse',
      run: chooseFiles,
    },
    ...samples.value.map(({ id, title }) => ({
      title,
      hint: 'sample',
      group: 'Open',
      words: `sample example ${id}`,
      run: () => openSample(id),
    })),
    ...operators.value.map(({ id, name }) => ({
      title: name,
      hint: 'operator, sized by its shape',
      group: 'Open',
      words: id,
      run: async () => {
        const details = await detailsOf(id);
        if (details)
          await openOperator({
            type: id,
            parameters: startOf(details),
            formats: operator.value?.formats ?? ['fp16', 'int8'],
          });
      },
    })),
    ...models.value.map(({ id, name }) => ({
      title: name,
      hint: 'language model',
      group: 'Open',
      words: `${id} llm`,
      run: () => (modelRequest.value ? changeModel({ model: id }) : openModel({ ...FIRST_REQUEST, model: id })),
    })),
    ...(opened.value
      ? [
          {
            title: withItself()[0],
            hint: withItself()[1],
            group: 'Compare',
            words: 'diff before after itself',
            run: () => compareWithItself(),
          },
        ]
      : []),
    {
      title: COMPARE_WITH_FILE[0],
      hint: COMPARE_WITH_FILE[1],
      group: 'Compare',
      words: 'diff before after',
      run: chooseOtherRun,
    },
    ...samples.value.map(({ id, title }) => ({
      title: `Compare with ${title}`,
      group: 'Compare',
      words: `sample ${id}`,
      run: () => compareWithSample(id),
    })),
  ];
}

/** Sweeps of the open model along its request, or of the open operator along its parameters. */
function sweeps(): Command[] {
  const keys = modelRequest.value ? AXES_OF[modelRequest.value.phase ?? 'decode']! : [];
  const numbers = Object.entries(operator.value?.parameters ?? {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  );
  return [
    ...keys.map(key => ({
      title: `Sweep ${key}`,
      group: 'View',
      words: 'along scaling curve',
      run: () => changeView({ tab: 'model-sweep', modelSweep: { key } }),
    })),
    ...numbers.map(([key, value]) => ({
      title: `Sweep ${key}`,
      group: 'View',
      words: 'along scaling curve',
      run: () => changeView({ tab: 'sweep', sweep: { x: { keys: [key], from: 1, to: Math.max(4096, value) } } }),
    })),
  ];
}

/** Filters by type. One type can occur in several kinds, such as with and without a bias. */
function typesOpen() {
  const ops = new Map<string, number>();
  for (const kind of opened.value?.kinds ?? []) ops.set(kind.type, (ops.get(kind.type) ?? 0) + kind.ops);
  return [...ops];
}

function page(): Command[] {
  return [
    ...(canUndo.value ? [{ title: 'Undo', hint: 'Ctrl Z', group: 'Page', words: 'back', run: undo }] : []),
    ...(canRedo.value ? [{ title: 'Redo', hint: 'Ctrl Shift Z', group: 'Page', words: 'forward', run: redo }] : []),
    {
      title: 'Reset everything',
      hint: 'settings, filters and view to their defaults',
      group: 'Page',
      words: 'clear defaults',
      run: resetAll,
    },
    ...(settings.value.whatif
      ? [
          {
            title: 'Clear the what-if',
            group: 'What-if',
            words: 'end back to today',
            run: () => change({ whatif: undefined }),
          },
        ]
      : []),
    {
      title: 'Clear the filters',
      group: 'Page',
      words: 'show all operations',
      run: clearFilters,
    },
    {
      title: 'Group identical operations',
      group: 'View',
      words: 'fold same shapes',
      run: () => listOtherRows({ grouped: true }),
    },
    {
      title: 'Switch the theme',
      hint: 'light, dark, same as system',
      group: 'Page',
      words: 'dark light mode colours',
      run: switchTheme,
    },
    {
      title: 'Help',
      hint: '?',
      group: 'Page',
      words: 'keys shortcuts manual docs',
      run: () => (helpOpen.value = true),
    },
    ...typesOpen().map(([type, ops]) => ({
      title: `Only ${type}`,
      hint: ops === 1 ? '1 operation' : `${count(ops)} operations`,
      group: 'Filter',
      words: 'type filter show',
      run: () => changeTable({ types: [type] }),
    })),
    {
      title: 'Take the tour',
      hint: 'two minutes, on measured data',
      group: 'Page',
      words: 'help tutorial introduction start',
      run: () => void startTour(),
    },
    ...(Object.keys(PICTURES) as (keyof typeof PICTURES)[]).map(size => ({
      title: `Export ${PICTURES[size]}`,
      hint: 'the current view as PNG or SVG',
      group: 'Export',
      words: 'export picture image png svg copy',
      run: () => {
        pictureSize.value = size;
        pictureOpen.value = true;
      },
    })),
    {
      title: 'Copy as command',
      hint: 'these figures in a terminal, by roofline',
      group: 'Export',
      words: 'command line cli shell terminal export',
      run: copyCommand,
    },
    ...GLOSSARY.map(([term, meaning]) => ({
      title: term,
      hint: meaning,
      group: 'Glossary',
      words: 'what is meaning definition',
      run: () => (helpOpen.value = true),
    })),
  ];
}

const PICTURES = { page: 'picture', column: 'picture for a column', slide: 'slide' } as const;

/** The commands that do not depend on the typed text. */
export const fixedCommands = (): Command[] => [
  ...page(),
  ...sweeps(),
  ...sources(),
  ...machineCommands(),
  ...whatIfs(),
];

/** The operator that the text names: "gemm 1 4096 4096", "sdpa heads=32 context=8192". */
export async function operatorCommand(text: string): Promise<Command | null> {
  const [word = '', ...rest] = text.trim().split(/\s+/);
  if (rest.length === 0 || !/^[a-z]/i.test(word)) return null;
  const details = await detailsOf(word.toLowerCase());
  const parameters = details && parametersOf(rest, details);
  if (!details || !parameters) return null;
  return {
    title: `${details.name}, ${Object.entries(parameters)
      .map(([key, value]) => `${key} ${String(value)}`)
      .join(', ')}`,
    hint: 'open this operator',
    group: 'Open',
    run: () => openOperator({ type: details.id, parameters, formats: operator.value?.formats ?? ['fp16', 'int8'] }),
  };
}

/** Plain numbers as the operator's parameters, in order; null if they are not numbers. */
function parametersOf(words: string[], details: OperatorDetails): Record<string, Parameter> | null {
  const parameters = startOf(details);
  const keys = Object.keys(parameters).filter(key => typeof parameters[key] === 'number');
  let next = 0;
  for (const word of words) {
    const [name, value] = word.includes('=') ? (word.split('=', 2) as [string, string]) : [keys[next++], word];
    if (name === undefined || !details.parameters.some(({ key }) => key === name) || !(Number(value) > 0)) return null;
    parameters[name] = Number(value);
  }
  return parameters;
}

const MOST_OPERATIONS = 6;

/** Operations whose name or type has the text. */
export async function operationCommands(text: string): Promise<Command[]> {
  if (!source.value || text.trim().length < 2) return [];
  const rows = await core().rows({ ...view.peek(), search: text.trim() }, MOST_OPERATIONS);
  return withSizesForEqualNames(rows).map(({ index, name, type }) => ({
    title: name,
    hint: type,
    group: 'Operation',
    key: index,
    run: () => (selected.value = index),
  }));
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Commands that have every word typed, the best match first: whole words before beginnings, the title before other names. */
export function ranked(commands: readonly Command[], typed: string): Command[] {
  const words = plain(typed).split(' ').filter(Boolean);
  if (words.length === 0) return [...commands];
  const scored = commands.flatMap(command => {
    const title = ` ${plain(command.title)} `;
    const others = ` ${plain(`${command.words ?? ''} ${command.group}`)} `;
    const joined = title.replaceAll(' ', '') + others.replaceAll(' ', '');
    let score = -title.length / 1000;
    for (const word of words) {
      if (title.includes(` ${word} `)) score += 4;
      else if (others.includes(` ${word} `)) score += 3;
      else if (title.includes(` ${word}`)) score += 2.5;
      else if (others.includes(` ${word}`)) score += 1.5;
      else if (word.length > 2 && joined.includes(word)) score += 0.5;
      else return [];
    }
    return [{ command, score }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ command }) => command);
}
