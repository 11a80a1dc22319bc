// Names of tensors as llama.cpp writes them.
#pragma once

#include <string_view>

namespace roofline {

inline constexpr double most_gguf_layers = 1e5;  ///< a name with a higher number is of no layer

/// "blk.12.attn_q.weight" in its parts.
struct GgufTensorName {
  int layer = -1;           ///< -1: of no layer
  std::string_view base;    ///< "attn_q"
  std::string_view ending;  ///< "weight"; empty: there is no dot
};

[[nodiscard]] GgufTensorName split_gguf_name(std::string_view name);

}  // namespace roofline
