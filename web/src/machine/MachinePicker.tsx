// Picks any machine; unlikely ones come last. An unlisted name opens the machine editor.
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
  fittingFirst?: boolean; // those that may have run the file come before all others
}

export function MachinePicker({ label, value, fittingFirst = false }: Props) {
  const [listed, setListed] = useState(false);
  const [newName, setNewName] = useState<string | null>(null);
  const found = useWhichMachine(listed);
  return (
    <>
      <Combobox
        label={label}
        options={found ? judged(machineOptions(), fittingFirst ? found : { ...found, fitting: [] }) : machineOptions()}
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

/** The options with those that allow the file's rates first and unlikely ones last, with the reason. Typing a vendor finds them all the same. */
function judged(options: ReturnType<typeof machineOptions>, found: Pick<WhichMachineJson, 'fitting' | 'unlikely'>) {
  const moved = (group: string, unlikely: boolean) => (machine: { id: string; reason: string }) =>
    options
      .filter(({ id }) => id === machine.id)
      .map(option => {
        const vendor = option.name.startsWith(option.group) ? '' : option.group;
        return { ...option, note: machine.reason, unlikely, detail: vendor, group };
      });
  const first = found.fitting.flatMap(moved('Allow the rates of the file, the nearest roof first', false));
  const last = found.unlikely.flatMap(moved('Unlikely: the file exceeds their roof, or they lack its formats', true));
  const judgedIds = new Set([...first, ...last].map(({ id }) => id));
  return [...first, ...options.filter(({ id }) => !judgedIds.has(id)), ...last];
}
