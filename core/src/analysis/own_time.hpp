// The time that views of where the time goes add up.
#pragma once

#include "analysis/blocks.hpp"

namespace roofline {

/// Self time, else measured, else predicted, in s.
[[nodiscard]] inline double own_time(const OpBlock& ops, std::size_t j) {
  if (ops.self_time_s[j] >= 0) return ops.self_time_s[j];
  return ops.time_s[j] > 0 ? ops.time_s[j] : ops.predicted_s[j];
}

}  // namespace roofline
