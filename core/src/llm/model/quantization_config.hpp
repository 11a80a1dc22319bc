// The formats of a checkpoint's weights by the quantization_config in its config.json.
#pragma once

#include <roofline/llm/model.hpp>

#include "base/json.hpp"

namespace roofline {

/// `config`: the whole config.json, of a multimodal model with its text_config. Sets model.published, and notes what is not understood, in
/// which case the weights count as 16 bits. Does nothing where there is no such configuration.
/// Sources: transformers, docs/source/en/quantization; vllm-project/compressed-tensors; NVIDIA/Model-Optimizer, hf_quant_config.json; MLX.
void read_quantization(const Json& config, Model& model);

}  // namespace roofline
