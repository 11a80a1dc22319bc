// A point on the chart beside the operations.
#pragma once

#include <string>

namespace roofline {

/// A point on the chart that is no operation: what was measured of a whole run.
struct Mark {
  std::string name;
  double intensity = 0;  ///< FLOP/B
  double flops = 0;      ///< FLOP/s, achieved
};

}  // namespace roofline
