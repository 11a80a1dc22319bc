// Which operation of one run is which of another.
#pragma once

#include <roofline/analysis/compare.hpp>
#include <vector>

namespace roofline {

/// Per operation of the run before, the one after; no_op: none.
struct Matches {
  std::vector<std::uint32_t> of_a, of_b;
  std::vector<std::uint8_t> renamed;  ///< of a: matched by type and shape, under another name
};

/// Whether row i is an operation: totals over other rows of a profile are not. An empty mask: every row is.
[[nodiscard]] inline bool is_operation(const RowMask& operations, std::size_t i) { return operations.empty() || operations[i] != 0; }

/// By the rules of compare(). `in_a`, `in_b`: the rows that are operations; empty: all.
[[nodiscard]] Matches match(const Workload& a, const RowMask& in_a, const Workload& b, const RowMask& in_b);

}  // namespace roofline
