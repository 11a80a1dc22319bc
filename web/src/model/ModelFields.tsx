// The fields of a language model's request: its lengths, and how the model is stored and shared.
import type { ComponentChildren } from 'preact';
import { count } from '../format';
import { asOptions, formatName, formats } from '../core/catalogue';
import { MODEL_DEFAULTS } from '../protocol';
import { MOST_COUNTED, NumberInput } from '../widgets/NumberInput';
import { Select } from '../widgets/Select';
import { Slider } from '../widgets/Slider';
import { changeModel, promptIsSet, type ModelAnswer } from './model';
import { behindPrompt, contextOf, generatedOf, mostGenerated, promptOf, type ModelRequest } from './model_request';

const ROLES = [
  ['weights', 'Weights', 'default: FP16'], // of a model that is published in other formats: as published
  ['activations', 'Activations', 'default: FP16'],
  ['kv', 'KV cache', 'as activations'],
  ['experts', 'Experts', 'as weights'],
] as const;
const ATTENTION = [
  ['ideal', 'fused'],
  ['flash', 'flash, tiled'],
  ['unfused', 'unfused'],
] as const;
const MACHINES = [1, 2, 4, 8, 16, 32, 64];

export interface FieldsProps {
  request: ModelRequest;
  fault: (key: string) => ComponentChildren; // the error of a field
}
export interface KnownProps {
  known: ModelAnswer | null; // the newest answer without an error
}

/** Batch, prompt, context and tokens to generate. */
export function Lengths({ request, fault }: FieldsProps) {
  const phase = request.phase ?? 'decode';
  const prompt = promptOf(request);
  const isSet = promptIsSet.value;
  const most = mostGenerated(request, isSet);
  return (
    <>
      <Size label="Batch" value={request.batch ?? 1} max={4096} onInput={batch => void changeModel({ batch })} />
      {fault('batch')}
      <Size
        label="Prompt"
        title="Prompt tokens, all processed before the first output token"
        value={prompt}
        max={1 << 20}
        onInput={next => void changeModel({ prompt: next, ...(phase === 'prefill' && { context: undefined }) })}
      />
      {fault('prompt')}
      {phase !== 'generate' && (
        <Size
          label="Context"
          title={
            phase === 'prefill'
              ? 'Cached tokens and the prompt together'
              : 'Tokens that a decode step attends to, including the new one'
          }
          value={contextOf(request)}
          min={isSet ? prompt : 1 + behindPrompt(request)}
          why={contextHolds(request, isSet)}
          max={1 << 20}
          onInput={context => void changeModel({ context })}
        />
      )}
      {fault('context')}
      <Size
        label="Generate"
        title="Tokens generated after the prompt"
        value={generatedOf(request)}
        max={Math.min(1 << 16, most ?? Infinity)}
        most={most}
        why={most === undefined ? undefined : `the context is ${count(contextOf(request))} tokens`}
        onInput={generate => void changeModel({ generate })}
      />
      {fault('generate')}
    </>
  );
}

/** Why the context has a least size: what it must hold. */
const contextHolds = (request: ModelRequest, isSet: boolean) =>
  isSet || request.phase === 'prefill'
    ? `the context holds the prompt of ${count(promptOf(request))} tokens`
    : `the context holds the prompt and ${count(behindPrompt(request))} generated tokens`;

/** Formats, and the machines that share the model. */
export const FormatsAndMachines = ({ request, known, fault }: FieldsProps & KnownProps) => (
  <>
    {ROLES.filter(([key]) => key !== 'experts' || known?.model.mlp.experts).map(([key, label, otherwise]) => (
      <label key={key} class="field">
        {label}
        <Select
          value={request[key] ?? ''}
          options={[
            ['', key === 'weights' && known?.model.published_formats ? 'original' : otherwise],
            ...asOptions(formats.value.filter(({ weights_only }) => key !== 'activations' || !weights_only)),
            ...mixtureOf(request[key]),
          ]}
          onChange={format => void changeModel({ [key]: format || undefined })}
        />
        {fault(key)}
      </label>
    ))}
    <Parallel label="Tensor parallel" value={request.tp ?? 1} onChange={tp => void changeModel({ tp })} />
    {fault('tp')}
    {Boolean(known?.model.mlp.experts) && (
      <Parallel label="Expert parallel" value={request.ep ?? 1} onChange={ep => void changeModel({ ep })} />
    )}
    {fault('ep')}
  </>
);

/** Attention, the memory for a prefill's activations, and the memory to keep free. */
export const AttentionAndMemory = ({ request, fault }: FieldsProps) => (
  <>
    <label class="field">
      Attention
      <Select
        title="Fused: Q, K, V and O move once. Flash: K and V are read again for every query tile. Unfused: scores go through memory"
        value={request.attention ?? 'ideal'}
        options={ATTENTION}
        onChange={attention => void changeModel({ attention })}
      />
    </label>
    <label class="check">
      <input
        type="checkbox"
        checked={request.causal !== false}
        onChange={event => void changeModel({ causal: event.currentTarget.checked ? undefined : false })}
      />
      Causal mask
    </label>
    <label class="field" title="Most prompt tokens per step. It sets the memory of the activations">
      Prefill chunk
      <NumberInput
        label="Prefill chunk"
        value={request.chunk}
        whole
        optional
        placeholder={String(MODEL_DEFAULTS.chunk)}
        onInput={chunk => void changeModel({ chunk })}
      />
    </label>
    {fault('chunk')}
    <label
      class="field"
      title="Memory kept free for runtime buffers and fragmentation. With less free, a request barely fits; the largest batch and the longest context leave it free"
    >
      Reserve, %
      <NumberInput
        label="Reserve, %"
        value={request.reserve === undefined ? undefined : Number((request.reserve * 100).toPrecision(6))}
        least={0}
        most={99}
        unit="%"
        optional
        placeholder={String(100 * MODEL_DEFAULTS.reserve)}
        onInput={percent => void changeModel({ reserve: percent === undefined ? undefined : percent / 100 })}
      />
    </label>
    {fault('reserve')}
  </>
);

/** The option of a mixture, "Q4_K_M", that is chosen elsewhere. */
const mixtureOf = (format: string | undefined) =>
  format && !formats.value.some(({ id }) => id === format) ? [[format, formatName(format)] as const] : [];

function Size({
  label,
  title,
  value,
  min = 1,
  max,
  most = MOST_COUNTED,
  why,
  onInput,
}: {
  label: string;
  title?: string;
  value: number;
  min?: number;
  max: number;
  most?: number | undefined;
  why?: string | undefined;
  onInput: (value: number) => void;
}) {
  return (
    <Slider
      label={label}
      title={title}
      value={value}
      min={min}
      max={max}
      most={most}
      whole
      why={why}
      log
      digits={8}
      unit=""
      snap={slid => (slid >= 1000 ? Number(slid.toPrecision(4)) : slid)}
      onInput={size => onInput(Math.max(min, Math.round(size)))}
    />
  );
}

function Parallel({ label, value, onChange }: { label: string; value: number; onChange: (value: number) => void }) {
  return (
    <label class="field">
      {label}
      <Select
        value={value}
        options={(MACHINES.includes(value) ? MACHINES : [...MACHINES, value]).map(
          n => [n, n === 1 ? 'one machine' : `${count(n)} machines`] as const,
        )}
        onChange={onChange}
      />
    </label>
  );
}
