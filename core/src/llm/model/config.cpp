// Hugging Face config.json to a Model. What a family leaves unsaid in its config.json stands in one table.
#include <algorithm>
#include <cmath>
#include <roofline/llm/model.hpp>
#include <roofline/machine/format.hpp>

#include "base/joined.hpp"
#include "base/json.hpp"
#include "llm/model/quantization_config.hpp"

namespace roofline {
namespace {

constexpr const char* a_model = R"(a model: a Hugging Face config.json such as {"model_type": "llama", "hidden_size": 4096, ...})";

/// What the model's code has and its config.json does not say.
enum Trait : unsigned {
  ungated = 1,
  layer_norm = 2,
  one_norm = 4,
  four_norms = 8,
  parallel = 16,
  qkv_bias = 32,
  o_bias = 64,
  mlp_bias = 128,
  head_bias = 256,
  qk_norm = 512,
  tied = 1024,  // where tie_word_embeddings is absent
  learned_positions = 2048,
  no_rotary = 4096,
  expert_is_mlp = 8192,  // intermediate_size is an expert's
  router_correction = 16384,
  shared_gate = 32768,
  attention_sinks = 65536,
  expert_bias = 131072,
  query_gate = 262144,
};
enum class Windows { all_layers, alternate, five_to_one, chunked_three_of_four };

struct Family {
  std::string_view type;
  unsigned traits = 0;
  Windows windows = Windows::all_layers;
};

constexpr Family families[] = {
    {"llama"},
    {"mistral"},
    {"mixtral", expert_is_mlp},
    {"qwen2", qkv_bias},
    {"qwen2_moe", qkv_bias | shared_gate},
    {"qwen3", qk_norm},
    {"qwen3_moe", qk_norm},
    {"gemma", tied},
    {"gemma2", tied | four_norms, Windows::alternate},
    {"gemma3_text", tied | four_norms | qk_norm, Windows::five_to_one},
    {"phi", ungated | layer_norm | one_norm | parallel | qkv_bias | o_bias | mlp_bias | head_bias},
    {"phi3"},
    {"phi3small", layer_norm | qkv_bias | o_bias | mlp_bias | tied},
    {"deepseek_v2"},
    {"deepseek_v3", router_correction},
    {"deepseek_v32", router_correction},
    {"kimi_k2", router_correction},
    {"minimax_m2", expert_is_mlp | router_correction},
    {"qwen3_next", qk_norm | shared_gate | query_gate},
    {"qwen3_5_text", qk_norm | query_gate},
    {"qwen3_5_moe_text", qk_norm | shared_gate | query_gate},
    {"gpt_oss", expert_is_mlp | expert_bias | attention_sinks | o_bias, Windows::alternate},
    {"glm"},
    {"glm4", four_norms},
    {"glm4_moe", router_correction},
    {"glm4_moe_lite", router_correction},
    {"glm_moe_dsa", router_correction},
    {"falcon", ungated | layer_norm | tied},
    {"gpt2", ungated | layer_norm | qkv_bias | o_bias | mlp_bias | tied | learned_positions | no_rotary},
    {"gpt_neox", ungated | layer_norm | qkv_bias | o_bias | mlp_bias},
    {"gptj", ungated | layer_norm | one_norm | parallel | mlp_bias | head_bias},
    {"opt", ungated | layer_norm | qkv_bias | o_bias | mlp_bias | tied | learned_positions | no_rotary},
    {"llama4_text", expert_is_mlp, Windows::chunked_three_of_four},
};

/// Other names of an architecture: of a multimodal model, whose language part it is, or of its publisher.
constexpr std::pair<std::string_view, std::string_view> other_types[] = {{"gemma3", "gemma3_text"},
                                                                         {"llama4", "llama4_text"},
                                                                         {"kimi_k25", "kimi_k2"},
                                                                         {"qwen3_5", "qwen3_5_text"},
                                                                         {"qwen3_5_moe", "qwen3_5_moe_text"}};

/// Reads keys and remembers what is wrong: everything missing at once, the first wrong value.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  /// The first of `keys` that is there.
  [[nodiscard]] const Json& find(std::initializer_list<const char*> keys) const {
    static const Json null;
    for (const char* key : keys)
      if (const Json& value = member(json_, key); !value.is_null()) return value;
    return null;
  }

