// The checkpoints of other tools in "roofline-quantize/1".
#pragma once

#include <roofline/llm/quantized_checkpoints.hpp>

#include "base/json_out.hpp"

namespace roofline {

/// A list of them.
void write_checkpoints(JsonOut& out, const std::vector<QuantizedCheckpoint>& checkpoints);
/// Its JSON Schema.
[[nodiscard]] std::string checkpoints_schema();

}  // namespace roofline
