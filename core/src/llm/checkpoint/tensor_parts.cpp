#include "llm/checkpoint/tensor_parts.hpp"

#include <algorithm>

#include "base/parse_number.hpp"

namespace roofline {
namespace {

using enum WeightPart;

struct NamedParts {
  std::string_view word;  ///< between two dots of the name
  std::vector<WeightPart> parts;
  std::string_view within = {};  ///< another word of the name; empty: none is needed
};

/// The first that a name contains decides; what is more particular comes first.
const std::vector<NamedParts>& named_parts() {
  static const std::vector<NamedParts> all = {{"embed_tokens", {embedding}},
                                              {"wte", {embedding}},
                                              {"wpe", {embedding}},
                                              {"embed_positions", {embedding}},
                                              {"embed_in", {embedding}},
                                              {"word_embeddings", {embedding}},
                                              {"embeddings", {embedding}},
                                              {"lm_head", {head}},
                                              {"embed_out", {head}},
                                              {"shared_expert", {shared_experts}},
                                              {"shared_experts", {shared_experts}},
                                              {"shared_expert_gate", {shared_experts}},
                                              {"experts", {experts}},
                                              {"switch_mlp", {experts}},  // MLX: a tensor for all experts
                                              {"indexer", {indexer}},
                                              {"conv1d", {norms}},
                                              {"A_log", {norms}},
                                              {"dt_bias", {norms}},
                                              {"sinks", {norms}},
                                              {"linear_attn", {linear}},
                                              {"D", {norms}},  // of Mamba-2
                                              {"in_proj", {linear}},
                                              {"out_proj", {linear}, "mamba"},
                                              {"out_proj", {linear}, "mixer"},
                                              {"out_proj", {linear}, "conv"},
                                              {"conv", {norms}},
                                              {"shared_mlp", {shared_experts}},
                                              {"input_linear", {experts}},
                                              {"output_linear", {experts}},
                                              {"expert_bias", {router}},
                                              {"w1", {gate}},
                                              {"w3", {up}},
                                              {"w2", {down}},
                                              {"q_proj", {q}},
                                              {"q_a_proj", {q}},
                                              {"q_b_proj", {q}},
                                              {"k_proj", {k}},
                                              {"kv_a_proj_with_mqa", {k}},
                                              {"v_proj", {v}},
                                              {"kv_b_proj", {kv_b}},
                                              {"qkv_proj", {q, k, v}},
                                              {"query_key_value", {q, k, v}},
                                              {"c_attn", {q, k, v}},
                                              {"Wqkv", {q, k, v}},
                                              {"o_proj", {o}},
                                              {"out_proj", {o}},
                                              {"dense", {o}},
                                              {"c_proj", {down}, "mlp"},
                                              {"c_proj", {o}},
                                              {"gate_proj", {gate}},
                                              {"up_proj", {up}},
                                              {"gate_up_proj", {gate, up}},
                                              {"down_proj", {down}},
                                              {"fc1", {up}},
                                              {"fc2", {down}},
                                              {"c_fc", {up}},
                                              {"dense_h_to_4h", {up}},
                                              {"dense_4h_to_h", {down}},
                                              {"fc_in", {up}},
                                              {"fc_out", {down}},
                                              {"router", {router}},
                                              {"gate", {router}}};
  return all;
}

constexpr std::string_view other_towers[] = {"visual",       "vision_tower",          "vision_model",
                                             "mm_projector", "multi_modal_projector", "audio_tower"};

/// Ends of names of what belongs to a quantised tensor.
constexpr std::string_view companions[] = {"_scale",  "_scale_inv", "_scales",        "_scale_2",      ".scales",
                                           ".biases", ".qzeros",    ".g_idx",         "_shape",        "_zero_point",
                                           ".absmax", ".quant_map", ".nested_absmax", "_global_scale", ".input_scale"};

/// Masks of attention and frequencies of rotary embeddings, which older checkpoints store.
bool is_computed(const std::vector<std::string_view>& words) {
  const std::string_view last = words.back(), module = words.size() > 1 ? words[words.size() - 2] : std::string_view();
  return last == "inv_freq" || last == "masked_bias" || (last == "bias" && (module == "attn" || module == "attention"));
}

bool is_norm(std::string_view word) {
  return word.ends_with("norm") || word.ends_with("layernorm") || word.starts_with("ln_") || word.starts_with("norm") ||
         word.ends_with("_norm") || word.starts_with("layernorm");
}

}  // namespace

CheckpointName checkpoint_name(std::string_view name) {
  CheckpointName out;
  std::vector<std::string_view> words;
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    words.push_back(rest.substr(0, dot));
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  out.is_value = std::none_of(std::begin(companions), std::end(companions), [&](std::string_view end) { return name.ends_with(end); });
  const auto has = [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  if (std::any_of(words.begin(), words.end(), [](std::string_view word) { return word.starts_with("lora_"); }))
    return out.kind = CheckpointName::Kind::adapter, out;
  if (!words.empty() && is_computed(words)) return out.kind = CheckpointName::Kind::computed, out;
  if (std::any_of(std::begin(other_towers), std::end(other_towers), has)) return out.kind = CheckpointName::Kind::other_tower, out;
  if (has("mtp")) return out.kind = CheckpointName::Kind::predicting, out;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "layers" || words[i] == "h" || words[i] == "blocks") {
      const double layer = parse_number(words[i + 1]);
      if (layer >= 0 && layer < 1e6) out.layer = static_cast<int>(layer);
      break;
    }
  const bool of_experts = has("experts") || has("switch_mlp");
  if (std::any_of(words.begin(), words.end(), is_norm)) {
    out.parts = {norms};
  } else {
    for (const NamedParts& named : named_parts())
      if (has(named.word) && (named.within.empty() || has(named.within))) {
        out.parts = named.parts;
        break;
      }
    if (of_experts && (words.back() == "bias" || words.back().ends_with("_bias"))) out.parts = {norms};  // kept in their format
  }
  if (!out.parts.empty()) out.kind = CheckpointName::Kind::known;
  return out;
}

}  // namespace roofline
