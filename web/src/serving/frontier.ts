// The serving frontier: its question, and the types of its answer.
import { signal } from '@preact/signals';
import type { Fault, MachinesJson } from '../../../wasm/session';
import type { NumberOrNull } from '../format';
import { ask, useAnswer, type AskFunction, type Reply } from '../core/ask';
import { formatName, machines } from '../core/catalogue';
import { core } from '../core/core';
import { machine } from '../core/engine';
import { useFinding } from '../core/finding';
import { settings, settingsText, type Patch } from '../core/settings';
import type { Machine } from '../core/machine_document';
import { myMachines } from '../machine/machine_options';
import { changeView, viewState, type ServingRun, type ServingView } from '../core/view';
import { modelRequest } from '../model/model';
import type { ModelRequest } from '../model/model_request';
import { quoted } from '../share/command';
import { servingLoad } from './load';

export interface Deployment {
  layout: string; // "FP8 E4M3 TP4, 2 replicas"
  weights: string;
  machines: number;
  concurrency: number;
  tpot_s: number;
  ttft_s: number;
  request_s: number;
  tokens_per_s_per_user: number;
  tokens_per_s_per_machine: number;
  tokens_per_s: number;
  joules_per_token: NumberOrNull;
  usd_per_million_tokens: NumberOrNull;
  bound_tokens_per_s_per_machine: NumberOrNull;
}

/** The best of a machine within the limits, at a speed for each user or for a number of users. */
export interface Pick {
  asked: string; // "64 users", "20 tokens/s per user or more"
  best: Deployment | null;
  binds: string;
  throughput: string; // how it follows from users and times
  launch: { vllm: string; sglang: string; trtllm: string; benchmark: string } | null;
  next: Deployment | null;
  next_loses: NumberOrNull;
  missed: string; // why there is no best
}

export interface Searched {
  id: string;
  name: string;
  stack: string;
  tpot_error: NumberOrNull;
  throughput_error: NumberOrNull;
  layouts: number;
  evaluated: number;
  rejected: string;
  unfit: string; // why the model does not fit here; empty: it fits
  assumed: string; // source of the efficiencies if they are assumed; empty: they were measured
  power_w: NumberOrNull;
  power: 'all-in' | 'rated' | null;
  usd_per_hour: NumberOrNull;
  prices: { name: string; usd_per_hour: number; source: string }[];
  picks: Pick[];
  point_layouts: string[];
}

export interface FrontierJson {
  model: string;
  prompt: number;
  generate: number;
  evaluated: number;
  main_pick: number; // which of each machine's picks the finding compares
  finding: string;
  machines: Searched[];
}

export type Columns = Record<string, Float32Array>;

const USUAL = ['h200-sxm', 'b200-sxm', 'mi355x'];
const FIRST = 4; // machines that a search begins with
const MAX_OWN_MACHINES = 2; // leaves room for the fastest and common machines

/** The presets that the Machines view calls fast for a model; empty before the answer. */
const fastest = signal<{ model: string; ids: string[] }>({ model: '', ids: [] });

/** The machines to search: those of the view, else the current one, two of the user's own, the fastest, and common ones. */
export function searchedMachines(): (string | object)[] {
  const chosen = viewState.value.serving?.machines;
  if (chosen) return chosen;
  return firstUnique([inForce(), ...myMachines.value.slice(0, MAX_OWN_MACHINES), ...fastest.value.ids, ...USUAL]);
}

/** The first few, each id once. */
function firstUnique(list: (string | Machine)[]) {
  const idOf = (one: string | Machine) => (typeof one === 'string' ? one : one.id);
  return list.filter((one, at) => list.findIndex(other => idOf(other) === idOf(one)) === at).slice(0, FIRST);
}

const inForce = () => (settings.value.machine as string | Machine | undefined) ?? machine.value?.id ?? USUAL[0]!;

/** Asks the core which machines are the fastest for the model, if the view names none. */
async function findFastest(request: ModelRequest) {
  const model = JSON.stringify([request, settingsText.peek()]);
  if (viewState.peek().serving?.machines || fastest.peek().model === model) return;
  const reply = await ask<MachinesJson>('machines', { op: null, own: [], request });
  if (modelRequest.peek() !== request || 'error' in reply) return; // a later request asks for itself, and again after an error
  const presets = new Set(machines.value.map(({ id }) => id));
  fastest.value = { model, ids: (reply.json.fastest ?? []).filter(id => presets.has(id)) };
}

export const PUBLISHED = 'published'; // weights in the formats that the model is published in
export const weightsText = (id: string) => (id === PUBLISHED ? 'original weights' : formatName(id));

export const searchedWeights = (request: ModelRequest) =>
  viewState.value.serving?.weights ?? [request.weights ?? PUBLISHED];

export const changeServing = (part: Patch<ServingView>) => {
  const next = Object.entries({ ...viewState.peek().serving, ...part }).filter(
    ([, value]) => value !== undefined && value !== false,
  );
  changeView({ serving: next.length ? Object.fromEntries(next) : undefined });
};

