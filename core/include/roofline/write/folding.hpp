// A network with its element-wise operations merged into what feeds them, and without, side by side.
#pragma once

#include <roofline/analysis/op_set.hpp>
#include <string>

namespace roofline {

/// {"with": {ops, flops, bytes, predicted_time_s, typical_time_s}, "without": {...}}.
[[nodiscard]] std::string folding_json(const Summary& with, const Summary& without);

}  // namespace roofline
