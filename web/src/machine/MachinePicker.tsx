// Picks any machine; unlikely ones come last. An unlisted name opens the machine editor.
import { useState } from 'preact/hooks';
import { machine } from '../core/engine';
import { Combobox } from '../widgets/Combobox';
import { late } from '../widgets/late';
import { chooseMachineOption, machineOptions } from './machine_options';
import type { EditorProps } from './MachineEditor';
import { useWhichMachine } from './which_machine';

const MachineEditor = late<EditorProps>('MachineEditor');

/** `value`: the text in the closed field. */
export function MachinePicker({ label, value }: { label: string; value: string }) {
  const [listed, setListed] = useState(false);
  const [newName, setNewName] = useState<string | null>(null);
  const unlikely = useWhichMachine(listed)?.unlikely;
  return (
    <>
      <Combobox
        label={label}
        options={machineOptions().map(option => {
          const whyUnlikely = unlikely?.find(({ id }) => id === option.id)?.reason;
          if (whyUnlikely === undefined) return option;
          // The vendor moves to `detail`, so that typing it still finds the machine.
          return {
            ...option,
            whyUnlikely,
            detail: option.group,
            group: 'Unlikely: the file exceeds their roof, or they lack its formats',
          };
        })}
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
