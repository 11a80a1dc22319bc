// A language model and how it is run. Every change recomputes at once.
import { useEffect } from 'preact/hooks';
import { bytes, count, number } from '../format';
import { useAnswer } from '../core/ask';
import { canDrop } from '../core/pointer';
import { asOptions, formatName, formats, models } from '../core/catalogue';
import { complain } from '../sources/opened';
import { changeModel, modelAnswer, modelRequest, type ModelAnswer } from './model';
import { behindPrompt, contextOf, generatedOf, promptFollows, promptOf, type ModelRequest } from './model_request';
import { inPageWords } from '../sources/page_words';
import { Choice } from '../widgets/Choice';
import { Combobox } from '../widgets/Combobox';
import { FileInput } from '../widgets/FileInput';
import { MOST_COUNTED, NumberInput } from '../widgets/NumberInput';
import { Slider } from '../widgets/Slider';
import { ModelForm } from './ModelForm';
import { Select } from '../widgets/Select';
import { MODEL_DEFAULTS } from '../protocol';

const ROLES = [
  ['weights', 'Weights', 'FP16'], // of a model that is published in other formats: as published
  ['activations', 'Activations', 'FP16'],
  ['kv', 'KV cache', 'as activations'],
  ['experts', 'Experts', 'as weights'],
] as const;
const ATTENTION = [
  ['ideal', 'fused'],
  ['flash', 'flash, tiled'],
  ['unfused', 'unfused'],
] as const;
const MACHINES = [1, 2, 4, 8, 16, 32, 64];

