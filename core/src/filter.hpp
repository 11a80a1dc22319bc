// Whether a view's filter lets an operation through: for every fold that shows what the table shows.
#pragma once

#include <roofline/frame.hpp>

#include "fold.hpp"

namespace roofline {

class LetsThrough {
 public:
  LetsThrough(const Workload& w, const Filter& filter)
      : filter_(filter),
        kind_(w.kind.data()),
        kinds_(filter.kinds.empty() ? nullptr : filter.kinds.data()),
        ops_(filter.ops.empty() ? nullptr : filter.ops.data()) {}
  /// Element j of a block. Without branches on values: in random order each would be mispredicted.
  [[nodiscard]] bool operator()(const OpBlock& block, std::size_t j) const {
    const std::uint32_t op = block.index[j];
    const bool kind = kinds_ == nullptr || kinds_[kind_[op]] != 0, own = ops_ == nullptr || ops_[op] != 0;
    return static_cast<bool>(static_cast<int>(filter_.keeps(block.status[j], block.bound[j])) & static_cast<int>(kind) &
                             static_cast<int>(own));
  }

 private:
  const Filter& filter_;
  const std::uint32_t* kind_;
  const std::uint8_t *kinds_, *ops_;
};

}  // namespace roofline
