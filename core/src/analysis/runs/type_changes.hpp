// The time of all operations of each type, before and after.
#pragma once

#include <roofline/analysis/compare.hpp>

namespace roofline {

/// Fills `by_type` and `by_family` from `ops`.
void sum_by_type(const Plan& a, const Plan& b, Comparison& comparison);

}  // namespace roofline
