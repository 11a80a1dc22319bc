#include "llm/gguf/config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <roofline/base/text.hpp>

#include "llm/gguf/tensor_names.hpp"
#include "llm/model/layer_kinds.hpp"
#include "llm/model/unsupported_architectures.hpp"

namespace roofline {
namespace {

/// llama.cpp's name of an architecture, and transformers' model_type, where they differ.
constexpr std::pair<std::string_view, std::string_view> model_types[] = {
    {"qwen2moe", "qwen2_moe"},        {"qwen3moe", "qwen3_moe"},  {"gemma3", "gemma3_text"},
    {"gpt-oss", "gpt_oss"},           {"gptneox", "gpt_neox"},    {"phi2", "phi"},
    {"glm4moe", "glm4_moe"},          {"command-r", "cohere"},    {"ernie4_5-moe", "ernie4_5_moe"},
    {"llama4", "llama4_text"},        {"chatglm", "glm"},         {"minimax-m2", "minimax_m2"},
    {"qwen3next", "qwen3_next"},      {"qwen35", "qwen3_5_text"}, {"qwen35moe", "qwen3_5_moe_text"},
    {"deepseek32", "deepseek_v32"},   {"glm-dsa", "glm_moe_dsa"}, {"granitehybrid", "granitemoehybrid"},
    {"nemotron_h_moe", "nemotron_h"}, {"falcon-h1", "falcon_h1"}, {"lfm2moe", "lfm2_moe"},
    {"gemma3n", "gemma3n_text"},      {"gemma4", "gemma4_text"}};

/// Architectures whose recurrent layers are modelled: gated delta nets, and those of is_recurrent_family().
constexpr std::string_view recurrent_architectures[] = {"qwen3next",  "qwen35",         "qwen35moe", "mamba2", "granitehybrid",
                                                        "nemotron_h", "nemotron_h_moe", "falcon-h1", "lfm2",   "lfm2moe"};

/// What a file holds that is no model, by general.type or by general.architecture.
constexpr std::pair<std::string_view, std::string_view> other_types[] = {
    {"adapter", "a LoRA adapter: open the model that it belongs to"},
    {"mmproj", "the vision or audio part of a model: open the GGUF file of the language model"},
    {"clip", "the vision or audio part of a model: open the GGUF file of the language model"},
    {"controlvector", "a control vector: open the model that it steers"},
    {"whisper", "a model that transcribes speech: expected a language model that generates text"},
    {"imatrix", "an importance matrix: open the model that it was made for"},
    {"vocab", "a vocabulary without tensors: open the model's GGUF file"}};

bool is_recurrent(std::string_view architecture) {
  return std::find(std::begin(recurrent_architectures), std::end(recurrent_architectures), architecture) !=
         std::end(recurrent_architectures);
}

/// Sizes that may differ from layer to layer.
constexpr std::string_view layer_sizes[] = {"attention.head_count", "attention.head_count_kv", "feed_forward_length"};

class Metadata {
 public:
  Metadata(const Json& json, const std::string& architecture) : json_(json), prefix_(architecture + ".") {}

  [[nodiscard]] const Json& value(std::string_view key) const { return member(json_, prefix_ + std::string(key)); }

  /// The first of `keys` that has a number above 0, of an array the mean; NaN: none has.
  [[nodiscard]] double number(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys)
      if (const double n = value(key).is_array() ? mean(key) : number_of(value(key)); n > 0) return n;
    return std::nan("");
  }

  /// The mean over the layers that have the size: the work and the bytes of all layers are linear in it. `windowed`: over the layers with a
  /// window, or without one. NaN: there are none, or the file has one size for all.
  [[nodiscard]] double mean(std::string_view key, std::optional<bool> windowed = {}) const {
    const Json& sizes = value(key);
    if (!sizes.is_array()) return std::nan("");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (!(number_of(sizes[i]) > 0) || (windowed && *windowed != has_window(i))) continue;
      sum += number_of(sizes[i]);
      ++count;
    }
    return sum / count;
  }
  /// Whether the layers that have this size differ in it, key-value heads also within the layers with a window or those without.
  [[nodiscard]] bool differs(std::string_view key) const {
    const Json& sizes = value(key);
    if (!sizes.is_array()) return false;
    const bool by_window = key == heads_of_keys;
    const double full = by_window ? mean(key, false) : mean(key), windowed = by_window ? mean(key, true) : full;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (const double n = number_of(sizes[i]); n > 0 && n != (has_window(i) ? windowed : full)) return true;
    return false;
  }
  /// Whether the file says so for this layer.
  [[nodiscard]] bool has_window(std::size_t layer) const {
    const Json& windows = value("attention.sliding_window_pattern");
    return windows.is_array() && layer < windows.size() && windows[layer] == Json(true);
  }
  /// Whether each layer has 0 for one of `keys`; empty: none has.
  [[nodiscard]] std::vector<bool> zeros(std::initializer_list<std::string_view> keys) const {
    std::vector<bool> out;
    for (const std::string_view key : keys) {
      const Json& sizes = value(key);
      for (std::size_t i = 0; sizes.is_array() && i < sizes.size(); ++i) {
        if (number_of(sizes[i]) != 0) continue;
        out.resize(std::max(out.size(), sizes.size()));
        out[i] = true;
      }
    }
    return out;
  }

