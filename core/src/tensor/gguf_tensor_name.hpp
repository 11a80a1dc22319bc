// Names of tensors as llama.cpp writes them.
#pragma once

#include <string_view>

namespace roofline {

/// "blk.12.attn_q.weight" in its parts.
struct GgufTensorName {
  int layer = -1;           ///< -1: of no layer
  std::string_view base;    ///< "attn_q"
  std::string_view ending;  ///< "weight"; empty: there is no dot
};

[[nodiscard]] GgufTensorName split_gguf_name(std::string_view name);

}  // namespace roofline
