// The open network: its file, the choices it was read with, and the run that its times come from.
import type { ColumnWords, NetworkChoices } from '../../../wasm/session';
import type { InputFile, Opened, OpenReport } from './messages';
import { configure, fault, session } from './module';
import { networkAnswer, networkCommands, type NetworkQuestion } from './network';
import { planFor } from './quantize';
import { clearCancellation, read, type OnProgress, type Outcome } from './reading';

export let openNetwork: InputFile | null = null; // the file of the open operations; null: no network is open
let openChoices: NetworkChoices = {};
export let openRun: InputFile | null = null; // the run whose times and sizes it has; null: none

/// Reads the open network again, merged by the rules of the engine that gave its times, unless the user chose others.
export async function mergeAsRun(config: string, report: OpenReport, onProgress: OnProgress) {
  const { engine } = report.opened!;
  if (openNetwork && openRun && engine !== 'none' && openChoices.fold === undefined)
    report.opened = await readNetwork(config, { ...openChoices, engine }, onProgress);
}

/// Reads the open network at other choices, with the times of the open run; at the old choices if the run no longer matches.
async function readNetwork(config: string, choices: NetworkChoices, onProgress: OnProgress): Promise<Opened> {
  const at = async (choices: NetworkChoices) => {
    const alone = await read(await networkCommands(openNetwork!, config, choices), { alone: true }, onProgress);
    return openRun ? read(openRun, {}, onProgress) : alone;
  };
  const opened = await at(choices);
  if (openRun && !opened.joined) return at(openChoices);
  openChoices = choices;
  return opened;
}

export function setOpenNetwork(file: InputFile | null = null, choices: NetworkChoices = {}) {
  openNetwork = file;
  openChoices = choices;
}

export function setOpenRun(run: InputFile | null) {
  openRun = run;
}

/// A plan of formats for the open network.
export const askNetworkPlan = (settings: string, request: object) =>
  planFor(settings, openRun ? null : openNetwork, request);

/// What the network module answers about the open network: with its times, where some were measured.
export const askNetwork = async (settings: string, question: NetworkQuestion) =>
  openNetwork
    ? networkAnswer(openNetwork, openChoices, settings, question, openRun ? measuredTimes() : '')
    : { error: fault('no network is open') };

/// The measured times of the open operations as a commands.json of names and times.
function measuredTimes(): string {
  const { json, count, time_s } = session.columns();
  const { name } = JSON.parse(json) as ColumnWords;
  const each = (i: number) => ({
    type: 'measured',
    name: name[i],
    count: count![i]!,
    time_s: time_s![i]! / count![i]!,
  });
  return JSON.stringify(Array.from(time_s!, (_, i) => each(i)).filter(row => row.time_s > 0));
}

/// Reads the open network with other choices. On an error the open workload stays.
export async function resizeNow(config: string, choices: NetworkChoices): Promise<Outcome> {
  clearCancellation();
  if (!openNetwork) return { error: fault(new Error('no network is open')) };
  const { engine } = openChoices;
  try {
    configure(config);
    return { opened: await readNetwork(config, { ...choices, ...(engine && { engine }) }, () => {}) };
  } catch (error) {
    session.drop();
    return { error: fault(error) };
  }
}
