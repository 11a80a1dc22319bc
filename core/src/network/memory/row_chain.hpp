// Consecutive operations that can run stripe by stripe, and what their stripes need.
#pragma once

#include <vector>

#include "network/memory/row_window.hpp"

namespace roofline {

/// Nodes of the main graph, each of which is the only one to read what the node before it makes.
struct RowChain {
  std::vector<std::size_t> nodes;  ///< ascending
  std::vector<RowWindow> windows;  ///< of each
  std::vector<TensorId> tensors;   ///< what the first of them reads, then what each makes
  std::vector<double> rows;        ///< of each tensor
  std::size_t at = 0;              ///< among them, the node that it was made for
};

/// The longest around node `at`, at most `most` nodes to either side; empty if that node cannot run by rows.
[[nodiscard]] RowChain row_chain(const SizedNetwork& network, std::size_t at, std::size_t most);

struct Stripes {
  std::size_t tiles = 0;
  double bytes = 0;       ///< the most that stripes take at once
  double recomputed = 0;  ///< share of the multiply-adds that are computed again, as neighbouring stripes need the same rows
};

/// Nodes `first` to `last` of the chain, `height` rows of the last one's output at a time. Stripes are of the tensors between; with
/// `streaming` of what goes in and comes out, too.
[[nodiscard]] Stripes in_stripes(const SizedNetwork& network, const RowChain& chain, std::size_t first, std::size_t last, double height,
                                 bool streaming);

/// Heights that cut `rows` into two stripes or more, the highest first, one for each number of stripes.
[[nodiscard]] std::vector<double> stripe_heights(double rows);

}  // namespace roofline
