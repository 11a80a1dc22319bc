// The editor of a machine: edits its rates, uses or saves it, exports or imports it as a file.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Fault } from '../../../wasm/session';
import { downloadJson } from '../core/download';
import { formats } from '../core/catalogue';
import { core } from '../core/core';
import { valueOf, type Machine } from '../core/engine';
import { forgetMachine, myMachines, saveMachine } from './machine_options';
import { chooseMachine } from '../core/settings';
import { Dialog } from '../widgets/Dialog';
import { NumberInput } from '../widgets/NumberInput';
import { IconButton } from '../widgets/IconButton';
import { draftOf, EVERY, machineOf, type Draft } from './machine_draft';
import { Select } from '../widgets/Select';

/** A dialog to change every figure of a machine. */
export function MachineEditor({
  machine,
  title = 'Edit machine',
  onClose,
}: { machine: Machine; title?: string; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(machine));
  const [fault, setFault] = useState<Fault | null>(null);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  /** Has the core check the machine, then runs `act` on a valid one. */
  const then = (act: (machine: Machine) => void) => async () => {
    const lack = missing(draft);
    if (lack) return setFault({ message: lack, line: 0, column: 0, path: '' });
    const { error, text } = await core().machine(new Blob([JSON.stringify(machineOf(draft))]));
    setFault(error ?? null);
    if (text !== undefined) act(JSON.parse(text) as Machine);
  };
  const use = (checked: Machine) => {
    chooseMachine(checked);
    onClose();
  };
  const save = (checked: Machine) => {
    if (saveMachine(checked)) use(checked);
    else setFault({ message: 'this browser cannot save it: use Export instead', line: 0, column: 0, path: '' });
  };
  const load = async (file: File | undefined) => {
    if (!file) return;
    const { error, text } = await core().machine(file);
    setFault(error ? { ...error, message: `${file.name}: ${error.message}` } : null);
    if (text !== undefined) setDraft(draftOf(JSON.parse(text) as Machine));
  };
  const mine = myMachines.value.some(({ id }) => id === draft.base.id);

  return (
    <Dialog title={title} onClose={onClose}>
      <label class="field">
        <span>Name</span>
        <input type="text" value={draft.name} onInput={event => change({ name: event.currentTarget.value })} />
      </label>
      <Rows
        title="Peaks, TFLOP/s dense"
        rows={draft.peaks}
        add="Add a format"
        blank={{ unit: 'matrix', format: 'fp16', tera: '' }}
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
              options={[[EVERY, 'every format'], ...formats.value.map(({ id, name }): [string, string] => [id, name])]}
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
        title="Memories: GB/s (or read and write), GB; the device memory first"
        rows={draft.memories}
        add="Add a memory"
        blank={{ name: '', bandwidth: '', read: '', write: '', capacity: '' }}
        onChange={memories => change({ memories })}
      >
        {(row, set, of) => (
          <>
            <Text label={`Name of ${of}`} value={row.name} hint="name" onInput={name => set({ name })} />
            <Figure
              label={`GB/s of ${of}`}
              value={row.bandwidth}
              hint="GB/s"
              unit="GB/s"
              {...RATE}
              onInput={bandwidth => set({ bandwidth })}
            />
            <Figure
              label={`Read GB/s of ${of}`}
              value={row.read}
              hint="read"
              unit="GB/s"
              {...RATE}
              onInput={read => set({ read })}
            />
            <Figure
              label={`Write GB/s of ${of}`}
              value={row.write}
              hint="write"
              unit="GB/s"
              {...RATE}
              onInput={write => set({ write })}
            />
            <Figure
              label={`Capacity of ${of}, GB`}
              value={row.capacity}
              hint="GB"
              unit="GB"
              {...RATE}
              onInput={capacity => set({ capacity })}
            />
          </>
        )}
      </Rows>
      <Rows
        title="Links, GB/s in one direction"
        rows={draft.links}
        add="Add a link"
        blank={{ name: '', bandwidth: '' }}
        onChange={links => change({ links })}
      >
        {(row, set, of) => (
          <>
            <Text label={`Name of ${of}`} value={row.name} hint="name" onInput={name => set({ name })} />
            <Figure
              label={`GB/s of ${of}`}
              value={row.bandwidth}
              hint="GB/s"
              unit="GB/s"
              {...RATE}
              onInput={bandwidth => set({ bandwidth })}
            />
          </>
        )}
      </Rows>
      <fieldset class="rows">
        <legend>Achievable by real kernels</legend>
        <div class="row-fields">
          <label>
            Compute, %{' '}
            <Figure
              label="Achievable compute, %"
              value={draft.compute}
              least={0.1}
              most={mostCompute(draft.base)}
              unit="%"
              onInput={compute => change({ compute })}
            />
          </label>
          <label>
            Bandwidth, %{' '}
            <Figure
              label="Achievable bandwidth, %"
              value={draft.bandwidth}
              least={0.1}
              most={100}
              unit="%"
              onInput={bandwidth => change({ bandwidth })}
            />
          </label>
          <label>
            Launch, µs{' '}
            <Figure
              label="Launch time, µs"
              value={draft.launch}
              least={0}
              most={1e6}
              unit="µs"
              onInput={launch => change({ launch })}
            />
          </label>
        </div>
      </fieldset>
      <fieldset class="rows">
        <legend>Power and price</legend>
        <div class="row-fields">
          <label>
            Power, W{' '}
            <Figure label="Power (TDP), W" value={draft.tdp} {...RATE} unit="W" onInput={tdp => change({ tdp })} />
          </label>
          <label>
            Price, ${' '}
            <Figure label="Price, US dollars" value={draft.price} {...RATE} onInput={price => change({ price })} />
          </label>
          <label>
            Units{' '}
            <Figure
              label="Number of matrix units (SMs, CUs, cores)"
              value={draft.units}
              least={1}
              most={1e9}
              whole
              onInput={units => change({ units })}
            />
          </label>
        </div>
      </fieldset>
      {fault && (
        <p class="form-fault" role="alert">
          {fault.path && `${placeOf(fault.path)}: `}
          {fault.message}
        </p>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={then(use)}>
          Use
        </button>
        <button type="button" onClick={then(save)}>
          Save to my machines
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
      <p class="muted">
        Import reads a machine file, ERT's roofline.json or sum, clpeak's XML or rocprof-compute's roofline.csv. A share
        link includes your own machine.
      </p>
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
  rows: Row[];
  add: string;
  blank: Row;
  onChange: (rows: Row[]) => void;
  children: (row: Row, set: (part: Partial<Row>) => void, of: string) => ComponentChildren;
}

/** A list of rows that can be added to and taken from. */
function Rows<Row extends object>({ title, rows, add, blank, onChange, children }: RowsProps<Row>) {
  const noun = title.split(/[:,]/)[0]!.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
  return (
    <fieldset class="rows">
      <legend>{title}</legend>
      {rows.map((row, i) => {
        const of = `${noun} ${i + 1}`;
        return (
          <div key={i} class="row-fields">
            {children(row, part => onChange(rows.map((other, j) => (j === i ? { ...row, ...part } : other))), of)}
            <IconButton
              icon="close"
              label={`Remove ${of}`}
              class="ghost small"
              onClick={() => onChange(rows.filter((_, j) => j !== i))}
            />
          </div>
        );
      })}
      <button type="button" class="link" onClick={() => onChange([...rows, { ...blank }])}>
        {add}
      </button>
    </fieldset>
  );
}

interface FieldProps {
  label: string;
  value: string;
  hint?: string;
  onInput: (text: string) => void;
}

const Text = ({ label, value, hint = '', onInput }: FieldProps) => (
  <input
    type="text"
    aria-label={label}
    title={label}
    placeholder={hint}
    value={value}
    onInput={event => onInput(event.currentTarget.value)}
  />
);

/** The range of a field: what a machine can have, in the field's unit. */
const RATE = { least: 1e-6, most: 1e9 };

/** A number that may be missing; one out of its range is refused. */
const Figure = ({
  label,
  value,
  hint = '',
  onInput,
  ...range
}: FieldProps & { least: number; most: number; unit?: string; whole?: boolean }) => (
  <NumberInput
    label={label}
    value={value === '' ? undefined : Number(value)}
    placeholder={hint}
    optional
    onInput={number => onInput(number === undefined ? '' : String(number))}
    {...range}
  />
);

/** In percent: a part that runs above its rated clock may reach more than its peaks. */
function mostCompute(machine: Machine) {
  const { rated, highest } = (machine as { clock_hz?: Record<string, ValueOf> }).clock_hz ?? {};
  return 100 * Math.max(1, (valueOf(highest) ?? 0) / (valueOf(rated) ?? Infinity));
}
type ValueOf = Parameters<typeof valueOf>[0];

/** What the draft lacks, in words; empty: nothing. */
function missing({ name, peaks, memories, links }: Draft): string {
  if (name.trim() === '') return 'Give the machine a name.';
  if (peaks.length === 0) return 'Add at least one peak.';
  const lacking = (noun: string, at: number, what: string) =>
    `${noun} ${at + 1} has no ${what}: enter it, or remove the row.`;
  const peak = peaks.findIndex(({ tera }) => tera === '');
  if (peak >= 0) return lacking('Peak', peak, 'rate in TFLOP/s');
  if (memories.length === 0) return 'Add the device memory.';
  const unnamed = memories.findIndex(row => row.name.trim() === '');
  if (unnamed >= 0) return lacking('Memory', unnamed, 'name');
  const first = memories[0]!;
  if (first.bandwidth === '' && (first.read === '' || first.write === ''))
    return 'Memory 1, the device memory, has no bandwidth: enter GB/s, or both read and write.';
  const link = links.findIndex(row => row.name.trim() === '' || row.bandwidth === '');
  return link >= 0 ? lacking('Link', link, links[link]!.name.trim() === '' ? 'name' : 'rate in GB/s') : '';
}
