// NumPy's broadcasting: shapes are aligned at their last dimension, and a length of 1, or none, stretches.
#pragma once

#include <algorithm>
#include <optional>

#include "operators/derivation.hpp"

namespace roofline {

/// The elements of the broadcast of `count` shapes, `at(i)` being the i-th; nullopt where they do not broadcast.
template <class At>
[[nodiscard]] std::optional<double> broadcast_elements(std::size_t count, const At& at) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < count; ++i) rank = std::max(rank, at(i).size());
  double elements = 1;
  for (std::size_t back = 1; back <= rank; ++back) {
    double length = 1;
    for (std::size_t i = 0; i < count; ++i) {
      const Shape shape = at(i);
      const double own = back <= shape.size() ? shape[shape.size() - back] : 1;
      if (own == 1 || own == length) continue;
      if (length != 1) return std::nullopt;
      length = own;
    }
    elements *= length;
  }
  return elements;
}

}  // namespace roofline
