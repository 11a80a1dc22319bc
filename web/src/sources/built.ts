// Opens operators and language models, which the core makes itself.
import { batch } from '@preact/signals';
import { core } from '../core/core';
import { chooseMachine, settings, settingsText, startingSettings } from '../core/settings';
import { resetModelView } from '../core/view';
import { noMachineChosen } from '../model/model_machine';
import { FIRST_MACHINE } from '../model/model_request';
import type { Built } from '../share/link';
import { faults, opened, source } from './opened';
import { clearNotices, registerOpening, applyOpened, type ApplyOptions } from './apply_opened';

interface Building extends Pick<ApplyOptions, 'keepView' | 'onSourceSet'> {
  from: Built;
}
let building: Building | null = null; // the next operator or model to open
let builder: Promise<void> | null = null;

let lastModel = ''; // by its name, or its sizes

/** Opens an operator or a language model, or updates it for a new request: one at a time, the newest wins. */
export function openBuilt(from: Built, keepView = false, onSourceSet?: () => void): Promise<void> {
  registerOpening();
  if (!isUpdate(from)) void core().cancel(); // a file that is being read
  building = { from, keepView, onSourceSet };
  builder ??= build().finally(() => (builder = null));
  return builder;
}

/** Whether the open source is an operator and this is one too, or both are models. */
function isUpdate({ built }: Built) {
  const from = source.peek();
  return from !== null && 'built' in from && from.built === built;
}

async function build() {
  while (building) {
    const { from, keepView, onSourceSet } = building;
    building = null;
    const same = isUpdate(from);
    const another = !same && !keepView;
    const unchosen = another && noMachineChosen(); // do not keep the machine that another source suggested
    const assumed = from.built === 'model' ? FIRST_MACHINE : undefined;
    const assumedBasis = assumed && 'assumed';
    const { machine: set, machine_basis: basis } = settings.peek();
    const config = another
      ? JSON.stringify(unchosen ? startingSettings(assumed, assumedBasis) : startingSettings(set, basis))
      : settingsText.peek();
    const only = same && !keepView ? opened.peek()!.reading : undefined;
    const built = await core().build(config, from.built, from.request, only);
    if (!built) continue; // another source was opened since: a change of the one before does not replace it
    const { error, opened: now } = built;
    if (now && !same) clearNotices();
    faults.value = error ? [{ file: '', fault: error }] : [];
    if (!now) continue;
    await batch(() => {
      if (unchosen) chooseMachine(assumed, assumedBasis);
      if (from.built === 'model') {
        const model = nameOfModel(from.request);
        if (!keepView && model !== lastModel) resetModelView();
        lastModel = model;
      }
      return applyOpened(now, { source: from, keepView: !another, keeps: 'machine', onSourceSet });
    });
  }
}

/** An edited model keeps its name. */
function nameOfModel({ model }: { model?: unknown }) {
  const { _name_or_path: name } = Object(model) as { _name_or_path?: unknown };
  return String(typeof model === 'string' ? model : (name ?? JSON.stringify(model))).replace(/ \(changed\)$/, '');
}
