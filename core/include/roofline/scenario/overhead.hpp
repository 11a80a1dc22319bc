// What real kernels pay beyond the bound, as an explicit model that a user can turn. docs/conventions.md, "Typical time", has the formula
// and where its figures come from.
#pragma once

#include <limits>
#include <optional>
#include <roofline/machine/format.hpp>

namespace roofline {

/// Of a matrix product, the work of one unit at a time. No rows: waves are not looked at.
struct Tile {
  int rows = 0, columns = 0;
  bool operator==(const Tile&) const = default;
};

/// Figures that are not set stay the machine's own; what is neither set nor known costs nothing.
struct Overhead {
  std::optional<double> launch_s;   ///< to launch one kernel; 0: nothing
  std::optional<double> compute;    ///< fraction of the compute peaks that kernels reach
  std::optional<double> bandwidth;  ///< fraction of the device memory's bandwidth that kernels reach
  std::optional<double> units;      ///< matrix units that work side by side (SMs, CUs, cores)
  double overlap = 1;               ///< how much of the shorter of computing and moving hides behind the longer
  Tile tile;
  std::optional<FormatId> network;      ///< what activations arrive and leave in, if not in the operation's own formats
  std::optional<FormatId> accumulator;  ///< what sums of products are kept in, if not in INT32 of integers and FP32 of the others
  bool operator==(const Overhead&) const = default;
};

/// The terms of one operation's typical time; s over all its occurrences. NaN: not known or does not apply.
struct Typical {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double compute_s = unknown;        ///< computing at the achievable fraction, waves included
  double transfer_s = unknown;       ///< moving at the achievable fraction: the slowest memory channel or link
  double exposed_s = unknown;        ///< the part of the shorter of the two that does not hide behind the longer
  double launch_s = unknown;         ///< the operation's own kernel
  double conversion_s = unknown;     ///< quantising what arrives and dequantising what leaves, in kernels of their own, launches included
  double fused_time_s = unknown;     ///< the longer of the two, exposed part and launch: where conversions are fused into the neighbours
  double waves = unknown;            ///< rounds of one tile per unit
  double wave_efficiency = unknown;  ///< work over what those rounds could have done
  std::size_t cache = 0;             ///< the machine's memory that holds the whole working set; 0: none does
};

}  // namespace roofline
