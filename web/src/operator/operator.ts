// The open operator, if any: its request, in the core's form (calculator.hpp), which the link stores.
import type { RowJson } from '../../../wasm/session';
import { computed, signal } from '@preact/signals';
import { formatName, describeFormat } from '../core/catalogue';
import { core } from '../core/core';
import { openBuilt } from '../sources/built';
import { faults, hasAlternatives, source } from '../sources/opened';

export type Parameter = number | boolean | string | number[] | number[][];

export interface Operator {
  type: string;
  parameters: Record<string, Parameter>;
  formats: string[]; // "fp16", or weight:activation:output:kv
}

interface Preset extends Operator {
  name: string;
}

export const PRESETS: Preset[] = [
  {
    name: 'LLM decode GEMV 4096',
    type: 'gemm',
    parameters: { m: 1, n: 4096, k: 4096 },
    formats: ['fp16', 'int8', 'int4:fp16'],
  },
  {
    name: 'LLM prefill, 2k tokens',
    type: 'gemm',
    parameters: { m: 2048, n: 4096, k: 4096 },
    formats: ['fp16', 'fp8_e4m3', 'int8'],
  },
  {
    name: 'GEMM 4096 cubed',
    type: 'gemm',
    parameters: { m: 4096, n: 4096, k: 4096 },
    formats: ['fp32', 'fp16', 'int8'],
  },
  {
    name: 'ResNet 3x3',
    type: 'conv',
    parameters: { input_shape: [1, 64, 56, 56], output_channels: 64, kernel_size: 3, padding: 1 },
    formats: ['fp16', 'int8'],
  },
  {
    name: 'Depthwise 3x3',
    type: 'depthwise_conv',
    parameters: { input_shape: [1, 96, 112, 112], kernel_size: 3, padding: 1 },
    formats: ['fp16', 'int8'],
  },
  {
    name: 'Attention 2k, prefill',
    type: 'attention',
    parameters: { heads: 32, kv_heads: 8, head_dim: 128, query_length: 2048, causal: true },
    formats: ['fp16', 'fp8_e4m3'],
  },
  {
    name: 'Attention 2k, decode',
    type: 'attention',
    parameters: { heads: 32, kv_heads: 8, head_dim: 128, query_length: 1, context: 2048 },
    formats: ['fp16', 'fp16:fp16:fp16:fp8'],
  },
  {
    name: 'RMS norm, 2k tokens',
    type: 'rms_norm',
    parameters: { input_shape: [2048, 4096] },
    formats: ['fp32', 'fp16'],
  },
];

export const operator = computed<Operator | null>(() => {
  const from = source.value;
  return from && 'built' in from && from.built === 'operator' ? complete(from.request) : null;
});

/** Completes a link's request, which may lack parts; the core checks the parts present. */
function complete(request: object): Operator {
  const { type, parameters, formats } = request as Partial<Operator>;
  return {
    type: String(type),
    parameters: parameters && typeof parameters === 'object' ? parameters : {},
    formats: Array.isArray(formats) ? formats : ['fp16'],
  };
}

let lastAccepted: Operator = PRESETS[0]!;
operator.subscribe(opened => {
  if (opened) lastAccepted = opened;
});

const changedParameter = signal<string | null>(null);
/** The core's refusal of the parameter that was changed last, shown at its field; null: not refused. */
export const refusedParameter = computed(() => {
  const [key, refusal] = [changedParameter.value, faults.value.find(({ file }) => file === '')];
  if (key === null || !refusal || !operator.value) return null;
  const { message } = refusal.fault;
  return { key, message: message.startsWith(`${key}: `) ? message.slice(key.length + 2) : message };
});

/** Opens an operator as the source; by default the last one. */
export function openOperator({ type, parameters, formats }: Operator = lastAccepted) {
  changedParameter.value = null;
  return openBuilt({ built: 'operator', request: { type, parameters, formats } });
}

/** Changes parts of the open operator. */
export const changeOperator = (part: Partial<Operator>) => openOperator({ ...lastAccepted, ...part });

/** Sets one parameter; undefined removes it. */
export function setParameter(key: string, value: Parameter | undefined) {
  const { parameters } = lastAccepted;
  const next = Object.entries({ ...parameters, [key]: value }).filter(
    (entry): entry is [string, Parameter] => entry[1] !== undefined,
  );
  const opening = changeOperator({ parameters: Object.fromEntries(next) });
  changedParameter.value = key;
  return opening;
}

// ---- the list of operators

export interface OperatorDetails {
  id: string;
  name: string;
  category: string;
  parameters: { key: string; meaning: string; default: string | null }[];
}

const known = new Map<string, Promise<OperatorDetails | null>>();

