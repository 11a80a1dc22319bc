#include "llm/model/unsupported_architectures.hpp"

#include <algorithm>

#include "llm/model/layer_kinds.hpp"

namespace roofline {
namespace {

/// Keys that only models with unsupported layers have: Bamba, RecurrentGemma, Zamba, Kimi Linear.
constexpr std::string_view unsupported_layer_keys[] = {"attn_layer_indices", "hybrid_override_pattern", "block_types",
                                                       "lru_width",          "layers_block_type",       "full_attn_idxs",
                                                       "conv_L_cache",       "linear_attn_config"};

/// As transformers and llama.cpp write them. Those of transformers that have a decoder, too, say is_encoder_decoder.
constexpr std::string_view encoders[] = {
    "albert",   "bert",        "camembert", "clip",         "deberta",          "deberta-v2",  "distilbert",
    "electra",  "esm",         "eurobert",  "jina-bert-v2", "longformer",       "modern-bert", "modernbert",
    "mpnet",    "neo-bert",    "neobert",   "nomic-bert",   "nomic-bert-moe",   "nomic_bert",  "roberta",
    "roformer", "squeezebert", "t5",        "t5encoder",    "wavtokenizer-dec", "xlm-roberta", "xlm-roberta-xl"};

bool marks_unsupported_layer(std::string_view key, const Json& value) {
  if (value.is_null()) return false;
  // MiniMax: 1 is attention, 0 linear attention. MiniMax-M2 has attention alone.
  if (key == "attn_type_list") return std::any_of(value.begin(), value.end(), [](const Json& type) { return type != 1; });
  if (key.starts_with("mamba_")) return key != "mamba_ssm_dtype";  // of Qwen3.5's gated delta nets
  return std::find(std::begin(unsupported_layer_keys), std::end(unsupported_layer_keys), key) != std::end(unsupported_layer_keys);
}

}  // namespace

bool is_encoder(std::string_view architecture) {
  return std::find(std::begin(encoders), std::end(encoders), architecture) != std::end(encoders);
}

Result<void> check_architecture(const Json& config) {
  const std::string type = text_of(member(config, "model_type"));
  if (is_encoder(type) || member(config, "is_encoder_decoder") == Json(true))
    return fail('"' + type + "\" is not a decoder-only model: expected a language model that generates text", "model_type");
  if (is_recurrent_family(type)) return {};
  for (const auto& [key, value] : config.items())
    if (marks_unsupported_layer(key, value)) return fail("the model has non-attention layers, which are not supported", key);
  const bool delta = !member(config, "linear_num_value_heads").is_null();
  for (const Json& layer : member(config, "layer_types")) {
    const std::string kind = text_of(layer);
    if (kind != "full_attention" && kind != "sliding_attention" && kind != "chunked_attention" && !(delta && kind == "linear_attention"))
      return fail("has layers of \"" + kind + "\": expected full_attention, sliding_attention or chunked_attention", "layer_types");
  }
  return {};
}

void reject_unknown_expert_keys(ConfigReader& in, const Json& config) {
  for (const auto& [key, value] : config.items())
    if (key.find("num_experts") != std::string::npos && !key.starts_with("num_experts_per") && (value.is_array() || number_of(value) > 1))
      in.fault(key, "unknown key for the number of experts: rename it to num_experts");
}

}  // namespace roofline
