// The tensors of GGUF files by llama.cpp's names, and the class of weights that each belongs to.
#pragma once

#include <roofline/llm/weight_formats.hpp>
#include <string_view>
#include <vector>

namespace roofline {

/// "blk.12.attn_q.weight".
struct GgufName {
  int layer = -1;          ///< -1: of no layer
  std::string_view base;   ///< "attn_q"
  bool is_weight = false;  ///< else a bias or a scale
  /// The classes whose elements it holds; several where a file fuses them (attn_qkv), the one whose quantisation rules apply first. Empty:
  /// a tensor of an operator that is not modelled.
  std::vector<WeightPart> parts;
  bool is_parameter = true;  ///< false: a scale of NVFP4, or a table that llama.cpp computes from the config, such as rope_freqs
};

/// `fused_gate`: ffn_up holds the gate, too (Phi 3, GLM-4). `linear_qkv`: attn_qkv is a gated delta net's.
[[nodiscard]] GgufName gguf_name(std::string_view name, bool fused_gate, bool linear_qkv = false);

}  // namespace roofline
