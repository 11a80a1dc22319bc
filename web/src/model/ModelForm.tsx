// Edits the open model: a field for each numeric key of its config.json.
import { changeModel, modelAnswer, modelRequest } from './model';
import { CONFIG_SIZES } from '../protocol';
import { NumberInput } from '../widgets/NumberInput';

type Config = Record<string, unknown>;

/** The sizes of a language model as fields. */
export function ModelForm() {
  const [answer, request] = [modelAnswer.value, modelRequest.value];
  if (!answer || !request) return null;
  const { model } = answer;
  const typed = typeof request.model === 'object' ? (request.model as Config) : null; // ahead of the answer
  const config = typed ? ((typed.config as Config | undefined) ?? typed) : answer.config;
  const inner = (
    typeof config.text_config === 'object' && config.text_config
      ? { ...config, ...config.text_config, text_config: undefined, vision_config: undefined }
      : config
  ) as Config;
  const own = String(config._name_or_path ?? `${model.id} (changed)`);
  const family = String(inner.model_type ?? model.family);
  const set = (key: string, value: unknown) => {
    const next = Object.entries({ ...inner, model_type: family, [key]: value, _name_or_path: own }).filter(
      ([, part]) => part !== undefined,
    );
    void changeModel({ model: Object.fromEntries(next) });
  };
  return (
    <details class="model-form">
      <summary>Edit architecture</summary>
      <label class="field">
        Architecture
        <input
          type="text"
          value={family}
          spellcheck={false}
          onChange={event => set('model_type', event.currentTarget.value.trim())}
        />
      </label>
      {CONFIG_SIZES.map(({ label: name, keys, defaultKey, shownIfAbsent }) => {
        const key = keys.find(one => inner[one] !== undefined) ?? defaultKey;
        const value = inner[key];
        if (!shownIfAbsent && value === undefined) return null;
        return (
          <label key={name} class="field" title={key}>
            {name}
            <NumberInput
              label={name}
              value={typeof value === 'number' ? value : undefined}
              least={shownIfAbsent && name !== 'Attention window' ? 1 : 0}
              whole
              optional
              placeholder="default"
              onInput={typed => set(key, typed)}
            />
          </label>
        );
      })}
      <label class="check">
        <input
          type="checkbox"
          checked={typeof inner.tie_word_embeddings === 'boolean' ? inner.tie_word_embeddings : model.tied_embeddings}
          onChange={event => set('tie_word_embeddings', event.currentTarget.checked)}
        />
        LM head shares the embedding table
      </label>
    </details>
  );
}
