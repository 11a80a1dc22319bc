// The input rows that some output rows of an operation need: for running operations by stripes.
#pragma once

#include <optional>

#include "network/sized.hpp"

namespace roofline {

/// Rows from `begin` to before `end`.
struct RowRange {
  double begin = 0, end = 0;
  [[nodiscard]] double rows() const { return end > begin ? end - begin : 0; }  ///< 0: all of them are padding
};

/// A row is a line of pixels in all channels (images) or a token (matrix products).
struct RowWindow {
  double in_rows = unknown, out_rows = unknown;  ///< NaN: as many as the neighbours have; an output row needs the same input row
  double reach = 1, stride = 1, before = 0;      ///< rows: that one output row needs, from one output row to the next, of padding above
  double macs = 0;                               ///< of all rows

  /// The rows of the input that some of the output need.
  [[nodiscard]] RowRange needed(const RowRange& out) const;
};

/// The window of a node that makes its first output from `from` row by row, with its other inputs held in full. nullopt: each row needs
/// all of `from`, as in reductions and transposes, or the operation's rule is not known.
[[nodiscard]] std::optional<RowWindow> row_window(const SizedNetwork& network, const SizedNode& node, TensorId from);

}  // namespace roofline
