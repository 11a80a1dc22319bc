// Edits the open model: a field for each numeric key of its config.json.
import { changeModel, modelAnswer, modelRequest } from './model';
import { NumberInput } from '../widgets/NumberInput';

type Config = Record<string, unknown>;

/** A size and its keys in the configs of different families; the first key is used where the config has none of them. */
const SIZES: [string, string[], always?: true][] = [
  ['Hidden size', ['hidden_size', 'n_embd', 'd_model'], true],
  ['Layers', ['num_hidden_layers', 'n_layer', 'num_layers'], true],
  ['Query heads', ['num_attention_heads', 'n_head'], true],
  ['Key-value heads', ['num_key_value_heads', 'num_kv_heads'], true],
  ['Head size', ['head_dim'], true],
  ['MLP width', ['intermediate_size', 'ffn_dim', 'n_inner', 'ffn_hidden_size'], true],
  ['Vocabulary', ['vocab_size'], true],
  ['Attention window', ['sliding_window', 'attention_chunk_size'], true],
  ['Experts', ['num_local_experts', 'n_routed_experts', 'num_experts']],
  ['Active experts per token', ['num_experts_per_tok', 'experts_per_token']],
  ['Expert width', ['moe_intermediate_size']],
  ['Shared experts', ['n_shared_experts']],
  ['Leading dense layers', ['first_k_dense_replace']],
  ['Query LoRA rank', ['q_lora_rank']],
  ['KV LoRA rank', ['kv_lora_rank']],
  ['Head size without RoPE', ['qk_nope_head_dim']],
  ['Head size with RoPE', ['qk_rope_head_dim']],
  ['Value head size', ['v_head_dim']],
];

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
      {SIZES.map(([name, keys, always]) => {
        const key = keys.find(one => inner[one] !== undefined) ?? keys[0]!;
        const value = inner[key];
        if (!always && value === undefined) return null;
        return (
          <label key={name} class="field" title={key}>
            {name}
            <NumberInput
              label={name}
              value={typeof value === 'number' ? value : undefined}
              least={always && name !== 'Attention window' ? 1 : 0}
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
