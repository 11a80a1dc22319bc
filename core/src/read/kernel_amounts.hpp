// What one row of a kernel table says, and what follows from it.
#pragma once

#include <array>
#include <roofline/base/number.hpp>
#include <roofline/operators/operator.hpp>

#include "read/columns.hpp"

namespace roofline {

/// A row's numbers by role, in SI; NaN: not known.
struct Cells {
  std::array<double, role_count> values;
  Cells() { values.fill(unknown); }
  [[nodiscard]] double operator[](Role role) const { return values[static_cast<std::size_t>(role)]; }
};

/// What a row stands for, once its cells have completed each other.
struct Amounts {
  double flops, bytes, time, count;
  Work work;           ///< of a shape that gives operands
  bool roles = false;  ///< there are such
  bool rates_only = false;
  [[nodiscard]] bool placed() const { return known(flops) || known(bytes); }
};

/// `is_product`: M, N and K are a matrix product's; `is_convolution`: the table has a convolution's columns.
[[nodiscard]] Amounts amounts_of(const Cells& cell, bool is_product, bool is_convolution);

}  // namespace roofline
