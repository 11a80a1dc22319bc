// What a column of a kernel table means, by its header: the words that tools and scripts use for the same few quantities, and the units
// they write behind them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
};
inline constexpr std::size_t role_count = static_cast<std::size_t>(ColumnRole::success) + 1;
/// Its cells are numbers.
[[nodiscard]] constexpr bool is_quantity(ColumnRole role) { return role >= ColumnRole::m && role <= ColumnRole::intensity; }

/// For people: "time", "number format"; empty for none.
[[nodiscard]] std::string_view words_of(ColumnRole role);
/// "FLOP/s", of the values in SI; empty: they have none.
[[nodiscard]] std::string_view unit_of(ColumnRole role);

struct ColumnMeaning {
  ColumnRole role = ColumnRole::none;
  double scale = 0;         ///< to SI; 0: the header names no unit
  int rank = 0;             ///< among columns of the same role the smallest is used: a mean before a median before a minimum
  bool measured = false;    ///< bytes: of a hardware counter
  bool maybe_rate = false;  ///< flops with a prefix, "GFLOPS": a rate, unless another column has it per second
  bool prefixed = false;    ///< bytes, bandwidth: "MB" may be 10^6 or 2^20
  bool by_tool = false;     ///< the unit is not in the header: the tool that writes such columns has this one
  bool label = false;       ///< batch: often only a label, so another column must confirm that it multiplies the work
  bool cycles = false;      ///< time: in cycles of a clock; `scale` is 0 unless the header states it
};

/// "Kernel Time (µs)_mean" -> kernel time us mean; "arithmeticIntensity" -> arithmetic intensity; "GB/s" -> gb per s; "%" is a word.
[[nodiscard]] std::vector<std::string> header_words(std::string_view header);

/// Whether `word` is among the words of `list`, which blanks separate.
[[nodiscard]] bool one_of(std::string_view word, std::string_view list);

/// The unit of time that `word` names, in seconds; 0 where it names none.
[[nodiscard]] double time_unit(std::string_view word);

/// A column with this word (lower case) states what somebody expected, not what was measured: "predicted", "theoretical".
[[nodiscard]] bool is_prediction(std::string_view word);

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
/// A header without the words for a statistic: the same for "Kernel Time (µs)_mean" and "Kernel Time (µs)_std".
[[nodiscard]] std::string without_statistic(std::string_view header);

}  // namespace roofline
