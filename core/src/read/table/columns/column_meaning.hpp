// What a column of a kernel table means, by its header: the words that tools and scripts use for the same few quantities, and the units
// they write behind them.
#pragma once

#include <cstdint>
#include <string_view>

#include "read/table/columns/column_role.hpp"

namespace roofline {

/// Of the bytes moved, what a column counts.
enum class BytePart : std::uint8_t { all, read, write, input, weight, output, activation };

struct ColumnMeaning {
  ColumnRole role = ColumnRole::none;
  double scale = 0;  ///< to SI; 0: the header names no unit
  int rank = 0;      ///< among columns of the same role the smallest is used: a mean before a median before a minimum
  BytePart part = BytePart::all;
  bool measured = false;     ///< bytes: of a hardware counter
  bool maybe_size = false;   ///< bytes: "memory (MB)", "size (MB)" may be what is allocated
  bool total = false;        ///< FLOPs, MACs, bytes: the header says "total"
  bool achieved = false;     ///< rate, bandwidth: the header says that it was measured, so it goes before one of the same rank
  bool maybe_rate = false;   ///< flops with a prefix, "GFLOPS": a rate, unless another column has it per second
  bool prefixed = false;     ///< bytes, bandwidth: "MB" may be 10^6 or 2^20
  bool by_tool = false;      ///< the unit is not in the header: the tool that writes such columns has this one
  bool unit_in_row = false;  ///< time: in the unit that the row's "time_unit" names; `scale` is 1
  bool label = false;        ///< batch: often only a label, so another column must confirm that it multiplies the work
  bool cycles = false;       ///< time: in cycles of a clock; `scale` is 0 unless the header states it
};

/// The meaning of a header such as "Kernel Time (µs)_mean", "tflops", "param: M" or "arithmeticIntensity".
[[nodiscard]] ColumnMeaning meaning_of(std::string_view header);

/// A header of shares, deviations, differences or identifiers: "speedup", "time_diff_us", "std".
[[nodiscard]] bool is_no_amount(std::string_view header);

/// A header that names a factor of the work which no role holds: "experts", "num_heads", "top_k".
[[nodiscard]] bool suggests_work(std::string_view header);

/// What a column says of repeated runs.
enum class Spread : std::uint8_t { none, deviation, shortest, longest };
struct SpreadMeaning {
  Spread spread = Spread::none;
  double to_s = 0;
};
/// "time_std_us", "StdDev (ns)", "min_ms"; none where the header names no unit of time.
[[nodiscard]] SpreadMeaning spread_of(std::string_view header);

}  // namespace roofline
