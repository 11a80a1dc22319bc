// The column of sizes: equal sizes are stored once, because few of a run's operations differ in them.
#pragma once

#include <roofline/workload/workload.hpp>

#include "base/interner.hpp"

namespace roofline {

/// Finds the place of sizes in Workload::distinct_sizes. Of one workload.
class SizesIndex {
 public:
  /// Appends the sizes of the row number `row`, the last one.
  void append(Workload& to, std::size_t row, const OpSizes& sizes) {
    if (sizes.known()) return append_known(to, row, sizes);
    if (!to.sizes.empty()) to.sizes.push_back(0);
  }

 private:
  void append_known(Workload& to, std::size_t row, const OpSizes& sizes) {
    if (to.sizes.empty()) {
      to.sizes.reserve(to.op_class.capacity());
      to.sizes.resize(row);
      to.distinct_sizes.emplace_back();
    }
    const auto same = [&](std::uint32_t i) { return std::memcmp(&to.distinct_sizes[i], &sizes, sizeof sizes) == 0; };  // NaN equals NaN
    if (!same(last_)) {
      const std::uint64_t hash = hash_text({reinterpret_cast<const char*>(&sizes), sizeof sizes});
      last_ = index_.find(hash, same);
      if (last_ == HashIndex::none) {
        last_ = static_cast<std::uint32_t>(to.distinct_sizes.size());
        to.distinct_sizes.push_back(sizes);
        index_.insert(hash, last_);
      }
    }
    to.sizes.push_back(last_);
  }

  HashIndex index_;
  std::uint32_t last_ = 0;
};

}  // namespace roofline
