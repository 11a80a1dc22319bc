// What one row of a kernel table says, and what follows from it.
#pragma once

#include <array>
#include <optional>
#include <roofline/base/number.hpp>

#include "operators/matrix_product.hpp"
#include "read/table/columns/column_map.hpp"

namespace roofline {

/// A row's numbers by role, in SI; NaN: not known.
struct Cells {
  std::array<double, role_count> values;
  Cells() { values.fill(unknown); }
  [[nodiscard]] double operator[](ColumnRole role) const { return values[static_cast<std::size_t>(role)]; }
  [[nodiscard]] double& operator[](ColumnRole role) { return values[static_cast<std::size_t>(role)]; }
};

/// What a row stands for, once its cells have completed each other: of one occurrence.
struct Amounts {
  double flops, bytes, time, count;
  std::optional<Work> work = {};  ///< of a shape that gives operands
  bool rates_only = false;
  bool states_flops = false, states_bytes = false, states_time = false;  ///< not only by a rate, a bandwidth or an intensity
  [[nodiscard]] bool placed() const { return known(flops) || known(bytes); }
};

/// `is_product`: M, N and K are a matrix product's; `derived`: what follows from the arguments that the row lists; null: nothing does.
/// Here, because it is called for every row.
[[nodiscard]] inline Amounts amounts_of(const Cells& cell, const ColumnMap& map, bool is_product, bool is_convolution,
                                        const Work* derived) {
  Amounts a{cell[ColumnRole::flops], cell[ColumnRole::bytes], cell[ColumnRole::time], cell[ColumnRole::count]};
  const double rate = cell[ColumnRole::rate], bandwidth = cell[ColumnRole::bandwidth], intensity = cell[ColumnRole::intensity];
  if (!(a.count >= 1)) a.count = 1;
  if (const double sum = cell[ColumnRole::time_sum]; sum > 0) a.time = sum / a.count;
  if (!(a.time > 0)) a.time = unknown;
  if (!known(a.flops)) a.flops = 2 * cell[ColumnRole::macs];
  if (map.flops_total) a.flops /= a.count;
  if (map.bytes_total) a.bytes /= a.count;
  a.states_bytes = known(a.bytes);
  a.states_time = known(a.time);

  // What follows from the shape.
  const double batch = map.batched && cell[ColumnRole::batch] > 0 ? cell[ColumnRole::batch] : 1;
  if (is_product && cell[ColumnRole::m] > 0 && cell[ColumnRole::n] > 0 && cell[ColumnRole::k] > 0) {
    if (const ProductSizes sizes = products(cell[ColumnRole::m], cell[ColumnRole::n], cell[ColumnRole::k], batch); sizes.countable()) {
      a.work = sizes.work();
      if (!known(a.flops)) a.flops = a.work->matrix_flops;
    }
  } else if (is_convolution && !known(a.flops)) {
    // Symmetric in what the two kinds of channels are called.
    a.flops = 2 * batch * cell[ColumnRole::height] * cell[ColumnRole::width] * cell[ColumnRole::channels] * cell[ColumnRole::kernel_p] *
              cell[ColumnRole::kernel_q] * cell[ColumnRole::filters];
  }
  a.states_flops = known(a.flops);
  if (!known(a.flops)) a.flops = rate * a.time;
  if (!known(a.time) && rate > 0) a.time = a.flops / rate;
  if (!known(a.bytes)) a.bytes = bandwidth * a.time;
  if (!known(a.bytes) && !a.work && intensity > 0) a.bytes = a.flops / intensity;
  if (!known(a.flops)) a.flops = intensity * a.bytes;
  if (derived && !a.placed()) {
    a.work = *derived;
    a.flops = derived->matrix_flops + derived->vector_flops;
  }
  if (known(a.flops) || known(a.bytes) || known(a.time)) return a;

  if (known(rate)) {  // stand-ins of the right ratio
    a.flops = rate;
    a.time = 1;
    a.bytes = intensity > 0 ? rate / intensity : bandwidth;
  } else if (known(bandwidth)) {
    a.bytes = bandwidth;
    a.time = 1;
    a.flops = intensity * a.bytes;
  } else if (known(intensity)) {
    a.flops = intensity;
    a.bytes = 1;
  }
  a.rates_only = a.placed();
  return a;
}

}  // namespace roofline
