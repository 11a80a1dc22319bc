// `roofline compare`: the words for both runs and their machines.
import type { CompareJson } from '../../../wasm/session';
import { ask } from '../core/ask';
import { machines } from '../core/catalogue';
import { hasEditedRates, settings } from '../core/settings';
import { viewState } from '../core/view';
import { before, opened, source } from '../sources/opened';
import { knownFiles, registries } from '../sources/source_files';
import { isSameInput, MACHINE_BEFORE_FILE } from './command_files';
import { filterOptions, needsConfig, settingsOptions, type CommandParts } from './command_options';
import type { Source } from './link';

export const ONE_FILE_EACH = '`roofline compare` takes one file for each run, without options for how it is read.';

/** Null: the command cannot compare these runs. */
export async function compareCommand(): Promise<CommandParts | null> {
  const [a, b] = [plainFile(before.value), plainFile(source.value)];
  if (a === null || b === null) return null;
  const reply = await ask<CompareJson>('compare', { rows: 0, arrows: 0 });
  if ('error' in reply) return null;
  const { unchanged, compareBy, compareSort } = viewState.value;
  const machineParts = machineOptions(reply.json.a.machine, reply.json.b.machine);
  const filters = filterOptions();
  return {
    words: [
      'compare',
      a,
      b,
      ...registries.value.flatMap(name => ['--registry', name]),
      ...settingsOptions(machineParts.words),
      ...(unchanged ? ['--unchanged'] : []),
      ...(compareBy === 'type' ? ['--by-type'] : []),
      ...filters.words,
    ],
    hints: [
      ...(a === b && !isSameInput(before.value!, source.value)
        ? ['Both files have the same name: add the folder to each.']
        : []),
      ...machineParts.hints,
      ...(compareSort ? ['It lists the largest change first.'] : []),
      ...filters.hints,
    ],
  };
}

/** The name of a run's file; null where one file alone does not give the run. */
function plainFile(from: Source | null): string | null {
  const files = from && !('built' in from) ? knownFiles(from) : null;
  const { model, columns = {}, network = {} } = (from && 'file' in from && from.as) || {};
  const isAsItIs = !model && [columns, network].every(part => Object.keys(part).length === 0);
  return files?.length === 1 && isAsItIs ? files[0]!.name : null;
}

/** `a`, `b`: the names of the machines on the page. A file's own machine needs no option. */
function machineOptions(a: string, b: string): CommandParts {
  const { machine: later } = settings.value;
  const { beforeMachine: earlier } = viewState.value;
  const machinesDiffer = a !== b || typeof earlier === 'object';
  if (needsConfig()) return { words: [], hints: machinesDiffer ? [`The command uses ${b} for both runs.`] : [] };
  const isStated = Boolean(opened.value!.stated_machine);
  const idOfB = typeof later === 'string' ? later : machines.value.find(({ name }) => name === b)?.id;
  if (!machinesDiffer) {
    const needsOption = later !== undefined || earlier !== undefined || isStated; // else both are on the default machine
    return {
      words: needsOption && idOfB ? ['--machine', idOfB] : [],
      hints: needsOption && !idOfB ? ['A run whose file states no machine is on the default machine.'] : [],
    };
  }
  const first = earlier && ['--machine', typeof earlier === 'string' ? earlier : MACHINE_BEFORE_FILE];
  const needsMachineB = later !== undefined || first !== undefined || !isStated;
  return {
    words: [...(first ?? []), ...(needsMachineB && idOfB ? ['--machine-b', idOfB] : [])],
    hints: [
      ...(needsMachineB && !idOfB ? [`The command uses ${a} for both runs.`] : []),
      ...(hasEditedRates() ? ['It applies the changed rates to both runs.'] : []),
    ],
  };
}
