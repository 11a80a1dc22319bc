// Ratios of one operation, shared by table rows, sorting and chart points. NaN: an input is unknown or the divisor is not positive.
#pragma once

#include <roofline/base/number.hpp>

namespace roofline {

[[nodiscard]] inline double ratio(double of, double per) { return per > 0 ? of / per : unknown; }
/// FLOP/B.
[[nodiscard]] inline double intensity_of(double flops, double bytes) { return ratio(flops, bytes); }
/// FLOP/s or B/s.
[[nodiscard]] inline double achieved_rate(double work, double time_s) { return ratio(work, time_s); }
/// Of its roof; above 1: faster than the bound.
[[nodiscard]] inline double efficiency_of(double bound_s, double time_s) { return ratio(bound_s, time_s); }
/// Of one resource, by the least time that its part of the work needs.
[[nodiscard]] inline double utilization_of(double least_s, double time_s) { return ratio(least_s, time_s); }

}  // namespace roofline