 private:
  static constexpr std::string_view heads_of_keys = "attention.head_count_kv";
  const Json& json_;
  std::string prefix_;
};

/// Keys that only change their name.
struct Renamed {
  const char* config;
  std::initializer_list<std::string_view> gguf;
};
const Renamed renamed[] = {{"hidden_size", {"embedding_length"}},
                           {"num_attention_heads", {"attention.head_count"}},
                           {"num_key_value_heads", {"attention.head_count_kv"}},
                           {"head_dim", {"attention.key_length"}},
                           {"max_position_embeddings", {"context_length"}},
                           {"num_experts", {"expert_count"}},
                           {"num_experts_per_tok", {"expert_used_count"}},
                           {"moe_intermediate_size", {"expert_feed_forward_length"}},
                           {"n_shared_experts", {"expert_shared_count"}},
                           {"shared_expert_intermediate_size", {"expert_shared_feed_forward_length"}},
                           {"first_k_dense_replace", {"leading_dense_block_count"}},
                           {"interleave_moe_layer_step", {"interleave_moe_layer_step"}},
                           {"sliding_window", {"attention.sliding_window"}},
                           {"attention_chunk_size", {"attention.chunk_size"}},
                           {"q_lora_rank", {"attention.q_lora_rank"}},
                           {"kv_lora_rank", {"attention.kv_lora_rank"}},
                           {"full_attention_interval", {"full_attention_interval"}},
                           {"linear_conv_kernel_dim", {"ssm.conv_kernel"}},
                           {"linear_key_head_dim", {"ssm.state_size"}},
                           {"linear_value_head_dim", {"ssm.state_size"}},
                           {"linear_num_key_heads", {"ssm.group_count"}},
                           {"linear_num_value_heads", {"ssm.time_step_rank"}},
                           {"conv_kernel", {"ssm.conv_kernel"}},
                           {"state_size", {"ssm.state_size"}},
                           {"n_groups", {"ssm.group_count"}},
                           {"num_heads", {"ssm.time_step_rank"}},
                           {"conv_L_cache", {"shortconv.l_cache"}},
                           {"index_n_heads", {"attention.indexer.head_count"}},
                           {"index_head_dim", {"attention.indexer.key_length"}},
                           {"index_topk", {"attention.indexer.top_k"}}};

std::string model_type(const std::string& architecture, const Metadata& in, const auto& has) {
  if (architecture == "llama") return in.number({"expert_count"}) > 0 ? "mixtral" : "llama";
  if (architecture == "deepseek2") return has("exp_probs_b") ? "deepseek_v3" : "deepseek_v2";
  for (const auto& [gguf, transformers] : model_types)
    if (gguf == architecture) return std::string(transformers);
  return architecture;
}

/// Which layers are of `type`, where the file says so layer by layer.
void add_layer_types(const Json& pattern, const char* type, Json& config) {
  if (!pattern.is_array()) return;
  Json& types = config["layer_types"] = Json::array();
  for (const Json& is_type : pattern) types.push_back(is_type == Json(true) ? type : "full_attention");
}

/// The kind of each layer of a recurrent architecture, by its tensors.
Json kinds_of_layers(const std::vector<GgufTensorInfo>& tensors, int layers) {
  std::vector<const char*> kinds(static_cast<std::size_t>(layers), "");
  std::vector<bool> attends(kinds.size()), recurs(kinds.size());
  for (const GgufTensorInfo& tensor : tensors) {
    const GgufName name = gguf_name(tensor.name, false);
    if (name.layer < 0 || name.layer >= layers) continue;
    const auto at = static_cast<std::size_t>(name.layer);
    const char*& kind = kinds[at];
    if (name.base == "attn_output") attends[at] = true;
    if (name.base == "ssm_out" || name.base == "shortconv.out_proj") recurs[at] = true;
    if (name.base == "ffn_up" || name.base == "ffn_up_exps") kind = name.base == "ffn_up" ? "mlp" : "moe";
    if (attends[at] || recurs[at]) kind = !recurs[at] ? "attention" : attends[at] ? "hybrid" : "mamba";
  }
  return kinds;
}

