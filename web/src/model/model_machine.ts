// The machine of a language model that is opened while nobody has chosen one: the default machine is too small for language models.
import { chooseMachine, settings } from '../core/settings';
import { isGuessed } from '../machine/machine_options';
import { FIRST_MACHINE } from './model_request';

/** Whether the machine is unset, guessed or assumed. */
export const noMachineChosen = () =>
  settings.peek().machine === undefined || isGuessed() || settings.peek().machine_basis === 'assumed';

export function chooseModelMachine() {
  if (!noMachineChosen()) return;
  chooseMachine(FIRST_MACHINE, 'assumed');
}
