// The editor of a machine: edits its rates, uses or saves it, exports or imports it as a file.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Fault } from '../../../wasm/session';
import { plural } from '../format';
import { downloadJson } from '../core/download';
import { formats } from '../core/catalogue';
import { core } from '../core/core';
import { valueOf, type Machine } from '../core/engine';
import { chooseMachineOption, forgetMachine, myMachines, optionOf, saveMachine } from './machine_options';
import { chooseMachine } from '../core/settings';
import { Dialog } from '../widgets/Dialog';
import { NumberInput } from '../widgets/NumberInput';
import { IconButton } from '../widgets/IconButton';
import { basisOf, draftOf, EVERY, machineOf, slug, type Draft } from './machine_draft';
import { Select } from '../widgets/Select';

export interface EditorProps {
  machine: Machine;
  newName?: string; // makes a new machine of this name, with the figures of `machine` to begin with
  onClose: () => void;
}

/** A dialog to change every figure of a machine, or to make a new one. */
export function MachineEditor({ machine, newName, onClose }: EditorProps) {
  const copyOf = newName === undefined ? undefined : machine.name || machine.id;
  const form = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState(() =>
    draftOf(
      newName === undefined ? machine : { ...machine, id: slug(newName), name: newName, based_on: basisOf(machine) },
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
  const load = async (file: File | undefined) => {
    if (!file) return;
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
          <input
            type="file"
            class="visually-hidden"
            aria-label="Import a machine"
            accept=".json,.xml,.txt,*/*"
            onChange={event => void load(event.currentTarget.files?.[0])}
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
        {GROUPS.map(({ title, figures }) => (
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

interface RowsProps<Row> {
  title: string;
  heads: string[]; // of the columns
  rows: Row[];
  add: string;
  blank: Row;
  rare?: (row: Row) => boolean;
  onChange: (rows: Row[]) => void;
  children: (row: Row, set: (part: Partial<Row>) => void, of: string) => ComponentChildren;
}

/** A list of rows that can be added to and taken from. Rare ones are folded. */
function Rows<Row extends object>({ title, heads, rows, add, blank, rare, onChange, children }: RowsProps<Row>) {
  const noun = title.split(',')[0]!.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
  const folded = (i: number) => rare?.(rows[i]!) === true;
  const hidden = rows.filter((_, i) => folded(i)).length;
  const lines = rows.map((row, i) => {
    const of = `${noun} ${i + 1}`;
    return (
      <div key={i} class="row">
        {children(row, part => onChange(rows.map((other, j) => (j === i ? { ...row, ...part } : other))), of)}
        <IconButton
          icon="close"
          label={`Remove ${of}`}
          class="ghost small"
          onClick={() => onChange(rows.filter((_, j) => j !== i))}
        />
      </div>
    );
  });
  return (
    <fieldset class="rows">
      <legend>{title}</legend>
      <div class="row-grid" style={{ '--columns': heads.length }}>
        {rows.length > 0 && (
          <div class="row muted" aria-hidden="true">
            {heads.map(head => (
              <span key={head}>{head}</span>
            ))}
          </div>
        )}
        {lines.filter((_, i) => !folded(i))}
      </div>
      {hidden > 0 && (
        <details>
          <summary>{plural(hidden, `more ${noun}`)}</summary>
          <div class="row-grid" style={{ '--columns': heads.length }}>
            {lines.filter((_, i) => folded(i))}
          </div>
        </details>
      )}
      <button type="button" class="link" onClick={() => onChange([...rows, { ...blank }])}>
        {add}
      </button>
    </fieldset>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onInput: (text: string) => void;
}

const Text = ({ label, value, onInput }: FieldProps) => (
  <input
    type="text"
    aria-label={label}
    title={label}
    value={value}
    onInput={event => onInput(event.currentTarget.value)}
  />
);

/** The range of a field: what a machine can have, in the field's unit. */
const RATE = { least: 1e-6, most: 1e9 };

interface FieldRange {
  least: number;
  most: number;
  unit?: string;
  whole?: boolean;
}

/** A number that may be missing; one out of its range is refused, and stays until it is corrected. */
const Figure = ({ value, onInput, ...field }: FieldProps & FieldRange) => (
  <NumberInput
    value={value === '' ? undefined : Number(value)}
    optional
    held
    onInput={number => onInput(number === undefined ? '' : String(number))}
    {...field}
  />
);

const MEMORY_FIGURES: readonly {
  key: 'bandwidth' | 'read' | 'write' | 'capacity';
  unit: string;
  label: (of: string) => string;
}[] = [
  { key: 'bandwidth', unit: 'GB/s', label: of => `GB/s of ${of}` },
  { key: 'read', unit: 'GB/s', label: of => `Read GB/s of ${of}` },
  { key: 'write', unit: 'GB/s', label: of => `Write GB/s of ${of}` },
  { key: 'capacity', unit: 'GB', label: of => `Capacity of ${of}, GB` },
];

/** Figures of the whole machine. */
const GROUPS: readonly {
  title: string;
  figures: readonly (FieldRange & {
    key: 'compute' | 'bandwidth' | 'launch' | 'tdp' | 'price' | 'units';
    name: string;
    label: string;
  })[];
}[] = [
  {
    title: 'Achievable by real kernels',
    figures: [
      {
        key: 'compute',
        name: 'Compute, %',
        label: 'Achievable compute, %',
        least: 0.1,
        most: 100,
        unit: '%',
      },
      {
        key: 'bandwidth',
        name: 'Bandwidth, %',
        label: 'Achievable bandwidth, %',
        least: 0.1,
        most: 100,
        unit: '%',
      },
      {
        key: 'launch',
        name: 'Launch, µs',
        label: 'Launch time, µs',
        least: 0,
        most: 1e6,
        unit: 'µs',
      },
    ],
  },
  {
    title: 'Power and price',
    figures: [
      {
        key: 'tdp',
        name: 'Power, W',
        label: 'Power (TDP), W',
        ...RATE,
        unit: 'W',
      },
      { key: 'price', name: 'Price, $', label: 'Price, US dollars', ...RATE },
    ],
  },
  {
    title: 'Matrix units',
    figures: [
      {
        key: 'units',
        name: 'SMs, CUs or cores',
        label: 'Number of matrix units (SMs, CUs, cores)',
        least: 1,
        most: 1e9,
        whole: true,
      },
    ],
  },
];

/** In percent: a part that runs above its rated clock may reach more than its peaks. */
function mostCompute(machine: Machine) {
  const { rated, highest } = (machine as { clock_hz?: Record<string, ValueOf> }).clock_hz ?? {};
  return 100 * Math.max(1, (valueOf(highest) ?? 0) / (valueOf(rated) ?? Infinity));
}
type ValueOf = Parameters<typeof valueOf>[0];

interface Lack {
  field: string; // its label
  message: string;
}

/** The first thing that the draft lacks; null: nothing. */
function missing({ name, peaks, memories, links }: Draft): Lack | null {
  if (name.trim() === '') return { field: 'Name', message: 'Give the machine a name.' };
  if (peaks.length === 0) return { field: '', message: 'Add at least one peak.' };
  const lacking = (field: string, row: string, what: string): Lack => ({
    field: `${field} of ${row.toLowerCase()}`,
    message: `${row} has no ${what}: enter it, or remove the row.`,
  });
  const peak = peaks.findIndex(({ tera }) => tera === '');
  if (peak >= 0) return lacking('TFLOP/s', `Peak ${peak + 1}`, 'rate in TFLOP/s');
  if (memories.length === 0) return { field: '', message: 'Add the device memory.' };
  const unnamed = memories.findIndex(row => row.name.trim() === '');
  if (unnamed >= 0) return lacking('Name', `Memory ${unnamed + 1}`, 'name');
  const first = memories[0]!;
  if (first.bandwidth === '' && (first.read === '' || first.write === ''))
    return {
      field: 'GB/s of memory 1',
      message: 'Memory 1, the device memory, has no bandwidth: enter GB/s, or both read and write.',
    };
  const link = links.findIndex(row => row.name.trim() === '' || row.bandwidth === '');
  if (link < 0) return null;
  return links[link]!.name.trim() === ''
    ? lacking('Name', `Link ${link + 1}`, 'name')
    : lacking('GB/s', `Link ${link + 1}`, 'rate in GB/s');
}
