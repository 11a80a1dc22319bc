// Picks any machine: those that words in the file name come first, unlikely ones last. An unlisted name opens the machine editor.
import { useState } from 'preact/hooks';
import { machine } from '../core/engine';
import { Combobox } from '../widgets/Combobox';
import { late } from '../widgets/late';
import { chooseMachineOption, machineOptions } from './machine_options';
import type { EditorProps } from './MachineEditor';
import { useWhichMachine } from './which_machine';
import type { WhichMachineJson } from '../../../wasm/session';

const MachineEditor = late<EditorProps>('MachineEditor');

interface Props {
  label: string;
  value: string; // the text in the closed field
  fittingFirst?: boolean; // for a file that names no machine: list those whose roofs allow its rates first
}

export function MachinePicker({ label, value, fittingFirst = false }: Props) {
  const [listed, setListed] = useState(false);
  const [newName, setNewName] = useState<string | null>(null);
  const found = useWhichMachine(listed);
  return (
    <>
      <Combobox
        label={label}
        options={
          found
            ? groupByLikelihood(machineOptions(), fittingFirst ? { ...found, machines: [] } : { ...found, fitting: [] })
            : machineOptions()
        }
        value={value}
        onChange={chooseMachineOption}
        onOpen={() => setListed(true)}
        unlisted={{ text: '+ my machine', choose: setNewName }}
      />
      {newName !== null && (
        <MachineEditor machine={machine.value!} newName={newName} onClose={() => setNewName(null)} />
      )}
    </>
  );
}

/** Likely machines first and unlikely ones last, with the reason; their vendor moves to `detail`. */
function groupByLikelihood(
  options: ReturnType<typeof machineOptions>,
  { machines, fitting, unlikely }: Pick<WhichMachineJson, 'machines' | 'fitting' | 'unlikely'>,
) {
  const regroup = (group: string, likelihood: 'possible' | 'unlikely') => (machine: { id: string; reason: string }) =>
    options
      .filter(({ id }) => id === machine.id)
      .map(option => {
        const vendor = option.name.startsWith(option.group) ? '' : option.group; // typing it still finds the machine
        return { ...option, note: machine.reason, likelihood, detail: vendor, group };
      });
  const named = machines
    .filter(({ id }) => unlikely.every(other => other.id !== id))
    .map(({ id, evidence }) => ({ id, reason: evidence }));
  const first = [
    ...named.flatMap(regroup('Likely for this file', 'possible')),
    ...fitting.flatMap(regroup('Fast enough for the rates of the file', 'possible')),
  ];
  const last = unlikely.flatMap(regroup('Unlikely: the file exceeds their roof, or they lack its formats', 'unlikely'));
  const regrouped = new Set([...first, ...last].map(({ id }) => id));
  return [...first, ...options.filter(({ id }) => !regrouped.has(id)), ...last];
}