  /// A whole number from 1 (or 0 where allowed) to a billion; `otherwise` where no key is there, NaN: it must be.
  double size(std::initializer_list<const char*> keys, double otherwise = std::nan(""), double least = 1) {
    const Json& value = find(keys);
    if (value.is_null()) {
      if (std::isnan(otherwise)) missing_.push_back(*keys.begin());
      return otherwise;
    }
    const double v = number_of(value);
    if (!(v >= least && v <= 1e9) || v != std::floor(v)) {
      std::string found = dump(value);
      if (found.size() > 40) found = kind_of(value);
      wrong(*std::find_if(keys.begin(), keys.end(), [&](const char* k) { return &member(json_, k) == &value; }),
            "expected a whole number from " + std::to_string(static_cast<int>(least)) + " to 1000000000, found " + found);
      return least;
    }
    return v;
  }

  bool flag(std::initializer_list<const char*> keys, bool otherwise) {
    const Json& value = find(keys);
    if (value.is_null()) return otherwise;
    if (!value.is_boolean()) wrong(*keys.begin(), std::string("expected true or false, found ") + kind_of(value));
    return value == Json(true);
  }

  double fraction(std::initializer_list<const char*> keys, double otherwise) {
    const Json& value = find(keys);
    if (value.is_null()) return otherwise;
    const double v = number_of(value);
    if (!(v > 0 && v <= 1)) {
      wrong(*keys.begin(), std::string("expected a fraction up to 1, found ") + kind_of(value));
      return otherwise;
    }
    return v;
  }

