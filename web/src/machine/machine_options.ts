// Machines of one's own: kept in this browser, by id.
import { signal } from '@preact/signals';
import { si } from '../format';
import { machines } from '../core/catalogue';
import type { Machine } from '../core/engine';
import { kept } from '../core/layout';
import { isMachine } from '../share/link';
import { chooseMachine } from '../core/settings';

const KEY = 'roofline.machines';
const MINE = 'mine:';

export const myMachines = signal<Machine[]>(load());

function load(): Machine[] {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(list) ? list.filter(isMachine) : [];
  } catch {
    return [];
  }
}

/** False where the browser keeps nothing. */
export function saveMachine(machine: Machine): boolean {
  return keep(
    [...myMachines.value.filter(({ id }) => id !== machine.id), machine].sort((a, b) => a.name.localeCompare(b.name)),
  );
}

/** Removes one of the person's own machines. */
export const forgetMachine = (id: string) => keep(myMachines.value.filter(machine => machine.id !== id));

function keep(list: Machine[]): boolean {
  myMachines.value = list;
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
    return true;
  } catch {
    return false;
  }
}

/** How one of the person's own machines is called in lists of options. */
export const optionOf = (id: string) => MINE + id;
/** Whether an option is one of the person's own machines. */
export const isMine = (option: string) => option.startsWith(MINE);

/** What there is to choose from: one's own first, then those that come with the core, by vendor. */
export const machineOptions = () => [
  ...myMachines.value.map(({ id, name }) => ({ id: optionOf(id), name: `${name} (mine)`, group: 'My machines' })),
  ...machines.value
    .map(({ id, name, vendor, matrix_peaks, bandwidth, capacity }) => ({
      id,
      name,
      group: vendor || 'Others',
      detail: [
        si(Math.max(...Object.values(matrix_peaks)), 'FLOP/s'),
        si(bandwidth, 'B/s'),
        ...(capacity === null ? [] : [si(capacity, 'B')]),
      ].join(' · '),
    }))
    .sort(
      // Not localeCompare: a collator takes long to start, and the page does with this.
      (a, b) =>
        Number(a.group === 'Others') - Number(b.group === 'Others') ||
        (a.group < b.group ? -1 : Number(a.group > b.group)),
    ),
];

/** What a choice stands for in the settings: an id of the core's, or one's own machine, whole. */
export const machineOf = (option: string): string | Machine | undefined =>
  isMine(option) ? myMachines.value.find(({ id }) => optionOf(id) === option) : option;

/** The option chosen last: offered first where the next file does not say what it ran on. */
export const lastChosen = kept<string | null>('lastMachine', null);

/** Takes an option as the machine in force. */
export function chooseMachineOption(option: string) {
  lastChosen.value = option;
  chooseMachine(machineOf(option));
}
