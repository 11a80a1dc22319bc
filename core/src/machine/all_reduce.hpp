// The latency of an all-reduce over a machine's link.
#pragma once

#include <roofline/machine/stack.hpp>

namespace roofline {

/// Seconds. `link_rate`: B/s one way of the link, NaN: not known.
inline double all_reduce_latency_s(const StackTerms& terms, double link_rate) {
  const double fitted_on = terms.all_reduce_link.value_or(0);
  return terms.all_reduce_s.value_or(0) * (fitted_on > 0 && link_rate > fitted_on ? fitted_on / link_rate : 1);
}

}  // namespace roofline
