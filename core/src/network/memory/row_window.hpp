// Which rows of its input an operation needs for some rows of its output: what cutting activations into stripes depends on.
#pragma once

#include <optional>

#include "network/sized.hpp"

namespace roofline {

/// Rows from `begin` to before `end`.
struct RowRange {
  double begin = 0, end = 0;
  [[nodiscard]] double rows() const { return end > begin ? end - begin : 0; }  ///< 0: all of them are padding
};

/// Of images a row is a line of pixels of all channels; of products it is a token.
struct RowWindow {
  double in_rows = unknown, out_rows = unknown;  ///< NaN: as many as its neighbours have, each made from the same row of the input
  double reach = 1, stride = 1, before = 0;      ///< rows that one output row needs, from one to the next, and of padding above
  double macs = 0;                               ///< of all rows

  /// The rows of the input that some of the output need.
  [[nodiscard]] RowRange needed(const RowRange& out) const;
};

/// Of a node that makes its first output from the tensor `from` row by row, all else that it reads being there in full. nullopt: it needs
/// all of `from` for each row, as reductions and transposes do, or how it does is not known.
[[nodiscard]] std::optional<RowWindow> row_window(const SizedNetwork& network, const SizedNode& node, TensorId from);

}  // namespace roofline
