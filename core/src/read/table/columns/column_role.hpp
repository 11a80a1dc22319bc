// What a column of a kernel table may hold.
#pragma once

#include <cstdint>
#include <string_view>

namespace roofline {

enum class ColumnRole : std::uint8_t {
  none,
  name,
  type,
  format,         ///< of every operand without a column of its own
  weight_format,  ///< of the second operand
  output_format,
  m,
  n,
  k,
  batch,     ///< independent products: multiplies the work
  kernel_p,  ///< with batch, height, ... stride: a convolution as iree-kernel-benchmark writes it
  kernel_q,
  height,
  width,
  channels,
  filters,
  count,     ///< occurrences that the row stands for
  time,      ///< of one occurrence
  time_sum,  ///< of all of them
  flops,     ///< of one occurrence
  macs,
  rate,        ///< FLOP/s
  bytes,       ///< moved by one occurrence
  bandwidth,   ///< B/s
  intensity,   ///< FLOP/byte
  dims,        ///< the shapes of an operator's arguments, as profilers list them: "((768,), (788, 768), ())"
  dim_types,   ///< their types: "('c10::BFloat16', 'Scalar')"
  dim_values,  ///< those that are numbers or flags: "('', '[16, 16]', 'False')"
  success,     ///< "ok", "status", "disposition": whether the run may be trusted
  time_unit,   ///< "us", of the row's times whose headers name no unit
};
inline constexpr std::size_t role_count = static_cast<std::size_t>(ColumnRole::time_unit) + 1;
/// Its cells are numbers.
[[nodiscard]] constexpr bool is_quantity(ColumnRole role) { return role >= ColumnRole::m && role <= ColumnRole::intensity; }

/// For people: "time", "number format"; empty for none.
[[nodiscard]] std::string_view words_of(ColumnRole role);
/// "FLOP/s", of the values in SI; empty: they have none.
[[nodiscard]] std::string_view unit_of(ColumnRole role);

}  // namespace roofline
