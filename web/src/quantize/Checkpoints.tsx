// The open model as checkpoints of other tools than llama-quantize. A click applies a checkpoint's formats to the model.
import { bytes, number, seconds } from '../format';
import { changeModel, modelRequest } from '../model/model';
import { USUAL_FORMAT, type ModelRequest } from '../model/model_request';
import { changeView, viewState, type AppliedCheckpoint } from '../core/view';
import { AnswerTable } from '../widgets/AnswerTable';

export interface Checkpoint {
  name: string;
  weights: string; // formats by part
  activations: string;
  stack: string;
  weights_bytes: number;
  bits_per_weight: number;
  verdict: string;
  tpot_s: number | null;
  typical_tpot_s: number | null;
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
  const usual = own.activations ?? USUAL_FORMAT;
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
    request?.weights === weights && (request.activations ?? USUAL_FORMAT) === activations;
  return (
    <section aria-label="Checkpoints of other tools">
      <h3>Checkpoints of other tools</h3>
      <AnswerTable
        rows={checkpoints}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'Checkpoint',
            cell: checkpoint => (
              <button
                type="button"
                class="link"
                aria-pressed={isChosen(checkpoint)}
                title={`Weights ${checkpoint.weights}; activations ${checkpoint.activations}`}
                onClick={() => void take(checkpoint)}
              >
                {checkpoint.name}
              </button>
            ),
          },
          { title: 'Weights', cell: ({ weights_bytes }) => bytes(weights_bytes) },
          { title: 'Bits', hint: 'Bits per weight', cell: ({ bits_per_weight }) => number(bits_per_weight) },
          {
            title: 'Per token',
            hint: 'Estimated time per token',
            cell: ({ tpot_s, typical_tpot_s, stack }) => (
              <span title={`Bound: ${seconds(tpot_s)}; estimated for the stack ${stack}`}>
                {seconds(typical_tpot_s)}
              </span>
            ),
          },
          {
            title: 'Memory',
            text: true,
            cell: ({ verdict }) => <span title={verdict}>{verdict.split(/ in |:/)[0] || 'not known'}</span>,
          },
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
