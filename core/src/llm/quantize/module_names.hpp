// The modules of Hugging Face's implementations that GGUF tensors come from.
#pragma once

#include <roofline/llm/model.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// "blk.3.ffn_down.weight" -> "model.layers.3.mlp.down_proj", `*` is any name; empty: of no linear module.
[[nodiscard]] std::string module_of(std::string_view tensor, const Model& model);

/// A key that tensors share which servers fuse into one product, so that all must be in one format: "3 qkv". Of others the name.
[[nodiscard]] std::string fused_with(std::string_view tensor, const Model& model);

}  // namespace roofline
