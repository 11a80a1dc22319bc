// The tensors of a model's GGUF file: its own if it is from one, else as llama.cpp's converter names and shapes them.
#pragma once

#include <roofline/llm/quantize.hpp>
#include <vector>

namespace roofline {

/// Without a format where a mixture chooses it.
[[nodiscard]] std::vector<GgufTensor> gguf_tensors(const Model& model);

/// Whether queries, keys and values are one tensor.
[[nodiscard]] bool fused_qkv(const Model& model);
/// Whether the gate is in ffn_up.
[[nodiscard]] bool fused_gate(const Model& model);

}  // namespace roofline
