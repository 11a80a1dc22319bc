// Consecutive operations that can run stripe by stripe, and what their stripes need.
#pragma once

#include <vector>

#include "network/memory/row_window.hpp"

namespace roofline {

/// Nodes of the main graph, each of which is the only one to read what the node before it makes.
struct RowChain {
  std::vector<std::size_t> nodes;  ///< ascending
  std::vector<RowWindow> windows;  ///< of each
  std::vector<TensorId> tensors;   ///< the input of the first, then the output of each
  std::vector<double> rows;        ///< of each tensor
  std::size_t at = 0;              ///< the place of row_chain()'s node among them
};

/// The longest around node `at`, at most `most` nodes to either side; empty if that node cannot run by rows.
[[nodiscard]] RowChain row_chain(const SizedNetwork& network, std::size_t at, std::size_t most);

struct Stripes {
  std::size_t tiles = 0;
  double bytes = 0;       ///< the most that stripes take at once
  double recomputed = 0;  ///< share of the multiply-adds that are computed again, as neighbouring stripes need the same rows
};

/// Runs nodes `first` to `last` of the chain by stripes of `height` rows of the last one's output. The tensors between them are held in
/// stripes; with `streaming` also the first input and the last output.
[[nodiscard]] Stripes in_stripes(const SizedNetwork& network, const RowChain& chain, std::size_t first, std::size_t last, double height,
                                 bool streaming);

inline constexpr double most_stripes = 256;

/// Heights that cut `rows` into 2 to `most_stripes` stripes, the highest first, each once.
[[nodiscard]] std::vector<double> stripe_heights(double rows);

}  // namespace roofline