  void wrong(const std::string& key, std::string what) {
    if (!error_) error_ = Error{std::move(what), 0, 0, key};
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  const Json& json_;
  std::vector<std::string> missing_;
  std::optional<Error> error_;
};

double count_of(const Json& list, std::string_view value) {
  double n = 0;
  for (const Json& item : list) n += text_of(item) == value ? 1 : 0;
  return n;
}

/// Layers that attend to a window, of all: layer_types where given, else as the family does.
double windowed_layers(Reader& in, const Json& json, const Model& m, Windows windows) {
  const Json& types = member(json, "layer_types");
  if (types.is_array()) {
    return std::min(count_of(types, "sliding_attention") + count_of(types, "chunked_attention"), m.layers);
  }
  switch (windows) {
    case Windows::alternate:
      return std::ceil(m.layers / 2);
    case Windows::five_to_one: {
      const double pattern = in.size({"sliding_window_pattern"}, 6);
      return m.layers - std::floor(m.layers / pattern);
    }
    case Windows::chunked_three_of_four:
      return m.layers - std::floor(m.layers / 4);
    case Windows::all_layers:
      break;
  }
  // A letter per layer, repeated: in "LLLG", three layers have a window (L) and one has none. Or a number n: every nth layer has none.
  if (const std::string pattern = text_of(member(json, "sliding_window_pattern")); !pattern.empty()) {
    double local = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(m.layers); ++i) local += pattern[i % pattern.size()] == 'L' ? 1 : 0;
    return local;
  }
  if (const double pattern = in.size({"sliding_window_pattern"}, 0, 0); pattern > 0) return m.layers - std::floor(m.layers / pattern);
  return std::max(0.0, m.layers - in.size({"max_window_layers"}, 0, 0));  // Qwen: the first layers see everything
}

void read_windows(Reader& in, const Json& json, Model& m, Windows windows) {
  const char* key = windows == Windows::chunked_three_of_four ? "attention_chunk_size" : "sliding_window";
  if (!in.flag({"use_sliding_window"}, true)) return;
  const double window = in.size({key}, 0);
  if (window == 0) return;
  m.window = window;
  m.chunked = windows == Windows::chunked_three_of_four;
  m.windowed_layers = windowed_layers(in, json, m, windows);
  if (m.windowed_layers == 0) m.window = 0;
}

/// Refuses layers that are neither attention, full or in a window, nor gated delta nets: their cache, state and work would be wrong.
void refuse_other_layers(Reader& in, const Json& json) {
  for (const char* key : {"attn_layer_indices", "hybrid_override_pattern"})
    if (!member(json, key).is_null()) in.wrong(key, "has layers without attention, which are not read");
  const bool delta = !member(json, "linear_num_value_heads").is_null();
  for (const Json& type : member(json, "layer_types")) {
    const std::string kind = text_of(type);
    if (kind != "full_attention" && kind != "sliding_attention" && kind != "chunked_attention" && !(delta && kind == "linear_attention"))
      return in.wrong("layer_types", "has layers of \"" + kind + "\": expected full_attention, sliding_attention or chunked_attention");
  }
}

/// The gated delta nets of Qwen3-Next and Qwen3.5, in all layers but every fourth.
void read_linear_attention(Reader& in, const Json& json, Model& m) {
  m.linear_value_heads = in.size({"linear_num_value_heads"}, 0);
  if (m.linear_value_heads == 0) return;
  m.linear_key_heads = in.size({"linear_num_key_heads"});
  m.linear_key_dim = in.size({"linear_key_head_dim"});
  m.linear_value_dim = in.size({"linear_value_head_dim"});
  m.conv_taps = in.size({"linear_conv_kernel_dim"});
  const double interval = in.size({"full_attention_interval"}, 4);
  const Json& types = member(json, "layer_types");
  m.linear_layers = types.is_array() ? std::min(count_of(types, "linear_attention"), m.layers) : m.layers - std::floor(m.layers / interval);
}

/// The indexer of DeepSeek's sparse attention. Sizes that a config leaves out are those of transformers' DeepseekV32Config and
/// GlmMoeDsaConfig. GLM-5.2 has an indexer in some layers; the others take its choice.
void read_indexer(Reader& in, const Json& json, Model& m) {
  const bool glm = m.family == "glm_moe_dsa";
  if (!glm && m.family != "deepseek_v32") return;
  m.index_heads = in.size({"index_n_heads"}, glm ? 32 : 64);
  m.index_dim = in.size({"index_head_dim"}, 128);
  m.index_top_k = in.size({"index_topk"}, 2048);
  const Json& types = member(json, "indexer_types");
  m.index_layers = types.is_array() ? std::min(count_of(types, "full"), m.layers) : m.layers;
  if (m.q_rank == 0) in.wrong("q_lora_rank", "expected the rank of the compressed queries, which the indexer reads");
}

void read_experts(Reader& in, const Json& json, Model& m, unsigned traits) {
  m.experts = in.size({"num_local_experts", "n_routed_experts", "num_experts"}, 0, 0);
  if (m.experts == 0) return;
  m.top_k = in.size({"num_experts_per_tok", "experts_per_token"});
  if (m.top_k > m.experts)
    in.wrong("num_experts_per_tok", "more than the " + std::to_string(static_cast<long>(m.experts)) + " experts there are");
  m.expert_intermediate = (traits & expert_is_mlp) != 0 ? m.intermediate : in.size({"moe_intermediate_size"});
  m.expert_bias = (traits & expert_bias) != 0;
  m.router_correction = (traits & router_correction) != 0;
  if (m.family == "llama4_text") {
    m.shared_intermediate = m.expert_intermediate;
    m.intermediate = in.size({"intermediate_size_mlp"}, m.intermediate);
  } else if (const double shared = in.size({"shared_expert_intermediate_size"}, 0, 0); shared > 0) {
    m.shared_intermediate = shared;
  } else {
    m.shared_intermediate = in.size({"n_shared_experts"}, 0, 0) * m.expert_intermediate;
  }
  m.shared_gate = (traits & shared_gate) != 0 && m.shared_intermediate > 0;
  const double step = in.size({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_freq"}, 1);
  const double dense_first = in.size({"first_k_dense_replace"}, 0, 0);
  m.moe_layers = std::floor(std::max(0.0, m.layers - dense_first) / step);
  if (const Json& dense = member(json, "mlp_only_layers"); dense.is_array())
    m.moe_layers = std::max(0.0, m.moe_layers - static_cast<double>(dense.size()));
}

void read_mla(Reader& in, Model& m) {
  m.kv_rank = in.size({"kv_lora_rank"}, 0, 0);
  if (m.kv_rank == 0) return;
  m.q_rank = in.size({"q_lora_rank"}, 0, 0);
  m.nope_dim = in.size({"qk_nope_head_dim"});
  m.rope_dim = in.size({"qk_rope_head_dim"});
  m.value_dim = in.size({"v_head_dim"});
  m.kv_heads = m.heads;
  m.rotary_dim = m.rope_dim;
}

Result<Model> read_config(const Json& outer) {
  // A multimodal model's language part; what it leaves out, the whole may say.
  const Json& inner = member(outer, "text_config");
  Json json = inner.is_object() ? inner : outer;
  if (inner.is_object())
    for (const char* key : {"model_type", "tie_word_embeddings"})
      if (!json.contains(key) && outer.contains(key)) json[key] = outer[key];

  const Json rope_parameters = member(json, "rope_parameters");
  if (rope_parameters.contains("partial_rotary_factor") && !json.contains("partial_rotary_factor"))
    json["partial_rotary_factor"] = rope_parameters["partial_rotary_factor"];

  Reader in(json);
  Model m;
  m.family = text_of(member(json, "model_type"));
  for (const auto& [other, type] : other_types)
    if (m.family == other) m.family = type;
  const auto* known = std::find_if(std::begin(families), std::end(families), [&](const Family& f) { return f.type == m.family; });
  const Family family = known == std::end(families) ? Family{} : *known;
  const auto has = [&](Trait t) { return (family.traits & t) != 0; };
  const bool falcon = m.family == "falcon", gemma3 = m.family == "gemma3_text";
  const auto standard = [](bool applies, double value) { return applies ? value : std::nan(""); };
  const auto derived = [](double value) { return std::isnan(value) ? 0 : value; };  // from a key that is missing, which is told already

  m.hidden = in.size({"hidden_size", "n_embd", "d_model"});
  m.layers = in.size({"num_hidden_layers", "n_layer", "num_layers"});
  m.heads = in.size({"num_attention_heads", "n_head"}, standard(gemma3, 8));
  m.vocab = in.size({"vocab_size"}, standard(gemma3, 262208));
  if (falcon) {
    const bool new_decoder = in.flag({"new_decoder_architecture"}, false);
    m.kv_heads = !new_decoder && in.flag({"multi_query"}, true) ? 1 : in.size({"num_kv_heads"}, derived(m.heads));
    m.parallel = new_decoder || in.flag({"parallel_attn"}, true);
    m.norms = m.parallel && !new_decoder ? 1 : 2;
  } else {
    m.kv_heads = in.size({"num_key_value_heads"}, gemma3 ? 4 : derived(m.heads));
    m.parallel = m.family == "gpt_neox" ? in.flag({"use_parallel_residual"}, true) : has(parallel);
    m.norms = has(one_norm) ? 1 : has(four_norms) ? 4 : 2;
  }
  m.head_dim = in.size({"head_dim"}, gemma3 ? 256 : derived(std::floor(m.hidden / m.heads)));
  const bool hidden_4 = falcon || m.family == "gpt2" || m.family == "gptj";
  m.intermediate = in.size({"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "ff_intermediate_size"},
                           hidden_4 ? derived(4 * m.hidden) : standard(m.family == "qwen3_5_moe_text", 0));
  m.gated = !has(ungated);
  m.layer_norm = has(layer_norm);
  m.tied = in.flag({"tie_word_embeddings"}, has(tied));
  m.head_bias = has(head_bias) && !m.tied;
  const bool attention_bias = in.flag({"attention_bias", "bias"}, false);
  m.qkv_bias = has(qkv_bias) || attention_bias;
  m.o_bias = has(o_bias) || (attention_bias && (m.family == "llama" || falcon));
  m.mlp_bias = has(mlp_bias) || in.flag({"mlp_bias"}, false) || (falcon && attention_bias);
  m.qk_norm = has(qk_norm) || in.flag({"use_qk_norm"}, false);
  m.qk_norm_of_all_heads = m.qk_norm && text_of(member(json, "qk_norm_type")) == "per_layer";
  m.query_gate = has(query_gate);
  m.sinks = has(attention_sinks);
  if (has(learned_positions)) m.positions = in.size({"n_positions", "max_position_embeddings"}) + (m.family == "opt" ? 2 : 0);
  for (const char* key : {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length"})
    if (const double tokens = number_of(member(json, key)); tokens >= 1 && std::isnan(m.trained_context)) m.trained_context = tokens;
  if (!has(no_rotary))
    m.rotary_dim = in.size(
        {"rotary_dim"}, derived(std::floor(m.head_dim * in.fraction({"partial_rotary_factor", "rotary_pct"}, has(query_gate) ? 0.25 : 1))));
  // llama.cpp's converter writes one table for Llama 3's scaling, and one each for short and long contexts of Phi 3's.
  const Json& scaling = member(json, "rope_scaling");
  const std::string rope = text_of(member(scaling, member(scaling, "rope_type").is_null() ? "type" : "rope_type"));
  m.rope_factors = (rope == "llama3" ? 0.5 : rope == "longrope" || rope == "su" ? 1 : 0) * m.rotary_dim;
  read_mla(in, m);
  refuse_other_layers(in, json);
  read_linear_attention(in, json, m);
  read_indexer(in, json, m);
  read_windows(in, json, m, family.windows);
  read_experts(in, json, m, family.traits);

  if (!in.missing().empty()) {
    return fail((known == std::end(families) ? "the architecture \"" + m.family + "\" is not known, and its config lacks " : "missing: ") +
                joined(in.missing(), ", ") + "; expected " + a_model);
  }
  if (in.error()) return Unexpected(*in.error());
  if (m.kv_heads > m.heads) return fail("more than the attention heads there are", "num_key_value_heads");
  if (known == std::end(families))
    m.notes.push_back("The architecture \"" + m.family +
                      "\" is not known: it is read as Llama's (gated MLP, RMSNorm, rotary embedding, no biases). " +
                      "Check the parameter count.");
  m.id = m.family.empty() ? "model" : m.family;
  for (const char* key : {"_name_or_path", "name"})
    if (const std::string name = text_of(member(outer, key)); !name.empty()) m.id = name.substr(name.find_last_of('/') + 1);
  m.name = m.id;
  m.source = "config.json";
  return m;
}

std::vector<std::string> texts(const Json& array) {
  std::vector<std::string> out;
  for (const Json& item : array)
    if (item.is_string()) out.push_back(text_of(item));
  return out;
}

/// {"rest": "q4_k", "experts": "mxfp4", "down": {"format": "q4_k", "bits_per_weight": 5.1}}: the latter where tensors of a part are in
/// several formats.
Result<void> read_formats(const Json& json, WeightFormats& out) {
  bool mixed = false;
  if (const Json& rest = member(json, "rest"); !rest.is_null())
    if (auto ok = out.apply("rest=" + text_of(rest)); !ok) return fail(ok.error().message, "formats.rest");
  for (const auto& [part, value] : json.items()) {
    if (part == "rest") continue;
    const Json& format = value.is_object() ? member(value, "format") : value;
    WeightFormats stated;
    if (auto ok = stated.apply(part + "=" + text_of(format)); !ok) return fail(ok.error().message, "formats." + part);
    out.apply(stated);
    if (!value.is_object()) continue;
    const double bits = number_of(member(value, "bits_per_weight"));
    if (!(bits > 0 && bits <= 64)) return fail("expected a number of bits up to 64", "formats." + part + ".bits_per_weight");
    for (std::size_t i = 0; i < weight_parts; ++i)
      if (const auto p = static_cast<WeightPart>(i); stated[p] != no_format) out.set(p, stated[p], bits / 8);
    mixed = true;
  }
  if (mixed) out.name("published");  // a list of formats would not hold the bits
  return {};
}

}  // namespace

Result<Model> parse_model(std::string_view text) {
  const Result<Json> json = parse_json(text, a_model);
  if (!json) return Unexpected(json.error());
  if (!json->is_object()) return fail(std::string("expected ") + a_model + ", found " + kind_of(*json));
  const Json& config = member(*json, "config");
  Result<Model> model = read_config(config.is_object() ? config : *json);
  if (!model) return model;
  Model& m = *model;
  read_quantization(config.is_object() ? config : *json, m);
  if (!config.is_object()) return model;
  m.id = text_of(member(*json, "id"));
  m.name = text_of(member(*json, "name"));
  m.source = text_of(member(*json, "source"));
  m.gguf_header_bytes = number_of(member(*json, "gguf_header_bytes"));
  m.aliases = texts(member(*json, "aliases"));
  for (std::string& note : texts(member(*json, "notes"))) m.notes.push_back(std::move(note));
  if (auto ok = read_formats(member(*json, "formats"), m.published); !ok) return Unexpected(ok.error());
  return model;
}

}  // namespace roofline