/// What some layers have and others do not: heads of windowed layers, caches that layers share, attention, an MLP.
void add_layers_of_their_own(const Metadata& in, const std::string& architecture, const std::vector<GgufTensorInfo>& tensors,
                             Json& config) {
  const double layers = number_of(config["num_hidden_layers"]);
  const double full = in.mean("attention.head_count_kv", false), windowed = in.mean("attention.head_count_kv", true);
  if (full > 0 && windowed > 0) {
    config["num_key_value_heads"] = windowed;
    config["num_global_key_value_heads"] = full;
  }
  const double head = in.number({"attention.key_length"}), windowed_head = in.number({"attention.key_length_swa"});
  if (head > 0 && windowed_head > 0) {
    config["head_dim"] = windowed_head;
    config["global_head_dim"] = head;
  }
  // llama.cpp takes the first 20 layers of Gemma 3n for those with a cache where the file does not say.
  const double shared = in.number({"attention.shared_kv_layers"});
  if (shared > 0 || (architecture == "gemma3n" && layers > 20)) config["num_kv_shared_layers"] = shared > 0 ? shared : layers - 20;
  const auto count = [&](std::string_view base) {
    return std::count_if(tensors.begin(), tensors.end(), [&](const GgufTensorInfo& tensor) {
      const GgufName name = gguf_name(tensor.name, false);
      return name.base == base && name.is_weight;
    });
  };
  if (architecture == "gemma4" && count("attn_v") < count("attn_k")) config["attention_k_eq_v"] = true;
  if (is_recurrent(architecture)) return;  // their kinds of layers are known
  const auto leave_out = [&](const char* key, std::initializer_list<std::string_view> sizes) {
    if (const std::vector<bool> zeros = in.zeros(sizes); !zeros.empty()) config[key] = zeros;
  };
  leave_out("layers_without_attention", {"attention.head_count", "attention.head_count_kv"});
  if (std::isnan(in.number({"expert_count"}))) leave_out("layers_without_mlp", {"feed_forward_length"});
}

Result<void> check_kind(const Json& metadata, const std::string& architecture, const std::vector<GgufTensorInfo>& tensors) {
  const std::string stated = text_of(member(metadata, "general.type"));
  const std::string kind = !stated.empty() ? stated : member(metadata, "adapter.type").is_null() ? architecture : "adapter";
  for (const auto& [type, what] : other_types)
    if (kind == type || architecture == type) return fail(std::string(what));
  if (tensors.empty()) return fail("a vocabulary without tensors: open the model's GGUF file");
  if (is_encoder(architecture))
    return fail("the architecture \"" + printable(architecture) + "\" is not a decoder: expected a language model that generates text");
  if (is_recurrent(architecture)) return {};
  for (const GgufTensorInfo& tensor : tensors) {
    const std::string_view base = gguf_name(tensor.name, false).base;
    if (base.starts_with("ssm_") || base.starts_with("time_mix_") || base.starts_with("shortconv"))
      return fail("the architecture \"" + printable(architecture) + "\" has recurrent layers (" + printable(tensor.name) +
                  "), which are not modelled yet");
  }
  return {};
}

}  // namespace

int gguf_layers(const Json& metadata) {
  const Metadata in(metadata, text_of(member(metadata, "general.architecture")));
  const double blocks = in.number({"block_count"}), predicting = in.number({"nextn_predict_layers"});
  if (std::isnan(blocks)) return 0;
  return static_cast<int>(std::clamp(blocks - (predicting > 0 ? predicting : 0), 0.0, 1e6));
}

std::string gguf_differing_sizes(const Json& metadata) {
  const Metadata in(metadata, text_of(member(metadata, "general.architecture")));
  std::string out;
  for (const std::string_view key : layer_sizes)
    if (in.differs(key)) out.append(out.empty() ? "" : ", ").append(key);
  return out;
}

