// The time and the limit of an operation, as views of time add them up.
#pragma once

#include "analysis/blocks.hpp"

namespace roofline {

/// Self time, else measured, else predicted, in s.
[[nodiscard]] inline double own_time(const OpBlock& ops, std::size_t j) {
  if (ops.self_time_s[j] >= 0) return ops.self_time_s[j];
  return ops.time_s[j] > 0 ? ops.time_s[j] : ops.predicted_s[j];
}

/// The index of the resource that limits an operation; plan.resources().size() where neither compute nor memory does, no_resource where
/// that is not known.
[[nodiscard]] inline std::size_t limit_index(const Plan& plan, const OpBlock& ops, std::size_t j) {
  const Limit limit = plan.limit(ops.bound[j], ops.flops[j], ops.bytes[j], ops.predicted_s[j] / ops.time_s[j]);
  return limit == Limit::unknown ? no_resource : limit == Limit::neither ? plan.resources().size() : static_cast<std::size_t>(ops.bound[j]);
}

}  // namespace roofline
