// The operating points that meet the limits, and those that no other beats.
#pragma once

#include <roofline/base/number.hpp>
#include <roofline/serving/frontier.hpp>
#include <vector>

namespace roofline {

/// Whether a time meets a limit. If there is none (NaN), every time does; an unknown time meets no limit.
[[nodiscard]] inline bool meets_limit(double time_s, double most_s) { return !known(most_s) || time_s <= most_s; }

/// Whether `p` is as good as `than` in every figure but the time per token, and better in one. A figure that is not known is worse than any
/// that is; one that neither has, such as a price, is not compared.
[[nodiscard]] bool beats(const FrontierPoint& p, const FrontierPoint& than);

/// Marks the points that no other beats in tokens/s per user and per machine, among those that meet the limits.
void mark_pareto(std::vector<FrontierPoint>& points);

}  // namespace roofline
