// Caches and memory as steps of bandwidth over the working set.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace roofline::measure {

/// Bandwidth of a working set. Bytes of one core, B/s of all.
struct SetRate {
  double bytes, rate;
};

/// A level of the memory hierarchy: the working sets [first, last] of a curve, and their median bandwidth, B/s.
struct Level {
  std::string name;  ///< "L1", "L2", ..., and "DRAM" for the last
  std::size_t first, last;
  double rate;
};

/// The levels of a curve in order of its working sets, at most four, innermost first: the fewest steps that follow the curve (least
/// absolute deviation of the logarithms, at a price per step). Steps of less than a quarter are ignored. Empty
/// without points.
[[nodiscard]] std::vector<Level> find_levels(const std::vector<SetRate>& curve);

}  // namespace roofline::measure
