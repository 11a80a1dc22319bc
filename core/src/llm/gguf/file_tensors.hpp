// The tensors of a GGUF file in the document of its model, so that mixtures are of the file's own tensors.
#pragma once

#include <roofline/base/result.hpp>
#include <roofline/llm/gguf_tensor.hpp>
#include <vector>

#include "base/json.hpp"
#include "llm/gguf/header.hpp"

namespace roofline {

/// Of the catalogue; of a type of another program the nearest one.
[[nodiscard]] FormatId stored_format(const GgufTensorInfo& tensor);

/// [{"name": "attn_q.weight", "row": 4096, "elements": 16777216, "format": "q4_k", "layers": [[0, 31]]}, ...]: pairs of a first
/// and a last layer; without, of none.
/// "bits_per_weight": of a type of another program.
[[nodiscard]] Json file_tensors_json(const std::vector<GgufTensorInfo>& tensors);

/// The reverse. Empty: `json` is null.
[[nodiscard]] Result<std::vector<GgufTensor>> read_file_tensors(const Json& json);

}  // namespace roofline
