// What would bring a network's activations on chip, as JSON.
#pragma once

#include <roofline/network/memory_advice.hpp>
#include <string>

namespace roofline {

/// {"memory", "capacity", "peak_bytes", "peak_at", "merged_peak_bytes", "merge", "tilings", "tiled_peak_bytes", "streaming",
/// "finding"}; null for a proposal that there is none of.
[[nodiscard]] std::string memory_advice_json(const MemoryAdvice& advice);

}  // namespace roofline
