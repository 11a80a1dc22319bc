// A language model and how it is run. Every change recomputes at once.
import { useEffect, useState } from 'preact/hooks';
import { bytes, number } from '../format';
import { useAnswer } from '../core/ask';
import { canDrop } from '../core/pointer';
import { models } from '../core/catalogue';
import { complain } from '../sources/opened';
import { changeModel, modelAnswer, modelRequest, type ModelAnswer } from './model';
import type { ModelRequest } from './model_request';
import { inPageWords } from '../sources/page_words';
import { Choice } from '../widgets/Choice';
import { Combobox } from '../widgets/Combobox';
import { FileInput } from '../widgets/FileInput';
import { NumberInput } from '../widgets/NumberInput';
import { Slider } from '../widgets/Slider';
import { AttentionAndMemory, FormatsAndMachines, Lengths, type FieldsProps, type KnownProps } from './ModelFields';
import { ModelForm } from './ModelForm';

/** The choice of a language model and how it is run. */
export function ModelSource() {
  const request = modelRequest.value;
  const reply = useAnswer<ModelAnswer>('model', request && { request });
  const answer = reply && 'json' in reply ? reply.json : null;
  useEffect(() => void (answer && (modelAnswer.value = answer)), [answer]);
  if (!request) return null;
  const known = modelAnswer.value;
  const error = reply && 'error' in reply ? reply.error : null;
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
      <ModelChoice request={request} known={known} fault={fault} />
      <ModelForm />
      <Choice
        label="Phase"
        value={request.phase ?? 'decode'}
        options={[
          ['prefill', 'Prefill'],
          ['decode', 'Decode'],
          ['generate', 'Generate'],
        ]}
        onChange={value => void changeModel({ phase: value })}
      />
      <div class="sliders">
        <Lengths request={request} fault={fault} />
      </div>
      <div class="model-source">
        <FormatsAndMachines request={request} known={known} fault={fault} />
        <Speculation request={request} />
        {fault('speculate')}
        <MoreOptions request={request} fault={fault} />
      </div>
      {error && !error.path && (
        <p class="error" role="alert">
          {error.message}
        </p>
      )}
    </div>
  );
}

const FOLDED = ['attention', 'causal', 'chunk', 'reserve', 'measured'] as const;

/** Options that are seldom changed: unfolded where one is set. */
function MoreOptions({ request, fault }: FieldsProps) {
  const isSet = FOLDED.some(key => request[key] !== undefined);
  const [open, setOpen] = useState(isSet);
  useEffect(() => void (isSet && setOpen(true)), [isSet]); // a link that is read later, or Undo, may set one
  return (
    <details open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>More options</summary>
      <div class="model-source">
        <AttentionAndMemory request={request} fault={fault} />
        <MeasuredInput request={request} />
        {fault('measured')}
      </div>
    </details>
  );
}

/** The model, its size and its notes. */
const ModelChoice = ({ request, known, fault }: FieldsProps & KnownProps) => (
  <>
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
  </>
);

/** The name of a request's model. */
function modelName({ model }: ModelRequest) {
  if (typeof model === 'string') return models.value.find(({ id }) => id === model)?.name ?? model;
  return modelAnswer.value?.model.name ?? 'config.json';
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
