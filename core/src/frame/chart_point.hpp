// The position of an operation's point on the chart.
#pragma once

#include "analysis/blocks.hpp"

namespace roofline {

struct ChartPoint {
  double intensity = unknown;  ///< FLOP/B; NaN: no bytes
  double attained = unknown;   ///< FLOP/s; B/s for an operation without FLOPs; NaN: no time
  bool no_flops = false;       ///< drawn in the strip beside the chart
};

/// `one`: a block that holds only `op`. Without a measured time, only the work of the bounding unit counts, so that the point is on its
/// roof.
[[nodiscard]] inline ChartPoint chart_point(const Plan& plan, const OpBlock& one, std::uint32_t op) {
  const double flops = one.flops[0], bytes = one.axis_bytes[0], predicted = one.predicted_s[0], measured = one.time_s[0];
  const bool timed = measured > 0, no_flops = flops == 0 && bytes > 0;
  const double time = timed ? measured : predicted, done = timed ? flops : plan.bounding_work(op).second;
  return {intensity_of(flops, bytes), achieved_rate(no_flops ? bytes : done, time), no_flops};
}

}  // namespace roofline
