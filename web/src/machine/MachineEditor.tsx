// The editor of a machine: edits its rates, uses or saves it, exports or imports it as a file.
import { useRef, useState } from 'preact/hooks';
import type { Fault } from '../../../wasm/session';
import { downloadJson } from '../core/download';
import { core } from '../core/core';
import type { Machine } from '../core/machine_document';
import {
  chooseMachineOption,
  forgetMachine,
  freeId,
  machineName,
  myMachines,
  optionOf,
  saveMachine,
} from './machine_options';
import { chooseMachine } from '../core/settings';
import { Dialog } from '../widgets/Dialog';
import { FileInput } from '../widgets/FileInput';
import { basisOf, draftOf, machineOf, missing, type Draft } from './machine_draft';
import { LinkRows, MemoryRows, PeakRows, WholeMachineFigures } from './MachineRows';

export interface EditorProps {
  machine: Machine;
  newName?: string; // makes a new machine of this name, with the figures of `machine` to begin with
  onClose: () => void;
}

/** A dialog to change every figure of a machine, or to make a new one. */
export function MachineEditor({ machine, newName, onClose }: EditorProps) {
  const copyOf = newName === undefined ? undefined : machineName(machine);
  const form = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState(() =>
    draftOf(
      newName === undefined ? machine : { ...machine, id: freeId(newName), name: newName, based_on: basisOf(machine) },
      copyOf,
    ),
  );
  const [fault, setFault] = useState<Fault | null>(null);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  const field = (selector: string) => {
    const found = form.current!.querySelector<HTMLElement>(selector);
    const folded = found?.closest('details');
    if (folded) folded.open = true;
    return found;
  };

  /** Has the core check the machine, then runs `act` on a valid one. A field that is refused or empty gets the focus. */
  const then = (act: (machine: Machine) => void) => async () => {
    const refused = field('[aria-invalid="true"]');
    if (refused) return refused.focus();
    const lack = missing(draft);
    if (lack) {
      field(`[aria-label="${lack.field}"]`)?.focus();
      return setFault({ message: lack.message, line: 0, column: 0, path: '' });
    }
    const { error, text } = await core().machine(new Blob([JSON.stringify(machineOf(draft))]));
    setFault(error ?? null);
    if (text !== undefined) act(JSON.parse(text) as Machine);
  };
  const use = (checked: Machine) => {
    chooseMachine(checked);
    onClose();
  };
  const save = (checked: Machine) => {
    if (saveMachine(checked)) {
      chooseMachineOption(optionOf(checked.id));
      onClose();
    } else setFault({ message: 'this browser cannot save it: use Export instead', line: 0, column: 0, path: '' });
  };
  const load = async (file: File) => {
    const { error, text } = await core().machine(file);
    setFault(error ? { ...error, message: `${file.name}: ${error.message}` } : null);
    if (text !== undefined) setDraft(draftOf(JSON.parse(text) as Machine));
  };
  const mine = myMachines.value.some(({ id }) => id === draft.base.id);

  const footer = (
    <>
      {fault && (
        <p class="form-fault" role="alert">
          {fault.path && `${placeOf(fault.path)}: `}
          {fault.message}
        </p>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={then(save)}>
          Save and use
        </button>
        <button type="button" onClick={then(use)}>
          Use without saving
        </button>
        <button type="button" onClick={then(checked => downloadJson(checked, `${checked.id}.json`))}>
          Export
        </button>
        <label class="button">
          Import…{' '}
          <FileInput
            class="visually-hidden"
            aria-label="Import a machine"
            accept=".json,.xml,.txt,*/*"
            onFiles={([file]) => load(file!)}
          />
        </label>
        {mine && (
          <button type="button" onClick={() => (forgetMachine(draft.base.id), onClose())}>
            Delete from my machines
          </button>
        )}
      </div>
    </>
  );

  return (
    <Dialog title={copyOf === undefined ? 'Edit machine' : 'My machine'} footer={footer} onClose={onClose}>
      <div class="fields" ref={form}>
        {copyOf !== undefined && <p class="muted">Starts as a copy of {copyOf}. Change the figures that differ.</p>}
        <label class="field">
          <span>Name</span>
          <input
            type="text"
            aria-label="Name"
            value={draft.name}
            onInput={event => change({ name: event.currentTarget.value })}
          />
        </label>
        <PeakRows peaks={draft.peaks} onChange={change} />
        <MemoryRows memories={draft.memories} onChange={change} />
        <LinkRows links={draft.links} onChange={change} />
        <WholeMachineFigures draft={draft} onChange={change} />
        <p class="muted">
          Import reads a machine file, ERT's roofline.json or sum, clpeak's XML or rocprof-compute's roofline.csv. A
          share link includes your own machine.
        </p>
      </div>
    </Dialog>
  );
}

/** "memories[1].bandwidth" as the form calls it: "Memory 2 bandwidth". */
const placeOf = (path: string) =>
  path
    .replace(
      /^(peak|memor|link)(?:s|ies|y)?\[(\d+)\]/,
      (_, noun: string, at: string) =>
        `${noun === 'memor' ? 'Memory' : noun === 'peak' ? 'Peak' : 'Link'} ${Number(at) + 1}`,
    )
    .replaceAll(/[._]/g, ' ')
    .replace(/^./, first => first.toUpperCase());
