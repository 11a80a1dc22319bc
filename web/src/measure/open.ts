// Opens the dialog that measures. It is fetched with its first use.
import { loadScript, urlOf } from '../core/assets';
import { machine } from '../core/engine';
import { chooseMachine } from '../core/settings';
import { saveMachine } from '../machine/machine_options';
import { complain } from '../sources/files';
import './host';

export const openMeasuring = () =>
  urlOf('measure.js', 'text/javascript')
    .then(loadScript)
    .then(() => RooflineMeasuring!.default.open({ machine: machine.value, chooseMachine, saveMachine }))
    .catch((error: unknown) => complain('Measuring', error));
