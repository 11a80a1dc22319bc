// The open model as checkpoints of other tools than llama-quantize. A click applies a checkpoint's formats to the model.
import { number } from '../format';
import { changeModel, modelRequest } from '../model/model';
import { DEFAULT_ACTIVATIONS, type ModelRequest } from '../model/model_request';
import { changeView, viewState, type AppliedCheckpoint } from '../core/view';
import { AnswerTable } from '../widgets/AnswerTable';
import { MEMORY_COLUMN, sizeColumns, type QuantisedModel } from './weight_columns';

export interface Checkpoint extends QuantisedModel {
  weights: string; // formats by part
  activations: string;
  stack: string;
  basis: 'unknown' | 'published' | 'original';
  measure: string;
  value: number | null;
  original: number | null;
  source: string;
}

/** The request's formats of activations and cache without the checkpoint that was chosen here. */
export function ownFormats({ weights, activations, kv }: ModelRequest): AppliedCheckpoint['own'] {
  const { checkpoint } = viewState.value;
  const applied = checkpoint && checkpoint.weights === weights && checkpoint.activations === activations;
  return applied ? checkpoint.own : { activations, kv };
}

/** Takes the checkpoint's weights and, if they differ, its activations; the cache keeps its format. */
function take({ weights, activations }: Checkpoint) {
  const own = ownFormats(modelRequest.value!);
  const usual = own.activations ?? DEFAULT_ACTIVATIONS;
  if (activations === usual) return changeModel({ ...own, weights, experts: undefined });
  changeView({ checkpoint: { weights, activations, own } });
  return changeModel({ weights, activations, kv: own.kv ?? usual, experts: undefined });
}

function Quality({ basis, measure, value, original, source }: Checkpoint) {
  if (basis === 'unknown') return <span class="muted">not known</span>;
  if (basis === 'original') return <span title="The model's own weights: nothing is lost">the model’s own</span>;
  return (
    <span title={source}>
      {number(value)} of {number(original)} <span class="muted">{measure}</span>
    </span>
  );
}

/** A row per method. */
export function Checkpoints({ checkpoints }: { checkpoints: Checkpoint[] }) {
  const request = modelRequest.value;
  const isChosen = ({ weights, activations }: Checkpoint) =>
    request?.weights === weights && (request.activations ?? DEFAULT_ACTIVATIONS) === activations;
  return (
    <section aria-label="Checkpoints of other tools">
      <h3>Checkpoints of other tools</h3>
      <AnswerTable
        rows={checkpoints}
        keyOf={({ name }) => name}
        columns={[
          ...sizeColumns('Checkpoint', {
            isChosen,
            hint: ({ weights, activations }) => `Weights ${weights}; activations ${activations}`,
            choose: take,
          }),
          MEMORY_COLUMN,
          {
            title: 'Published quality',
            hint: 'Of a checkpoint of this model, of the 16-bit model’s; not on the scale of KLD',
            text: true,
            cell: Quality,
          },
        ]}
      />
    </section>
  );
}
