// The user's own machines, kept in this browser by id, and the list of all machines to choose from.
import { signal } from '@preact/signals';
import { rateUnitOf, si } from '../format';
import { formatName, machines } from '../core/catalogue';
import { slug, type Machine } from '../core/machine_document';
import { kept } from '../core/layout';
import { isMachine } from '../share/link';
import { chooseMachine, settings } from '../core/settings';
import { chooseForFile } from './machine_of_file';

const KEY = 'roofline.machines';
const MINE = 'mine:';

export const myMachines = signal<Machine[]>(load());
// Another tab may save or forget a machine: this tab's next save must not undo that.
addEventListener('storage', ({ key }) => {
  if (key === KEY) myMachines.value = load();
});

function load(): Machine[] {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(list) ? list.filter(isMachine) : [];
  } catch {
    return [];
  }
}

/** False if the browser cannot store it. */
export function saveMachine(machine: Machine): boolean {
  return keep(
    [...myMachines.value.filter(({ id }) => id !== machine.id), machine].sort((a, b) => a.name.localeCompare(b.name)),
  );
}

/** An id for a machine of this name that replaces no other: saveMachine keeps one machine per id. `own`: the machine's present id. */
export function freeId(name: string, own = ''): string {
  const id = slug(name) || 'machine';
  const taken = (wanted: string) => wanted !== own && myMachines.value.some(machine => machine.id === wanted);
  let free = id;
  for (let n = 2; taken(free); ++n) free = `${id}-${n}`;
  return free;
}

/** Its name, or its id if it has none. `machine`: a document, or the id of a preset. */
export const machineName = (machine: string | object) =>
  typeof machine === 'string'
    ? (machines.value.find(({ id }) => id === machine)?.name ?? machine)
    : (machine as Machine).name || (machine as Machine).id;

/** Removes one of the user's machines. */
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

/** The option id of one of the user's machines. */
export const optionOf = (id: string) => MINE + id;
/** Whether an option is one of the user's machines. */
export const isMine = (option: string) => option.startsWith(MINE);

/** The user's machines, then the presets by vendor. Vendors and their machines: highest peak first; no vendor: last. */
export function machineOptions() {
  const presets = machines.value.map(({ id, name, vendor, peak, peak_format, bandwidth, capacity }) => ({
    id,
    name,
    group: vendor || 'Others',
    rank: [peak ?? 0, bandwidth ?? 0] as const,
    detail: [
      `${formatName(peak_format ?? '')} ${si(peak, rateUnitOf(peak_format ?? ''))}`.trim(),
      si(bandwidth, 'B/s'),
      ...(capacity === null ? [] : [si(capacity, 'B')]),
    ].join(' · '),
  }));
  presets.sort((a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1]);
  const vendors = [...new Set(presets.map(({ group }) => group))];
  const place = (group: string) => (group === 'Others' ? vendors.length : vendors.indexOf(group));
  return [
    ...myMachines.value.map(({ id, name }) => ({ id: optionOf(id), name: `${name} (mine)`, group: 'My machines' })),
    ...presets.sort((a, b) => place(a.group) - place(b.group)),
  ];
}

/** An option as a setting: a preset's id, or the document of one of the user's machines. */
export const machineOf = (option: string): string | Machine | undefined =>
  isMine(option) ? myMachines.value.find(({ id }) => optionOf(id) === option) : option;

/** The option chosen last, offered first if the next file names no machine. */
export const lastChosen = kept<string | null>('lastMachine', null);

/** Chooses an option as the machine. */
export function chooseMachineOption(option: string) {
  lastChosen.value = option;
  chooseForFile(option);
  chooseMachine(machineOf(option));
}

/** Whether the machine was taken from words in the file, and nobody has chosen it. */
export const isGuessed = () => settings.value.machine_basis === 'guessed';