/** The choice of a language model and how it is run. */
export function ModelSource() {
  const request = modelRequest.value;
  const reply = useAnswer<ModelAnswer>('model', request && { request });
  const answer = reply && 'json' in reply ? reply.json : null;
  useEffect(() => void (answer && (modelAnswer.value = answer)), [answer]);
  if (!request) return null;
  const phase = request.phase ?? 'decode';
  const known = modelAnswer.value;
  const error = reply && 'error' in reply ? reply.error : null;
  const prompt = promptOf(request);
  /** The error of a field, shown below it. */
  const fault = (key: string) =>
    error &&
    (error.path === key || error.path.startsWith(`${key}.`)) && (
      <p class="error" role="alert">
        {error.path.includes('.') && `${error.path}: `}
        {error.message}
      </p>
    );
  return (
    <div class="model-source" role="group" aria-label="Request">
      <Combobox
        label="Model"
        options={models.value}
        value={modelName(request)}
        onChange={model => void changeModel({ model })}
      />
      {fault('model')}
      {known && (
        <p class="muted" data-echo>
          {number(known.parameters)} parameters
          {known.active_parameters < known.parameters &&
            `, ${number(known.active_parameters)} active (with the embedding table)`}{' '}
          · KV cache {bytes(known.kv_bytes_per_token)} per token
        </p>
      )}
      {known?.model.notes?.map(note => (
        <p key={note} class="muted">
          {inPageWords(note)}
        </p>
      ))}
      <p class="muted">
        Or {canDrop ? 'drop' : 'open'} a GGUF file or a <code>config.json</code>.
      </p>
      <ModelForm />
      <Choice
        label="Phase"
        value={phase}
        options={[
          ['prefill', 'Prefill'],
          ['decode', 'Decode'],
          ['generate', 'Generate'],
        ]}
        onChange={value => void changeModel({ phase: value })}
      />
      <div class="sliders">
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
            min={promptFollows(request) ? 1 + behindPrompt(request) : prompt}
            max={1 << 20}
            onInput={context => void changeModel({ context })}
          />
        )}
        {fault('context')}
        <Size
          label="Generate"
          title="Tokens generated after the prompt"
          value={generatedOf(request)}
          max={1 << 16}
          onInput={generate => void changeModel({ generate })}
        />
        {fault('generate')}
      </div>
      <div class="model-source">
        {ROLES.filter(([key]) => key !== 'experts' || known?.model.mlp.experts).map(([key, label, otherwise]) => (
          <label key={key} class="field">
            {label}
            <Select
              value={request[key] ?? ''}
              options={[
                ['', key === 'weights' && known?.model.published_formats ? 'original' : otherwise],
                ...asOptions(formats.value),
                ...mixtureOf(request[key]),
              ]}
              onChange={format => void changeModel({ [key]: format || undefined })}
            />
            {fault(key)}
          </label>
        ))}
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
        <Parallel label="Tensor parallel" value={request.tp ?? 1} onChange={tp => void changeModel({ tp })} />
        {fault('tp')}
        {Boolean(known?.model.mlp.experts) && (
          <Parallel label="Expert parallel" value={request.ep ?? 1} onChange={ep => void changeModel({ ep })} />
        )}
        {fault('ep')}
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
        <Speculation request={request} />
        {fault('speculate')}
        <MeasuredInput request={request} />
        {fault('measured')}
      </div>
      {error && !error.path && (
        <p class="error" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

/** The option of a mixture, "Q4_K_M", that is chosen elsewhere. */
const mixtureOf = (format: string | undefined) =>
  format && !formats.value.some(({ id }) => id === format) ? [[format, formatName(format)] as const] : [];

/** The name of a request's model. */
function modelName({ model }: ModelRequest) {
  if (typeof model === 'string') return models.value.find(({ id }) => id === model)?.name ?? model;
  return modelAnswer.value?.model.name ?? 'config.json';
}

function Size({
  label,
  title,
  value,
  min = 1,
  max,
  onInput,
}: {
  label: string;
  title?: string;
  value: number;
  min?: number;
  max: number;
  onInput: (value: number) => void;
}) {
  return (
    <Slider
      label={label}
      title={title}
      value={value}
      min={min}
      max={max}
      most={MOST_COUNTED}
      whole
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

function Speculation({ request: { speculate } }: { request: ModelRequest }) {
  const set = (part: Partial<NonNullable<ModelRequest['speculate']>>) =>
    void changeModel({ speculate: { gamma: 4, acceptance: 0.7, draft: 'llama-3.2-1b', ...speculate, ...part } });
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={speculate !== undefined}
          onChange={event => (event.currentTarget.checked ? set({}) : void changeModel({ speculate: undefined }))}
        />
        Speculative decoding
      </label>
      {speculate && (
        <>
          <Combobox
            label="Draft model"
            options={models.value}
            value={models.value.find(({ id }) => id === speculate.draft)?.name ?? speculate.draft}
            onChange={draft => set({ draft })}
          />
          <div class="sliders">
            <Slider
              label="Draft length"
              value={speculate.gamma}
              min={1}
              max={16}
              most={64}
              whole
              unit="tokens"
              onInput={gamma => set({ gamma: Math.max(1, Math.round(gamma)) })}
            />
            <Slider
              label="Acceptance rate"
              value={speculate.acceptance * 100}
              min={0}
              max={100}
              unit="%"
              onInput={percent => set({ acceptance: Math.min(100, percent) / 100 })}
            />
          </div>
        </>
      )}
    </>
  );
}

function MeasuredInput({ request }: { request: ModelRequest }) {
  const read = async (file: File) => {
    try {
      await changeModel({ measured: JSON.parse(await file.text()) as unknown });
    } catch (error) {
      complain(file.name, error);
    }
  };
  return (
    <>
      <label class="field">
        Measured latency (s)
        <NumberInput
          label="Measured latency (s)"
          value={request.measured_s}
          least={1e-6}
          most={1e6}
          unit="s"
          optional
          onInput={measured_s => void changeModel({ measured_s })}
        />
      </label>
      <div class="field">
        Benchmark
        <label class="button" title="JSON of llama-bench or vLLM, or points {name, oi, tflops}">
          {request.measured === undefined ? 'Choose a file…' : 'Choose another…'}
          <FileInput class="visually-hidden" aria-label="Benchmark" accept=".json" onFiles={([file]) => read(file!)} />
        </label>
      </div>
      {request.measured !== undefined && (
        <button type="button" class="link" onClick={() => void changeModel({ measured: undefined })}>
          Remove the benchmark
        </button>
      )}
    </>
  );
}
