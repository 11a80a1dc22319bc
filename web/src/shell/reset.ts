// Everything back at its defaults, with the offer to take that back.
import { batch } from '@preact/signals';
import { toast } from './history';
import { chooseMachine, replaceSettings } from '../core/settings';
import { listOtherRows, viewState } from '../core/view';
import { chooseModelMachine } from '../model/model_machine';
import { opened, source } from '../sources/opened';

export function resetAll() {
  batch(() => {
    replaceSettings({});
    listOtherRows(Object.fromEntries(Object.keys(viewState.value).map(key => [key, undefined])));
    const from = source.value;
    const guessed = opened.value?.guessed_machine ?? undefined;
    if (from && 'built' in from && from.built === 'model') chooseModelMachine();
    else if (guessed) chooseMachine(guessed, 'guessed');
  });
  toast.value = { text: 'Settings, filters and view are reset to their defaults' };
}