Result<Json> gguf_config(const Json& metadata, const std::vector<GgufTensorInfo>& tensors) {
  const std::string architecture = text_of(member(metadata, "general.architecture"));
  if (auto ok = check_kind(metadata, architecture, tensors); !ok) return Unexpected(ok.error());
  const Metadata in(metadata, architecture);
  const auto find = [&](std::string_view base, bool weight = true) {
    return std::find_if(tensors.begin(), tensors.end(), [&](const GgufTensorInfo& tensor) {
      const GgufName name = gguf_name(tensor.name, false);
      return name.base == base && name.is_weight == weight && (weight || name.is_parameter);  // a scale is no bias
    });
  };
  const auto has = [&](std::string_view base) { return find(base) != tensors.end() || find(base, false) != tensors.end(); };

  for (const char* key : {"block_count", "embedding_length", "attention.head_count"})
    if ((architecture != "mamba2" || *key != 'a') && std::isnan(in.number({key})))
      return fail("the metadata lacks \"" + printable(architecture) + "." + key + "\": expected a language model's");
  Json config = {{"model_type", model_type(architecture, in, has)}};
  if (!gguf_differing_sizes(metadata).empty()) config["sizes_are_means"] = true;
  for (const auto& [key, keys] : renamed)
    if (const double n = in.number(keys); n > 0) config[key] = n;
  config["num_hidden_layers"] = gguf_layers(metadata);
  const auto embedding = find("token_embd");
  if (embedding != tensors.end()) config["vocab_size"] = embedding->elements / embedding->row;
  config["tie_word_embeddings"] = find("output") == tensors.end();

  const bool expert_is_mlp = config["model_type"] == "mixtral" || architecture == "gpt-oss" || architecture == "llama4";
  const double mlp = in.number({"feed_forward_length"}), expert = in.number({"expert_feed_forward_length"});
  config["intermediate_size"] = (expert_is_mlp && expert > 0) || std::isnan(mlp) ? expert : mlp;
  if (architecture == "llama4") config["intermediate_size_mlp"] = mlp;

  // Unless ffn_up holds the gate, too.
  if (const auto up = find("ffn_up");
      up != tensors.end() && !has("ffn_gate") && static_cast<double>(up->elements) < 1.5 * mlp * static_cast<double>(up->row))
    config["gated_mlp"] = false;

  const double rotary = in.number({"rope.dimension_count"}), head = in.number({"attention.key_length"});
  if (in.number({"attention.kv_lora_rank"}) > 0) {
    config["qk_rope_head_dim"] = rotary;
    config["qk_nope_head_dim"] = in.number({"attention.key_length_mla", "attention.key_length"}) - rotary;
    config["v_head_dim"] = in.number({"attention.value_length_mla", "attention.value_length"});
    config["num_key_value_heads"] = config["num_attention_heads"];
    config.erase("head_dim");
  } else if (rotary > 0) {
    const double width = head > 0 ? head : std::floor(in.number({"embedding_length"}) / in.number({"attention.head_count"}));
    if (rotary <= width) config["partial_rotary_factor"] = rotary / width;
  }
  if (find("attn_q", false) != tensors.end() || find("attn_qkv", false) != tensors.end()) config["attention_bias"] = true;
  if (has("attn_q_norm")) config["use_qk_norm"] = true;
  if (architecture == "falcon") {
    config["num_kv_heads"] = config["num_key_value_heads"];
    config["multi_query"] = in.number({"attention.head_count_kv"}) == 1;
    config["new_decoder_architecture"] = has("attn_norm_2");
  }
  if (has("rope_freqs")) config["rope_scaling"] = {{"rope_type", "llama3"}};
  if (has("rope_factors_long")) config["rope_scaling"] = {{"rope_type", "longrope"}};
  const Json& windows = in.value("attention.sliding_window_pattern");
  if (windows.is_number()) config["sliding_window_pattern"] = windows;
  add_layer_types(windows, "sliding_attention", config);
  add_layer_types(in.value("attention.recurrent_layers"), "linear_attention", config);
  if (is_recurrent_family(text_of(config["model_type"]))) {
    config["layer_types"] = kinds_of_layers(tensors, gguf_layers(metadata));
    config["mamba_d_head"] = in.number({"ssm.inner_size"}) / in.number({"ssm.time_step_rank"});
    config["mamba_conv_bias"] = find("ssm_conv1d", false) != tensors.end();
    config["mamba_rms_norm"] = has("ssm_norm");
    config["block_auto_adjust_ff_dim"] = false;
    if (architecture == "granitehybrid" && in.value("rope.scaling.finetuned") == Json(false)) config["position_embedding_type"] = "nope";
    if (const auto up = find("ffn_up_exps"); architecture == "granitehybrid" && up != tensors.end())
      config["intermediate_size"] = static_cast<double>(up->elements) / static_cast<double>(up->row) / in.number({"expert_count"});
  }
  if (architecture == "minimax-m2") config["qk_norm_type"] = "per_layer";
  add_layers_of_their_own(in, architecture, tensors, config);
  return config;
}

}  // namespace roofline
