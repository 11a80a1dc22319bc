// The machine of a language model that is opened while no machine is chosen: the default machine is too small for language models.
import { chooseMachine, settings } from '../core/settings';
import { FIRST_MACHINE } from './model_request';

let chosenHere = false; // not by the user: it is reset with the model

export function chooseModelMachine() {
  if (settings.peek().machine !== undefined) return;
  chosenHere = true;
  chooseMachine(FIRST_MACHINE);
}

export function resetModelMachine() {
  if (chosenHere && settings.peek().machine === FIRST_MACHINE) chooseMachine(undefined);
  chosenHere = false;
}
