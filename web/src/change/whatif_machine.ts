// Other rates as a what-if of a file: it keeps the machine that it ran on, and the changed machine is compared with it.
import { computed } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { core } from '../core/core';
import { figureValue, type Figure, type Machine } from '../core/machine_document';
import { CHANGED, changeWhatIf, settings } from '../core/settings';
import { myMachines } from '../machine/machine_options';

/** A document of plain numbers, without sources: it is part of the link. */
type Plain = { id: string; name: string; peaks: Record<string, number | Record<string, number>> } & Record<
  string,
  unknown
>;

/** Where a rate is in a machine: ["memories", 0, "bandwidth"]. ["peaks"]: one rate for every format. */
export type RatePath = readonly (string | number)[];

const chosen = () => settings.value.whatif?.machine as string | Plain | undefined;
const idOf = (machine: string | Plain) => (typeof machine === 'string' ? machine : machine.id).replace(CHANGED, '');

/** The machine whose rates the what-if changes: the one chosen for it, else the one in force. Null until it is there. */
export function useWhatIfMachine(now: Machine): Machine | null {
  const whatif = chosen();
  const id = whatif === undefined ? now.id : idOf(whatif);
  const [other, setOther] = useState<Machine | null>(null);
  const mine = myMachines.value.find(machine => machine.id === id);
  useEffect(() => {
    if (id !== now.id && !mine) void core().preset(id).then(setOther);
  }, [id, now.id, !mine]);
  if (id === now.id) return now;
  if (mine) return mine;
  if (other?.id === id) return other;
  return typeof whatif === 'object' ? (whatif as unknown as Machine) : null; // of a link
}

const LEFT_OUT = ['sources', 'notes', 'aliases', 'sparse_peaks', 'per_hour']; // no bound depends on them

/** The machine with its figures as numbers, which those of a configuration file are not. */
function plain(machine: Machine | Plain): Plain {
  const all = JSON.parse(
    JSON.stringify(machine, (key, value: unknown) =>
      LEFT_OUT.includes(key) || value === null
        ? undefined
        : typeof value === 'object' && 'value' in value
          ? ((value as { value: unknown }).value ?? undefined)
          : value,
    ),
  ) as Plain;
  const rates = Object.values(all.peaks).flatMap(unit => Object.values(unit));
  const uniform = rates.length > 1 && rates.every(rate => rate === rates[0]);
  return uniform ? { ...all, peaks: { matrix: rates[0]!, vector: rates[0]! } } : all;
}

/** The machine with changed rates, if the what-if has one. */
const changedMachine = computed(() => {
  const whatif = chosen();
  return typeof whatif === 'object' && whatif.id.endsWith(CHANGED) ? plain(whatif) : null;
});

type Node = Record<string | number, unknown>;
const at = (machine: object, path: RatePath) =>
  path.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], machine);

/** A machine's name without the rates in it, as in "NPU, 32 TOPS, 50 GB/s": the changed machine has others. */
function changedName({ name, id }: Machine) {
  const bare = name
    .replace(/, changed$| \(changed\)$/, '') // of earlier links, and now
    .replace(/,? *\b\d[\d.,]* ?[kMGTPE]?(OPS|FLOPS|OP\/s|FLOP\/s|B\/s)(?![\w/])/g, '');
  return bare.trim() || id.replace(CHANGED, '');
}

/** A rate in SI units as the what-if has it, the machine's own, and how to change it. `inForce`: the machine is the one that the file ran on. */
export function whatIfRate(machine: Machine, inForce: boolean, path: RatePath, figure: Figure) {
  const own = figureValue(figure)!;
  const changed = changedMachine.value;
  const uniform = path.length === 1;
  const withRate = (base: Plain, value: number): Plain => {
    const next = structuredClone(base);
    if (uniform) next.peaks = { matrix: value, vector: value };
    else (at(next, path.slice(0, -1)) as Node)[path.at(-1)!] = value;
    return {
      ...next,
      id: idOf(machine.id) + CHANGED,
      name: `${changedName(machine)} (changed)`,
    };
  };
  const set = (value: number) => {
    const next = withRate(changed ?? plain(machine), value);
    const same = JSON.stringify(next) === JSON.stringify(withRate(plain(machine), own));
    const original =
      myMachines.peek().find(mine => mine.id === machine.id) ?? (machine.id.endsWith(CHANGED) ? machine : machine.id);
    changeWhatIf({ machine: !same ? next : inForce ? undefined : original });
  };
  const value = changed && (at(changed, uniform ? ['peaks', 'matrix'] : path) as number | undefined);
  return { value: value ?? own, own, set };
}
