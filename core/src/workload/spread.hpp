// How far repeated runs of an operation lie apart, where its source states that: a measure of this name, in seconds.
#pragma once

#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>
#include <roofline/workload/workload.hpp>

namespace roofline {

/// Of one occurrence: the standard deviation, else half of what lies between the shortest and the longest.
inline constexpr const char* time_spread = "Time spread";

/// Of the time of all occurrences together, each of which varies on its own; 0: not stated.
inline double time_spread_s(const Workload& workload, std::size_t op) {
  const auto stated =
      std::find_if(workload.measures.begin(), workload.measures.end(), [](const Measure& m) { return m.name == time_spread; });
  if (stated == workload.measures.end() || op >= stated->values.size()) return 0;
  return known_or(stated->values[op] * std::sqrt(workload.count_of(op)), 0);
}

}  // namespace roofline