/** The request: the load, and the members of the model's request that are not searched. */
function frontierRequest(request: ModelRequest): object {
  const { model, activations, kv, experts, mla, chunk, reserve, speculate } = request;
  const { prompt, generate, users, prefixHit } = servingLoad(request);
  const { gpus, disaggregated, prefillMachines, tpotMax, ttftMax, lengthSpread, ttft, price, usd } =
    viewState.value.serving ?? {};
  const machines = searchedMachines();
  const asked = [...machines, ...((disaggregated && prefillMachines) || [])].map(each =>
    typeof each === 'string' ? each : (each as { id?: string }).id,
  );
  return {
    model,
    prompt,
    generate,
    concurrency: users || undefined,
    prefix_hit: prefixHit || undefined,
    length_spread: lengthSpread,
    ttft,
    activations,
    kv,
    experts,
    mla,
    chunk,
    reserve,
    speculate,
    machines,
    weights: searchedWeights(request),
    gpus,
    disaggregated,
    prefill_machines: disaggregated ? prefillMachines : undefined,
    tpot_max: tpotMax,
    ttft_max: ttftMax,
    price,
    // Prices of machines that are not searched now are kept for later.
    usd_per_hour: usd && Object.fromEntries(Object.entries(usd).filter(([id]) => asked.includes(id))),
  };
}

/** The chosen stack. The other settings belong to the machine in force, not to those searched. */
function frontierSettings() {
  const { stack = settings.value.stack } = viewState.value.serving ?? {};
  return JSON.stringify(stack === undefined ? {} : { stack });
}

/** The runs in a benchmark's result; throws where it is none. */
export async function readRuns(text: string) {
  const reply = await askFrontier<{ runs: Omit<ServingRun, 'name' | 'machine' | 'machines'>[] }>('serving_runs', {
    text,
  });
  if ('error' in reply) throw new Error(reply.error.message);
  return reply.json.runs;
}

const askFrontier = <T>(question: string, request: object) =>
  core().askServing(frontierSettings(), question, request) as Promise<Reply<T>>;

/** Finds the fastest machines first, then asks for the frontier of these. */
const askOfFastest: AskFunction<FrontierJson> = async (question, asked) => {
  const request = modelRequest.peek();
  if (!request || viewState.peek().serving?.machines) return askFrontier<FrontierJson>(question, asked);
  await findFastest(request);
  return askFrontier<FrontierJson>(question, { ...asked, machines: searchedMachines() });
};

/** The newest answer; null until it arrives. */
export function useFrontier() {
  const request = modelRequest.value;
  const reply = useAnswer<FrontierJson>(
    'frontier',
    // Leaves out the fastest machines, which askOfFastest adds: else their arrival would ask again.
    request && { ...frontierRequest(request), machines: viewState.value.serving?.machines ?? [inForce()] },
    askOfFastest,
    frontierSettings(),
  );
  useFinding(reply && 'json' in reply ? reply.json.finding : undefined);
  return reply;
}

/** The document that `roofline frontier` writes. */
export async function frontierDocument(kind: 'json' | 'csv'): Promise<string> {
  const reply = await askFrontier<unknown>(`frontier_${kind}`, frontierRequest(modelRequest.value!));
  if ('error' in reply) throw new Error((reply.error as Fault).message);
  return kind === 'csv' ? (reply.json as string) : `${JSON.stringify(reply.json, null, 2)}\n`;
}

/** The command that writes the same figures; null: it would need a file of the user. */
export function frontierCommand(): string | null {
  const request = modelRequest.value;
  if (!request) return null;
  const { stack } = JSON.parse(frontierSettings()) as { stack?: string };
  const { usd_per_hour, model, machines, disaggregated, speculate, ...rest } = frontierRequest(request) as Record<
    string,
    unknown
  >;
  const texts = [machines, rest.prefill_machines ?? []].flat();
  if (typeof model !== 'string' || texts.some(item => typeof item !== 'string')) return null;
  const { gamma, acceptance, draft } = (speculate ?? {}) as Partial<NonNullable<ModelRequest['speculate']>>;
  // Formats by part have commas of their own.
  const joined = (values: unknown[]) => values.join(values.some(value => String(value).includes('=')) ? ';' : ',');
  const prices = Object.entries((usd_per_hour as Record<string, number> | undefined) ?? {});
  const options = Object.entries({ machines, ...rest, stack }).filter(([, value]) => value !== undefined);
  return [
    'roofline frontier',
    model,
    ...options.map(
      ([key, value]) => `--${key.replaceAll('_', '-')} ${quoted(Array.isArray(value) ? joined(value) : String(value))}`,
    ),
    ...(prices.length ? [`--usd-per-hour ${prices.map(([id, each]) => `${id}=${each}`).join(',')}`] : []),
    ...(speculate ? [`--speculate ${quoted([gamma, acceptance, draft].join(','))}`] : []),
    ...(disaggregated ? ['--disaggregated'] : []),
  ].join(' ');
}
