// Hugging Face config.json to a Model. What a family leaves unsaid in its config.json stands in one table.
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/llm/config_sizes.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/machine/format.hpp>

#include "base/joined.hpp"
#include "base/json.hpp"
#include "llm/gguf/file_tensors.hpp"
#include "llm/model/config_reader.hpp"
#include "llm/model/layer_kinds.hpp"
#include "llm/model/quantization_config.hpp"
#include "llm/model/stored_formats.hpp"
#include "llm/model/unsupported_architectures.hpp"

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
  wide_qk_norm = 524288,  // over all heads together
};

struct Family {
  std::string_view type;
  unsigned traits = 0;
  double full_attention_interval = 0;  ///< where the model has windows, every nth layer has none; 0: all layers have one
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
    {"gemma2", tied | four_norms, 2},
    {"gemma3_text", tied | four_norms | qk_norm, 6},
    {"gemma3n_text", tied | four_norms | qk_norm, 5},
    {"gemma4_text", tied | four_norms | qk_norm, 6},
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
    {"gpt_oss", expert_is_mlp | expert_bias | attention_sinks | o_bias, 2},
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
    {"llama4_text", expert_is_mlp, 4},
    {"cohere", one_norm | parallel | tied},
    {"cohere2", one_norm | parallel | tied, 4},
    {"exaone4", qk_norm, 4},
    {"olmo2", wide_qk_norm, 4},
    {"ernie4_5", tied},
    {"ernie4_5_moe", tied | router_correction},
    {"nemotron", ungated | layer_norm},
    {"mamba2", ungated | one_norm | no_rotary},
    {"granitemoehybrid", expert_is_mlp},
    {"nemotron_h", ungated | one_norm | no_rotary | router_correction},
    {"falcon_h1"},
    {"lfm2", tied | qk_norm},
    {"lfm2_moe", tied | qk_norm | router_correction},
    {"starcoder2", ungated | layer_norm | qkv_bias | o_bias | mlp_bias | tied},
};

/// Other names of an architecture: of a multimodal model, whose language part it is, or of its publisher.
constexpr std::pair<std::string_view, std::string_view> other_types[] = {{"gemma3", "gemma3_text"},
                                                                         {"gemma3n", "gemma3n_text"},
                                                                         {"gemma4", "gemma4_text"},
                                                                         {"llama4", "llama4_text"},
                                                                         {"kimi_k25", "kimi_k2"},
                                                                         {"olmo3", "olmo2"},
                                                                         {"qwen3_5", "qwen3_5_text"},
                                                                         {"qwen3_5_moe", "qwen3_5_moe_text"},
                                                                         {"qwen2_vl", "qwen2"},
                                                                         {"qwen2_vl_text", "qwen2"},
                                                                         {"qwen2_5_vl", "qwen2"},
                                                                         {"qwen2_5_vl_text", "qwen2"},
                                                                         {"qwen3_vl", "qwen3"},
                                                                         {"qwen3_vl_text", "qwen3"},
                                                                         {"qwen3_vl_moe", "qwen3_moe"},
                                                                         {"qwen3_vl_moe_text", "qwen3_moe"},
                                                                         {"qwen3_omni_moe_text", "qwen3_moe"},
                                                                         {"glm4v", "glm4"},
                                                                         {"glm4v_text", "glm4"},
                                                                         {"glm4v_moe", "glm4_moe"},
                                                                         {"glm4v_moe_text", "glm4_moe"},
                                                                         {"phi3_v", "phi3"}};

/// Says which companion of config.json the user opened, one without sizes; empty: none.
std::string file_beside_config(const Json& json) {
  if (!member(json, "peft_type").is_null()) return "the configuration of an adapter (LoRA): open the model that it was trained for";
  if (!text_of(member(member(json, "quantization"), "quant_algo")).empty())
    return "hf_quant_config.json, the formats of a checkpoint: open the config.json beside it";
  return {};
}

/// The gated delta nets of Qwen3-Next and Qwen3.5, in all layers but every fourth.
void read_linear_attention(ConfigReader& in, const Json& json, Model& m) {
  RecurrentLayers& r = m.recurrent;
  r.value_heads = in.size({"linear_num_value_heads"}, 0);
  if (r.value_heads == 0) return;
  r.key_heads = in.size({"linear_num_key_heads"});
  r.key_dim = in.size({"linear_key_head_dim"});
  r.value_dim = in.size({"linear_value_head_dim"});
  r.conv_taps = in.size({"linear_conv_kernel_dim"});
  const double interval = in.size({"full_attention_interval"}, 4);
  const Json& types = member(json, "layer_types");
  r.layers = types.is_array() ? std::min(count_of(types, "linear_attention"), m.layers) : m.layers - std::floor(m.layers / interval);
  m.attention_free_layers = r.layers;
}

