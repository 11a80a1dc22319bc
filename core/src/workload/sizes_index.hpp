// The column of sizes: equal sizes are stored once, because few of a run's operations differ in them.
#pragma once

#include <roofline/workload/workload.hpp>

#include "base/interner.hpp"

namespace roofline {

/// Finds the place of sizes in Workload::distinct_sizes. Of one workload.
class SizesIndex {
 public:
  /// Appends the sizes of the row number `row`, the last one.
  void append(Workload& to, std::size_t row, const OpSizes& sizes);

 private:
  HashIndex index_;
  std::uint32_t last_ = 0;
};

}  // namespace roofline
