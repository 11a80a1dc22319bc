// Asks which model ran: a trace of an inference engine has kernels only, which the operators of the named model explain.
import { useState } from 'preact/hooks';
import { models } from '../core/catalogue';
import { placeModel } from '../sources/files';
import { opened, ranModel } from '../sources/opened';
import { Combobox } from '../widgets/Combobox';
import { NumberInput } from '../widgets/NumberInput';

/** The question for the model, and for the context if the trace does not state it. */
export function ModelQuestion() {
  const asks = opened.value?.asks_for_model;
  const [context, setContext] = useState(NaN);
  if (!asks) return null;
  const ready = ranModel.value !== null && (!asks.context || context > 0);
  return (
    <form
      class="model-question"
      aria-label="Which model"
      onSubmit={event => {
        event.preventDefault();
        if (ready) placeModel(asks.context ? context : undefined);
      }}
    >
      <span>Which model ran here? Choose it or drop its config.json to match each kernel to its operator.</span>
      <Combobox
        label="Model that ran"
        options={models.value}
        value={ranModel.value?.name ?? 'Choose a model…'}
        onChange={id => (ranModel.value = { name: models.value.find(one => one.id === id)?.name ?? id, model: id })}
      />
      {asks.context && (
        <label title="The file does not state it">
          Tokens of context per sequence{' '}
          <NumberInput
            label="Tokens of context per sequence"
            value={context > 0 ? context : undefined}
            whole
            optional
            onInput={typed => setContext(typed ?? NaN)}
          />
        </label>
      )}
      <button type="submit" disabled={!ready}>
        Match kernels
      </button>
    </form>
  );
}
