// The editor of a machine: edits its rates, uses or saves it, exports or imports it as a file.
import { useRef, useState } from 'preact/hooks';
import type { Fault } from '../../../wasm/session';
import { downloadJson } from '../core/download';
import { formats } from '../core/catalogue';
import { core } from '../core/core';
import { valueOf, type Machine } from '../core/engine';
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
import { basisOf, draftOf, EVERY, machineOf, missing, type Draft } from './machine_draft';
import { Select } from '../widgets/Select';
import { Figure, Rows, Text } from './MachineFields';
import { GROUPS, MEMORY_FIGURES, RATE } from './machine_ranges';

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
        <Rows
          title="Peaks"
          heads={['Unit', 'Format', 'TFLOP/s, dense']}
          rows={draft.peaks}
          add="Add a format"
          blank={{ unit: 'matrix', format: 'fp16', tera: '' }}
          rare={({ rare = false }) => rare}
          onChange={peaks => change({ peaks })}
        >
          {(row, set, of) => (
            <>
              <Select
                label={`Unit of ${of}`}
                value={row.unit}
                options={[
                  ['matrix', 'Matrix'],
                  ['vector', 'Vector'],
                ]}
                onChange={unit => set({ unit: unit as 'matrix' })}
              />
              <Select
                label={`Format of ${of}`}
                value={row.format}
                options={[
                  [EVERY, 'every format'],
                  ...formats.value.map(({ id, name }): [string, string] => [id, name]),
                ]}
                onChange={format => set({ format })}
              />
              <Figure
                label={`TFLOP/s of ${of}`}
                value={row.tera}
                unit="TFLOP/s"
                {...RATE}
                onInput={tera => set({ tera })}
              />
            </>
          )}
        </Rows>
        <Rows
          title="Memories, the device memory first"
          heads={['Name', 'GB/s, one rate', 'or GB/s read', 'and GB/s write', 'GB in size']}
          rows={draft.memories}
          add="Add a memory"
          blank={{ name: '', bandwidth: '', read: '', write: '', capacity: '' }}
          onChange={memories => change({ memories })}
        >
          {(row, set, of) => (
            <>
              <Text label={`Name of ${of}`} value={row.name} onInput={name => set({ name })} />
              {MEMORY_FIGURES.map(({ key, unit, label }) => (
                <Figure
                  key={key}
                  label={label(of)}
                  value={row[key]}
                  unit={unit}
                  {...RATE}
                  onInput={text => set({ [key]: text })}
                />
              ))}
            </>
          )}
        </Rows>
        <Rows
          title="Links"
          heads={['Name', 'GB/s, one direction']}
          rows={draft.links}
          add="Add a link"
          blank={{ name: '', bandwidth: '' }}
          onChange={links => change({ links })}
        >
          {(row, set, of) => (
            <>
              <Text label={`Name of ${of}`} value={row.name} onInput={name => set({ name })} />
              <Figure
                label={`GB/s of ${of}`}
                value={row.bandwidth}
                unit="GB/s"
                {...RATE}
                onInput={bandwidth => set({ bandwidth })}
              />
            </>
          )}
        </Rows>
        {GROUPS.map(({ title, note, figures }) => (
          <fieldset key={title} class="rows">
            <legend>{title}</legend>
            <div class="row-fields">
              {figures.map(({ key, name, ...figure }) => (
                <label key={key}>
                  {name}{' '}
                  <Figure
                    value={draft[key]}
                    {...figure}
                    {...(key === 'compute' && {
                      most: mostCompute(draft.base),
                    })}
                    onInput={text => change({ [key]: text })}
                  />
                </label>
              ))}
            </div>
            {note && <p class="muted">{note}</p>}
          </fieldset>
        ))}
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

/** In percent: a part that runs above its rated clock may reach more than its peaks. */
function mostCompute(machine: Machine) {
  const { rated, highest } = (machine as { clock_hz?: Record<string, ValueOf> }).clock_hz ?? {};
  return 100 * Math.max(1, (valueOf(highest) ?? 0) / (valueOf(rated) ?? Infinity));
}
type ValueOf = Parameters<typeof valueOf>[0];