/// The indexer of DeepSeek's sparse attention. Sizes that a config leaves out are those of transformers' DeepseekV32Config and
/// GlmMoeDsaConfig. GLM-5.2 has an indexer in some layers; the others take its choice.
void read_indexer(ConfigReader& in, const Json& json, Model& m) {
  const bool glm = m.family == "glm_moe_dsa";
  if (!glm && m.family != "deepseek_v32") return;
  m.index_heads = in.size({"index_n_heads"}, glm ? 32 : 64);
  m.index_dim = in.size({"index_head_dim"}, 128);
  m.index_top_k = in.size({"index_topk"}, 2048);
  const Json& types = member(json, "indexer_types");
  m.index_layers = types.is_array() ? std::min(count_of(types, "full"), m.layers) : m.layers;
  if (m.q_rank == 0) in.fault("q_lora_rank", "expected the rank of the compressed queries, which the indexer reads");
}

void read_experts(ConfigReader& in, const Json& json, Model& m, unsigned traits) {
  for (const char* key : config_keys::experts)
    if (m.experts == 0) m.experts = in.size({key}, 0, 0);
  if (m.experts == 0) {
    if (m.family == "granitemoehybrid") m.intermediate = in.size({"shared_intermediate_size"}, m.intermediate);
    return reject_unknown_expert_keys(in, json);
  }
  m.top_k = in.size(config_keys::top_k);
  if (m.top_k > m.experts)
    in.fault("num_experts_per_tok", "expected at most " + number(m.experts) + ", the number of experts, found " + number(m.top_k));
  m.expert_intermediate = (traits & expert_is_mlp) != 0 ? m.intermediate : in.size(config_keys::expert_intermediate);
  m.expert_bias = (traits & expert_bias) != 0;
  m.router_correction = (traits & router_correction) != 0;
  if (m.family == "gemma4_text") {
    m.shared_intermediate = m.intermediate;  // an MLP beside the experts of each layer
  } else if (m.family == "llama4_text") {
    m.shared_intermediate = m.expert_intermediate;
    m.intermediate = in.size({"intermediate_size_mlp"}, m.intermediate);
  } else if (const double shared =
                 in.size({"shared_expert_intermediate_size", "shared_intermediate_size", "moe_shared_expert_intermediate_size"}, 0, 0);
             shared > 0) {
    m.shared_intermediate = shared;
  } else {
    m.shared_intermediate = in.size(config_keys::shared_experts, 0, 0) * m.expert_intermediate;
  }
  m.shared_gate = (traits & shared_gate) != 0 && m.shared_intermediate > 0;
  const double step = in.size({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_freq", "moe_layer_interval"}, 1);
  const double first = std::min(in.size(config_keys::first_moe_layer, 0, 0), m.layers);
  const double last = in.size({"moe_layer_end_index"}, -1, -1);  // -1: the last layer
  const double end = last < 0 ? m.layers : std::min(last + 1, m.layers);
  m.moe_layers = std::max(0.0, std::floor(end / step) - std::floor(first / step));  // every step-th layer, counted from the first of all
  if (const Json& dense = member(json, "mlp_only_layers"); dense.is_array())
    m.moe_layers = std::max(0.0, m.moe_layers - static_cast<double>(dense.size()));
  m.first_dense_layers = step == 1 ? m.dense_layers() : first;
}

void read_mla(ConfigReader& in, Model& m) {
  m.kv_rank = in.size(config_keys::kv_rank, 0, 0);
  if (m.kv_rank == 0) return;
  m.q_rank = in.size(config_keys::q_rank, 0, 0);
  m.nope_dim = in.size(config_keys::nope_dim);
  m.rope_dim = in.size(config_keys::rope_dim);
  m.value_dim = in.size(config_keys::value_dim);
  m.kv_heads = m.heads;
  m.rotary_dim = m.rope_dim;
}

/// The language part of a multimodal configuration, with the keys that only the outer configuration has.
Json language_part(const Json& outer) {
  const Json& inner = member(outer, "text_config");
  Json json = inner.is_object() ? inner : outer;
  if (inner.is_object())
    for (const char* key : {"model_type", "tie_word_embeddings"})
      if (!json.contains(key) && outer.contains(key)) json[key] = outer[key];
  const Json rope_parameters = member(json, "rope_parameters");
  if (rope_parameters.contains("partial_rotary_factor") && !json.contains("partial_rotary_factor"))
    json["partial_rotary_factor"] = rope_parameters["partial_rotary_factor"];
  return json;
}

/// The missing key that makes `value` NaN is already reported.
double zero_if_nan(double value) { return std::isnan(value) ? 0 : value; }

void read_sizes(ConfigReader& in, Model& m, unsigned traits) {
  const bool falcon = m.family == "falcon", gemma3 = m.family == "gemma3_text", mamba2 = m.family == "mamba2";
  const auto standard = [](bool applies, double value) { return applies ? value : std::nan(""); };
  m.hidden = in.size(config_keys::hidden);
  m.layers = in.size(config_keys::layers);
  constexpr double most_layers = 1e4;  // each is listed
  if (m.layers > most_layers) {
    in.fault("num_hidden_layers", "expected at most 10,000 layers, found " + number(m.layers));
    m.layers = most_layers;
  }
  m.heads = in.size(config_keys::heads, mamba2 ? 0 : standard(gemma3, 8));
  m.vocab = in.size(config_keys::vocab, standard(gemma3, 262208));
  if (falcon) {
    const bool new_decoder = in.flag({"new_decoder_architecture"}, false);
    m.kv_heads = !new_decoder && in.flag({"multi_query"}, true) ? 1 : in.size(config_keys::kv_heads, zero_if_nan(m.heads));
    m.parallel = new_decoder || in.flag({"parallel_attn"}, true);
    m.norms = m.parallel && !new_decoder ? 1 : 2;
  } else {
    m.kv_heads = in.size(config_keys::kv_heads, gemma3 ? 4 : zero_if_nan(m.heads));
    m.parallel = m.family == "gpt_neox" ? in.flag({"use_parallel_residual"}, true) : (traits & parallel) != 0;
    m.norms = (traits & one_norm) != 0 ? 1 : (traits & four_norms) != 0 ? 4 : 2;
  }
  m.head_dim = in.size(config_keys::head_dim, gemma3 ? 256 : zero_if_nan(std::floor(m.hidden / m.heads)));
  const bool hidden_4 = falcon || m.family == "gpt2" || m.family == "gptj";
  m.intermediate =
      in.size(config_keys::intermediate, hidden_4 ? zero_if_nan(4 * m.hidden) : standard(mamba2 || m.family == "qwen3_5_moe_text", 0));
  if (m.family == "lfm2" && in.flag({"block_auto_adjust_ff_dim"}, true)) {  // transformers, modeling_lfm2.py
    const double multiple = in.size({"block_multiple_of"}, 256), factor = in.fraction({"block_ffn_dim_multiplier"}, 1);
    m.intermediate = std::ceil(std::floor(factor * std::floor(2 * m.intermediate / 3)) / multiple) * multiple;
  }
}

/// Biases, gates, norms and whether embedding and head share their weights.
void read_options(ConfigReader& in, const Json& json, Model& m, unsigned traits) {
  const auto has = [&](Trait t) { return (traits & t) != 0; };
  const bool falcon = m.family == "falcon";
  m.gated = in.flag({"gated_mlp"}, !has(ungated));
  m.layer_norm = has(layer_norm);
  m.tied = in.flag({"tie_word_embeddings"}, has(tied));
  m.head_bias = has(head_bias) && !m.tied;
  const bool attention_bias = in.flag({"attention_bias", "bias"}, false);
  m.qkv_bias = has(qkv_bias) || attention_bias;
  m.o_bias = has(o_bias) || (attention_bias && (m.family == "llama" || falcon));
  m.mlp_bias = has(mlp_bias) || in.flag({"mlp_bias"}, false) || (falcon && attention_bias);
  m.qk_norm = has(qk_norm) || has(wide_qk_norm) || in.flag({"use_qk_norm"}, false);
  m.qk_norm_of_all_heads = m.qk_norm && (has(wide_qk_norm) || text_of(member(json, "qk_norm_type")) == "per_layer");
  m.query_gate = has(query_gate);
  m.sinks = has(attention_sinks);
}

/// How positions are encoded, and the context that the model was trained for.
void read_positions(ConfigReader& in, const Json& json, Model& m, unsigned traits) {
  if ((traits & learned_positions) != 0) m.positions = in.size({"n_positions", "max_position_embeddings"}) + (m.family == "opt" ? 2 : 0);
  for (const char* key : {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length"})
    if (const double tokens = number_of(member(json, key)); tokens >= 1 && std::isnan(m.trained_context)) m.trained_context = tokens;
  const double default_fraction = (traits & query_gate) != 0 ? 0.25 : 1;
  if ((traits & no_rotary) == 0)
    m.rotary_dim = in.size({"rotary_dim"},
                           zero_if_nan(std::floor(m.head_dim * in.fraction({"partial_rotary_factor", "rotary_pct"}, default_fraction))));
  // llama.cpp's converter writes one table for Llama 3's scaling, and one each for short and long contexts of Phi 3's.
  const Json& scaling = member(json, "rope_scaling");
  const std::string rope = text_of(member(scaling, member(scaling, "rope_type").is_null() ? "type" : "rope_type"));
  m.rope_factors = (rope == "llama3" ? 0.5 : rope == "longrope" || rope == "su" ? 1 : 0) * m.rotary_dim;
}

/// The name that the configuration states, without its owner; else the family's.
std::string name_of_config(const Json& outer, const Model& m) {
  std::string out = m.family.empty() ? "model" : m.family;
  for (const char* key : {"_name_or_path", "name"})
    if (const std::string name = text_of(member(outer, key)); !name.empty()) out = name.substr(name.find_last_of('/') + 1);
  return out;
}

Result<Model> read_config(const Json& outer) {
  const Json json = language_part(outer);
  if (auto ok = check_architecture(json); !ok) return Unexpected(ok.error());
  ConfigReader in(json);
  Model m;
  m.family = text_of(member(json, "model_type"));
  for (const auto& [other, type] : other_types)
    if (m.family == other) m.family = type;
  const auto* known = std::find_if(std::begin(families), std::end(families), [&](const Family& f) { return f.type == m.family; });
  const bool is_known = known != std::end(families);
  const Family family = is_known ? *known : Family{};
  read_sizes(in, m, family.traits);
  read_options(in, json, m, family.traits);
  read_positions(in, json, m, family.traits);
  read_mla(in, m);
  read_linear_attention(in, json, m);
  read_indexer(in, json, m);
  if (!is_recurrent_family(m.family) && m.recurrent.layers == 0) read_left_out_blocks(json, m);
  read_experts(in, json, m, family.traits);
  read_recurrent_layers(in, json, m);
  read_windows(in, json, m, family.full_attention_interval, is_known);

  if (!in.missing().empty()) {
    if (const std::string other = file_beside_config(outer); !other.empty()) return fail("this is " + other);
    return fail((is_known ? "missing: " : "the architecture \"" + m.family + "\" is not known, and its config lacks ") +
                joined(in.missing(), ", ") + "; expected " + a_model);
  }
  if (in.error) return Unexpected(*in.error);
  if (m.kv_heads > m.heads) return fail("more than the attention heads there are", "num_key_value_heads");
  if (m.full_layers() < 0 || m.full_caches() < 0 || m.windowed_caches() < 0)
    return fail("more layers have a window or share a cache than have attention", "num_hidden_layers");
  if (in.size({"hidden_size_per_layer_input"}, 0, 0) > 0) m.notes.push_back("The embeddings of each layer are not counted.");
  if (!is_known)
    m.notes.push_back("The architecture \"" + m.family +
                      "\" is not known: it is read as Llama's (gated MLP, RMSNorm, rotary embedding, no biases). " +
                      "Check the parameter count.");
  m.id = m.name = name_of_config(outer, m);
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

/// {"nvfp4": {"formats": "attention=bf16,rest=nvfp4", "source": ...}, "fp8_e4m3": {"block_scales": true, "source": ...}}: without
/// "formats", every part is in the format.
Result<void> read_checkpoints(const Json& json, std::vector<NamedCheckpoint>& out) {
  for (const auto& [name, value] : json.items()) {
    const std::optional<FormatId> format = Formats::catalogue().find(name);
    if (!format) return fail("unknown format" + did_you_mean(Formats::catalogue().near(name)), "checkpoints." + name);
    NamedCheckpoint checkpoint{*format, *format, member(value, "block_scales") == Json(true)};
    if (const std::string formats = text_of(member(value, "formats")); !formats.empty())
      if (auto ok = checkpoint.weights.apply(formats); !ok) return fail(ok.error().message, "checkpoints." + name + ".formats");
    out.push_back(std::move(checkpoint));
  }
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
  Result<std::vector<GgufTensor>> tensors = read_file_tensors(member(*json, "gguf_tensors"));
  if (!tensors) return Unexpected(tensors.error());
  if (!tensors->empty()) m.gguf_tensors = std::make_shared<const std::vector<GgufTensor>>(std::move(*tensors));
  m.aliases = texts(member(*json, "aliases"));
  for (std::string& note : texts(member(*json, "notes"))) m.notes.push_back(std::move(note));
  m.stored = stored_weights(member(*json, "stored"));
  if (auto ok = read_formats(member(*json, "formats"), m.published); !ok) return Unexpected(ok.error());
  if (auto ok = read_checkpoints(member(*json, "checkpoints"), m.checkpoints); !ok) return Unexpected(ok.error());
  return model;
}

}  // namespace roofline
