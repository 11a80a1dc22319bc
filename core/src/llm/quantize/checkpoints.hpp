// The checkpoints of other tools in "roofline-quantize/1".
#pragma once

#include <roofline/llm/quantized_checkpoints.hpp>

#include "base/json.hpp"

namespace roofline {

[[nodiscard]] Json checkpoints_json(const std::vector<QuantizedCheckpoint>& checkpoints);
/// The shape of what checkpoints_json() returns.
[[nodiscard]] std::string checkpoints_schema();

}  // namespace roofline
