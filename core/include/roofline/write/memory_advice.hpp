// Proposals that fit a network's activations on chip, as JSON.
#pragma once

#include <roofline/network/memory_advice.hpp>
#include <string>

namespace roofline {

/// {"memory", "capacity", "peak_bytes", "peak_at", "merged_peak_bytes", "merge", "tilings", "tiled_peak_bytes", "streaming",
/// "finding"}; a proposal is null if there is none.
[[nodiscard]] std::string memory_advice_json(const MemoryAdvice& advice);

}  // namespace roofline
