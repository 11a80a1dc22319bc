// Opens the dialog that measures. It is fetched with its first use.
import { loadScript, urlOf } from '../core/assets';
import { core } from '../core/core';
import type { Machine } from '../core/machine_document';
import { chooseMachine } from '../core/settings';
import { myMachines, saveMachine } from '../machine/machine_options';
import { operator, type Operator } from '../operator/operator';
import { openFiles } from '../sources/files';
import { complain } from '../sources/opened';
import type { ListedMachine } from './host';

let loading: Promise<void> | null = null;

function load() {
  loading ??= urlOf('measure.js', 'text/javascript').then(loadScript);
  loading.catch(() => (loading = null)); // the next use tries again
  return loading;
}

/** `toRun`: the operator that can be run besides; null: none. */
export const openMeasuring = (toRun: Operator | null = operator.value) =>
  load()
    .then(() =>
      RooflineMeasuring!.default.open({
        listMachines: () => core().list('machines') as Promise<object[]> as Promise<ListedMachine[]>,
        showMachine: async id => JSON.parse(await core().show('machine', id)) as Machine,
        mine: myMachines.value,
        operator: toRun,
        openFiles,
        chooseMachine,
        saveMachine,
      }),
    )
    .catch((error: unknown) => complain('Measuring', error));
