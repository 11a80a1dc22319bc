// The columns that the tables of mixtures and of checkpoints share.
import { bytes, number, seconds } from '../format';
import type { AnswerColumn } from '../widgets/AnswerTable';

/** A model whose weights are quantised in some way. */
export interface QuantisedModel {
  name: string;
  weights_bytes: number;
  bits_per_weight: number;
  verdict: string; // whether it fits in memory
  tpot_s: number | null;
  typical_tpot_s: number | null;
  stack?: string; // of the estimate; absent: the one in force
}

interface NameButton<Model> {
  isChosen: (model: Model) => boolean;
  hint?: (model: Model) => string;
  choose: (model: Model) => void;
}

/** The name as a button that chooses the model, then size and speed. */
export const sizeColumns = <Model extends QuantisedModel>(
  title: string,
  { isChosen, hint, choose }: NameButton<Model>,
): AnswerColumn<Model>[] => [
  {
    title,
    cell: model => (
      <button
        type="button"
        class="link"
        aria-pressed={isChosen(model)}
        title={hint?.(model)}
        onClick={() => choose(model)}
      >
        {model.name}
      </button>
    ),
  },
  { title: 'Weights', cell: ({ weights_bytes }) => bytes(weights_bytes) },
  { title: 'Bits', hint: 'Bits per weight', cell: ({ bits_per_weight }) => number(bits_per_weight) },
  {
    title: 'Per token',
    hint: 'Estimated time per token',
    cell: ({ tpot_s, typical_tpot_s, stack }) => (
      <span title={`Bound: ${seconds(tpot_s)}${stack ? `; estimated for the stack ${stack}` : ''}`}>
        {seconds(typical_tpot_s)}
      </span>
    ),
  },
];

export const MEMORY_COLUMN: AnswerColumn<QuantisedModel> = {
  title: 'Memory',
  text: true,
  cell: ({ verdict }) => <span title={verdict}>{verdict.split(/ in |:/)[0] || 'not known'}</span>,
};
