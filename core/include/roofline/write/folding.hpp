// The totals of a network with operations merged by a tool chain, and without.
#pragma once

#include <roofline/analysis/op_set.hpp>
#include <roofline/machine/tool_chain.hpp>
#include <string>

namespace roofline {

/// {"tool_chain", "title", "sources", "with": {ops, flops, bytes, predicted_time_s, typical_time_s}, "without": {...}}.
[[nodiscard]] std::string folding_json(ToolChain tool_chain, const Summary& with, const Summary& without);

}  // namespace roofline
