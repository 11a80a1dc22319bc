// The formats of a checkpoint's weights by the quantization_config in its config.json.
#pragma once

#include <roofline/llm/model.hpp>

#include "base/json.hpp"

namespace roofline {

/// `config`: the whole config.json, of a multimodal model with its text_config. Sets model.published. Notes an unknown method, whose
/// weights count as 16 bits, the first group with an unknown weight format, and the first pattern that is not supported or matches no
/// module. Does nothing without such a configuration. Sources: transformers, docs/source/en/quantization; vllm-project/compressed-tensors;
/// NVIDIA/Model-Optimizer, hf_quant_config.json; MLX; ModelCloud/GPTQModel; intel/auto-round.
void read_quantization(const Json& config, Model& model);

}  // namespace roofline
