// The checkpoints of other tools in "roofline-quantize/1".
#pragma once

#include <roofline/llm/quantized_checkpoints.hpp>

#include "base/json_out.hpp"

namespace roofline {

/// Writes the checkpoints as an array.
void write_checkpoints(JsonOut& out, const std::vector<QuantizedCheckpoint>& checkpoints);
/// The JSON Schema of that array.
[[nodiscard]] std::string checkpoints_schema();

}  // namespace roofline
