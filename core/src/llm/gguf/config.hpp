// Converts GGUF metadata to the keys of a Hugging Face config.json.
#pragma once

#include "llm/gguf/header.hpp"

namespace roofline {

/// The config.json of the model. `tensors`: of all files of a split model, whose first file has the metadata. Fails where it is no language
/// model that can be modelled.
[[nodiscard]] Result<Json> gguf_config(const Json& metadata, const std::vector<GgufTensorInfo>& tensors);

/// The number of layers without MTP blocks, which predict further tokens and follow the layers; 0: not stated.
[[nodiscard]] int gguf_layers(const Json& metadata);

/// The keys of sizes that differ from layer to layer, as "attention.head_count, feed_forward_length": the config has their means.
[[nodiscard]] std::string gguf_differing_sizes(const Json& metadata);

}  // namespace roofline
