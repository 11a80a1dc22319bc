// The frontier as a chart.
#pragma once

#include <roofline/serving/frontier.hpp>
#include <roofline/serving/measured_runs.hpp>
#include <string>
#include <vector>

namespace roofline::cli {

/// Tokens/s per user against output tokens/s per machine: the envelope of each machine with the error of the estimate as a band, pools of
/// prefill and decode dashed, and the points that others beat. Of `runs`, which are of the first machine in its number, a ring each.
[[nodiscard]] std::string frontier_svg(const Frontier& frontier, const FrontierRequest& request, const std::vector<ServingRun>& runs);

}  // namespace roofline::cli
