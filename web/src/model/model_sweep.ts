// What a sweep of the open model varies and shows, and the core's answer to it.
import { number, seconds, si } from '../format';
import { machines } from '../core/catalogue';
import { machine } from '../core/engine';
import { viewState, type ModelSweepView } from '../core/view';
import { modelAnswer } from './model';
import type { ModelRequest } from './model_request';

interface Curve {
  label: string;
  verdict: string;
  limits: string;
  fit: string; // '': all values fit, or the capacity is not known
  crossings: { at: number; from: string | null; to: string | null }[];
  fits_to: number | null;
  error_p90: number | null;
}
export interface SweepJson {
  axis: { key: string; values: number[] };
  curves: Curve[];
}
export type Columns = Record<string, Float32Array>;

const AXES = { batch: [1, 512], prompt: [16, 32768], context: [128, 131072], generate: [2, 4096] } as const;
export type AxisKey = keyof typeof AXES;
export const AXES_OF: Record<string, AxisKey[]> = {
  prefill: ['batch', 'prompt'],
  decode: ['batch', 'context', 'prompt'],
  generate: ['batch', 'prompt', 'generate'],
};

/** The parameters that curves can compare, and the first values of each. */
export const COMPARED: Record<string, [string, string[]]> = {
  weights: ['weight formats', ['fp16', 'int8', 'int4_g128']],
  kv: ['cache formats', ['fp16', 'fp8_e4m3']],
  activations: ['activation formats', ['fp16', 'fp8_e4m3']],
  attention: ['attention', ['ideal', 'flash', 'unfused']],
  tp: ['tensor parallelism', ['1', '2', '4', '8']],
  machine: ['machines', ['a100-80gb-sxm', 'h100-sxm', 'b200-sxm', 'mi300x']],
};

interface Metric {
  name: string;
  unit: string;
  hasEstimate: boolean; // there is an estimate besides the bound
  better?: 'least' | 'most';
}
export const METRICS: Record<string, Metric> = {
  tokens_per_s: { name: 'Tokens/s', unit: 'tokens/s', hasEstimate: true, better: 'most' },
  tokens_per_s_per_user: { name: 'Tokens/s per user', unit: 'tokens/s', hasEstimate: true, better: 'most' },
  tokens_per_s_per_machine: { name: 'Tokens/s per machine', unit: 'tokens/s', hasEstimate: true, better: 'most' },
  tpot_s: { name: 'Time per token', unit: 's', hasEstimate: true, better: 'least' },
  ttft_s: { name: 'Time to first token', unit: 's', hasEstimate: true, better: 'least' },
  total_s: { name: 'Whole generation', unit: 's', hasEstimate: true, better: 'least' },
  intensity: { name: 'Intensity', unit: 'FLOP/B', hasEstimate: false },
  bytes_per_machine: { name: 'Memory per machine', unit: 'B', hasEstimate: false, better: 'least' },
  usd_per_million_tokens: { name: 'Cost per million tokens', unit: 'USD', hasEstimate: false, better: 'least' },
};

export const metricsOf = (phase: string, priced: boolean) =>
  Object.keys(METRICS).filter(
    key =>
      (phase === 'generate' || key !== 'total_s') &&
      (phase !== 'prefill' || !['tpot_s', 'tokens_per_s_per_user'].includes(key)) &&
      (priced || key !== 'usd_per_million_tokens'),
  );

export const show = (value: number, unit: string) =>
  unit === 's'
    ? seconds(value)
    : unit === 'FLOP/B'
      ? `${number(value)} FLOP/B`
      : unit === 'USD'
        ? `$${number(value)}`
        : unit === 'tokens/s'
          ? `${number(value)} tokens/s`
          : si(value, unit);

/** The request's own value of the compared parameter; null: none that could be a curve. */
export function ownValue(request: ModelRequest, by: string): string | null {
  if (by === 'machine') return machines.value.find(({ id }) => id === machine.value?.id)?.id ?? null;
  const value = request[by as 'weights' | 'tp'];
  return value !== undefined ? String(value) : (COMPARED[by]?.[1][0] ?? null);
}

/** The view's sweep, limited to what the phase allows. */
export function chosenSweep(request: ModelRequest): Required<ModelSweepView> {
  const chosen: ModelSweepView = viewState.value.modelSweep ?? {};
  const able = AXES_OF[request.phase ?? 'decode']!;
  const key = able.includes(chosen.key as AxisKey) ? (chosen.key as AxisKey) : able[0]!;
  const ends: ModelSweepView = chosen.key === key ? chosen : {}; // those of another axis do not apply
  const by = chosen.by === undefined ? 'weights' : chosen.by in COMPARED ? chosen.by : '';
  const metrics = metricsOf(request.phase ?? 'decode', modelAnswer.value?.usd_per_million_tokens != null);
  return {
    key,
    from: ends.from ?? AXES[key][0],
    to: ends.to ?? AXES[key][1],
    log: chosen.log !== false,
    by,
    values: withOwn(chosen.values?.length ? chosen.values : (COMPARED[by]?.[1] ?? []), ownValue(request, by)),
    metric: metrics.includes(chosen.metric ?? '') ? chosen.metric! : metrics[0]!,
  };
}

export const MOST_CURVES = 8;

/** The request itself is always one of the curves. */
const withOwn = (values: string[], own: string | null) =>
  own === null || values.includes(own) ? values : [own, ...values].slice(0, MOST_CURVES);
