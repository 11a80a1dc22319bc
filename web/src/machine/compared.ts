// The machines that the Machines views compare with the one in force, and the question about them.
import type { MachinesJson } from '../../../wasm/session';
import { ask, useAnswer, type AskFunction } from '../core/ask';
import { chooseMachine } from '../core/settings';
import { panelFrame } from '../core/engine';
import type { Machine } from '../core/machine_document';
import { changeView, viewState } from '../core/view';
import { isMachine } from '../share/link';
import { opened, scopedOp } from '../sources/opened';
import { modelRequest } from '../model/model';
import { chooseMachineOption, isMine, myMachines, optionOf } from './machine_options';

type Item = string | object; // an option id, or a machine document of a link
export type MachineRow = MachinesJson['rows'][number];

/** The few that a list begins with. */
export const USUAL = ['h100-sxm', 'a100-80gb-sxm', 'l4', 'rtx-4090', 'mi300x', 'jetson-orin-nano'];

/** The machines to compare, all unless the view has a list, and for which operations. */
export function comparedMachines() {
  const chosen = viewState.value.machines ?? 'all';
  const all = chosen === 'all';
  const op = scopedOp();
  // The user's machines are sent as documents, because the core knows presets only. Those named in a link but missing here are left out.
  const files = all ? [] : chosen.filter(isMachine);
  const mine = myMachines.value.filter(({ id }) => all || chosen.includes(optionOf(id)));
  const own = [...files, ...mine];
  const presets = all ? [] : chosen.filter(item => !isMachine(item) && !isMine(item as string));
  const request = { op, own, ...(!all && { machines: presets }) };
  /** The i-th row as an entry of the list: the machine in force is first, then documents, the user's machines, presets. */
  const itemOf = (i: number, { id }: MachineRow): Item => files[i - 1] ?? (i <= own.length ? optionOf(id) : id);
  return { chosen, op, request, itemOf };
}

/** Keeps the list in the view. */
export const compare = (machines: Item[] | 'all' | 'usual') =>
  changeView({ machines: machines === 'usual' ? USUAL : machines });

export const takeMachine = (item: Item) =>
  typeof item === 'string' ? chooseMachineOption(item) : chooseMachine(item as Machine);

const PART = 2_000_000; // operations times machines: some 25 ms

/** For many operations a few machines at a time, so that frames and clicks are not delayed. */
const inParts: AskFunction<MachinesJson> = async (question, request, stale) => {
  const each = Math.max(1, Math.floor(PART / Math.max(1, opened.peek()?.ops ?? 0)));
  const first = await ask<MachinesJson>(question, { ...request, first: 0, count: each });
  if ('error' in first) return first;
  const { rows, total, unit } = first.json;
  if (rows.length === total) return first;
  while (rows.length < total) {
    const part = await ask<MachinesJson>(question, { ...request, first: rows.length, count: each });
    if (stale()) return null;
    if ('error' in part) return part;
    rows.push(...part.json.rows);
  }
  const whole = await ask<Pick<MachinesJson, 'finding' | 'fastest'>>(question, { ...request, found: rows, unit });
  return 'error' in whole ? whole : { ...first, json: { ...first.json, rows, ...whole.json } };
};

/** The open run, operator or language model on each machine; the machine in force first. */
export function useMachines(request: object, model: boolean) {
  const revision = panelFrame.value?.revision; // another one where the filters change
  return useAnswer<MachinesJson>(
    'machines',
    { ...request, ...(model ? { request: modelRequest.value } : { revision }) },
    inParts,
  );
}
