// The frontier as a chart.
#pragma once

#include <roofline/serving/frontier.hpp>
#include <string>

namespace roofline::cli {

/// Tokens/s per user against output tokens/s per machine: the envelope of each machine with the error of the estimate as a band, pools of
/// prefill and decode dashed, and the points that others beat.
[[nodiscard]] std::string frontier_svg(const Frontier& frontier, const FrontierRequest& request);

}  // namespace roofline::cli
