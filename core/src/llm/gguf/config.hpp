// A GGUF file's metadata in the words of a Hugging Face config.json.
#pragma once

#include "llm/gguf/header.hpp"

namespace roofline {

/// `tensors`: of all files of a split model, whose first file has the metadata. Fails where it is no language model that can be modelled.
[[nodiscard]] Result<Json> gguf_config(const Json& metadata, const std::vector<GgufTensorInfo>& tensors);

/// The layers of the model itself: blocks after them predict further tokens (MTP) and belong to speculation.
[[nodiscard]] int gguf_layers(const Json& metadata);

}  // namespace roofline
