// A plan of formats within a budget: its question, and the types of its answer.
import type { FindingPart } from '../../../wasm/session';
import type { NumberOrNull } from '../format';
import { askQuantize, useAnswer, type Reply } from '../core/ask';
import { core } from '../core/core';
import { settingsText, type Patch } from '../core/settings';
import { changeView, viewState, type PlanView } from '../core/view';

interface PlannedTensor {
  name: string;
  type: string | null; // of a network: the operator
  elements: number;
  format: string | null; // null: unchanged
  operands?: 'all' | 'weights'; // of a network: that take the format
  bytes: number;
  time_s: NumberOrNull;
  sqnr_db: NumberOrNull;
  own_error: boolean;
}

export interface FormatPlan {
  subject: string;
  budget: string;
  reached: NumberOrNull;
  finding: string;
  weights_bytes: number;
  time_s: NumberOrNull;
  today_s?: number; // of a network: in the formats of the file
  kld: NumberOrNull;
  kld_low: NumberOrNull;
  kld_high: NumberOrNull;
  sqnr_db: NumberOrNull;
  best_mixture?: { name: string; weights_bytes: number; time_s: NumberOrNull; kld: number };
  tensors: PlannedTensor[];
}

/** Tensors of one name and format. */
interface TensorGroup {
  name: string;
  format: string;
  layers: string; // "0-3, 31"; empty: of no layer
  bytes: number;
}

export interface PlanAnswer {
  plan: FormatPlan;
  groups?: TensorGroup[]; // of a language model
  text: string; // in the tool's words
  tool: string; // that the plan was asked for
  finding?: FindingPart[]; // of a network
}

export interface Budget {
  kind: string;
  value: number; // B, s, nats or dB
}

/** A budget as its field shows it. */
export interface BudgetField {
  kind: string;
  label: string;
  unit: string;
  factor: number; // of the unit, in B, s, nats or dB
  usual: number | null; // where the budget is chosen: B, s, nats or dB
}

export const changePlan = (part: Patch<PlanView>) => {
  const next = Object.entries({ ...viewState.peek().plan, ...part }).filter(([, value]) => value !== undefined);
  changeView({ plan: next.length ? Object.fromEntries(next) : undefined });
};

/** The budget of the view; null: none is chosen, or it is of another kind of source. */
export function chosenBudget(fields: BudgetField[]): Budget | null {
  const { budget: kind, value } = viewState.value.plan ?? {};
  return value !== undefined && fields.some(field => field.kind === kind) ? { kind: kind!, value } : null;
}

/** The tool of the view, if it is one of these; else the first. */
export function chosenTool<Tool extends string>(tools: readonly (readonly [Tool, string])[]): Tool {
  const { tool } = viewState.value.plan ?? {};
  return (tools.find(([id]) => id === tool) ?? tools[0]!)[0];
}

/** While the next plan is computed, the one before stays on the screen: each carries the tool that it is for. */
async function withTool(asked: Promise<unknown>, request: object): Promise<Reply<PlanAnswer>> {
  const reply = (await asked) as Reply<PlanAnswer>;
  if ('error' in reply) return reply;
  return {
    ...reply,
    json: { ...reply.json, tool: (request as PlanRequest).tool },
  };
}

const modelPlan = (question: string, request: object) => withTool(askQuantize(question, request), request);
const networkPlan = (_: string, request: object) =>
  withTool(core().askNetworkPlan(settingsText.peek(), request), request);

type PlanRequest = { tool: string; [key: string]: unknown };

/** The newest plan for the open language model; null until it arrives, and while `request` is null. */
export const useModelPlan = (request: PlanRequest | null) => useAnswer<PlanAnswer>('plan', request, modelPlan);
/** The same for the open network. */
export const useNetworkPlan = (request: PlanRequest | null) => useAnswer<PlanAnswer>('plan', request, networkPlan);