/** An operator's parameters; null where there is no such operator. */
export function detailsOf(type: string): Promise<OperatorDetails | null> {
  const asked =
    known.get(type) ??
    core()
      .show('operator', type)
      .then(text => {
        const details = JSON.parse(text) as OperatorDetails & { error?: object };
        return details.error ? null : details;
      });
  known.set(type, asked);
  return asked;
}

/** First values of parameters that are added or required. */
const EXAMPLES: Record<string, Parameter> = {
  m: 16,
  n: 4096,
  k: 4096,
  batch: 1,
  heads: 32,
  kv_heads: 8,
  head_dim: 128,
  head_dim_v: 128,
  query_length: 1,
  context: 2048,
  causal: true,
  input_mat1: [16, 4096],
  input_mat2: [4096, 4096],
  query: [1, 32, 128, 128],
  key: [1, 32, 128, 128],
  value: [1, 32, 128, 128],
  input_self: [2048, 4096],
  input_other: [2048, 4096],
  input_input: [4096],
  inputs: [
    [2048, 4096],
    [2048, 4096],
  ],
  indices_shape: [2048],
  hidden: 4096,
  normalized_shape: [4096],
  output_channels: 64,
  kernel_size: 3,
  stride: 2,
  padding: 1,
  dilation: 1,
  groups: 1,
  output_padding: 0,
  output_size: [7, 7],
  scale_factor: 2,
  axis: 0,
  repeats: [1, 2],
  bias: true,
  transposed: true,
  transpose_a: true,
  transpose_b: true,
  keep_dims: true,
  affine: true,
  ceil_mode: true,
  vocabulary: 32000,
  training: true,
  grad_input: false,
  grad_weight: false,
  sparsity: 0.5,
};
const EINSUM: Record<string, Parameter> = {
  equation: 'bij,bjk->bik',
  inputs: [
    [32, 128, 64],
    [32, 64, 128],
  ],
};
const IMAGE = [1, 64, 56, 56];
const SPATIAL = ['convolution', 'pooling', 'resampling'];
const NUMBERS: Record<string, string[]> = {
  'matrix product': ['m', 'n', 'k'],
  attention: ['heads', 'head_dim', 'query_length', 'context'],
  convolution: ['input_shape', 'output_channels', 'kernel_size'],
};

/** The first value of an added parameter. */
export function example(key: string, { id, category, parameters }: OperatorDetails): Parameter {
  if (id === 'einsum' && EINSUM[key]) return EINSUM[key];
  if (key === 'input_shape')
    return SPATIAL.includes(category) || parameters.some(p => p.key === 'kernel_size') ? IMAGE : [2048, 4096];
  return EXAMPLES[key] ?? 1;
}

/** The first parameters of an operator: its numeric ones if they suffice, else the required ones. */
export function startOf(details: OperatorDetails): Record<string, Parameter> {
  const keys = details.parameters.map(p => p.key);
  const numbers = NUMBERS[details.category]?.filter(key => keys.includes(key)) ?? [];
  const needed = numbers.length ? numbers : details.parameters.filter(p => p.default === null).map(p => p.key);
  return Object.fromEntries(needed.map(key => [key, example(key, details)]));
}

/** Rounds to eight steps per power of two, as sizes in shapes usually are. */
export function snap(value: number) {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(value)) - 3);
  return Math.max(1, Math.round(value / step) * step);
}

/** Index in `formats` of the chosen format. `chosen`: its text; in older links, its index. 0 if none is chosen or it was removed. */
export function formatIndex({ formats }: Operator, chosen: string | number | undefined) {
  const at = typeof chosen === 'string' ? formats.indexOf(chosen) : (chosen ?? 0);
  return at in formats ? at : 0;
}

/** The operands whose formats an entry of `formats` names, in order. */
export const ROLES = ['weights', 'activations', 'output', 'KV cache'] as const;

/** "INT8", or each operand's format if they differ: "INT4 weights, FP16 activations". `formats`: in the order of ROLES; null: no such operand. */
export function describeFormats(formats: (string | null)[]) {
  const known = formats.flatMap((format, i) => (format ? [{ format, operands: ROLES[i]! }] : []));
  if (new Set(known.map(({ format }) => format)).size === 1) return formatName(known[0]!.format);
  return known.map(({ format, operands }) => describeFormat(format, operands)).join(', ');
}

/** The same for an entry of `formats`, such as "int4:fp16". */
export const formatLabel = (entry: string) => describeFormats(entry.split(':'));

/** The name to show for a row: for an operator, its formats. */
export function rowName({ name, short_name, step }: Pick<RowJson, 'name' | 'short_name' | 'step'>) {
  if (hasAlternatives()) return formatLabel(name);
  const ofDraft = step === 'draft' && source.value !== null && 'built' in source.value; // the target's have the same names
  return (ofDraft ? 'draft ' : '') + (short_name ?? name);
}
