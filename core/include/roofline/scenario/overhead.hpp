// What real kernels pay beyond the bound, as an explicit model that a user can turn. docs/reference/conventions.md, "Typical time", has the
// formula and where its figures come from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/number.hpp>
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
  std::optional<double> overlap;    ///< how much of the shorter of computing and moving hides behind the longer; else the stack's
  Tile tile;
  std::optional<FormatId> network;      ///< what activations arrive and leave in, if not in the operation's own formats
  std::optional<FormatId> accumulator;  ///< what sums of products are kept in, if not in INT32 of integers and FP32 of the others
  bool operator==(const Overhead&) const = default;
};

/// What a typical time is the sum of.
enum class TypicalTerm : std::uint8_t {
  compute,             ///< at the achievable fraction
  memory,              ///< at the achievable fraction: where the device memory is the slowest of memories and links
  link,                ///< where a link or another memory is
  overlap,             ///< what hides behind the longer of the two: negative
  waves,               ///< units that wait for the last tiles, the edges of tiles, misaligned rows: beyond `compute`
  dequantise,          ///< weights narrower than the activations
  elementwise,         ///< traffic of element-wise operators beyond the fused one
  scores,              ///< attention scores to and from memory
  chunks,              ///< weights read again by each pass of a prompt
  layers,              ///< time per layer and pass
  all_reduce_latency,  ///< latency of all-reduces
  launches,            ///< time per kernel
  conversion           ///< quantising and dequantising in kernels of their own
};
template <>
inline constexpr auto names_of<TypicalTerm> =
    std::to_array<const char*>({"compute", "memory", "link", "overlap", "waves", "widen", "elementwise", "scores", "chunks", "layers",
                                "hops", "launches", "conversion"});
inline constexpr std::size_t typical_term_count = names_of<TypicalTerm>.size();
using TypicalTerms = std::array<double, typical_term_count>;  ///< s, by TypicalTerm

/// The terms of one operation's typical time; s over all its occurrences. NaN: not known or does not apply.
struct Typical {
  double compute_s = unknown;        ///< computing at the achievable fraction, waves included
  double transfer_s = unknown;       ///< moving at the achievable fraction: the slowest memory channel or link
  double exposed_s = unknown;        ///< the part of the shorter of the two that does not hide behind the longer
  double launch_s = unknown;         ///< the operation's own kernel
  double conversion_s = unknown;     ///< quantising what arrives and dequantising what leaves, in kernels of their own, launches included
  double fused_time_s = unknown;     ///< the longer of the two, exposed part and launch: where conversions are fused into the neighbours
  double waves = unknown;            ///< rounds of one tile per unit
  double wave_efficiency = unknown;  ///< work over what those rounds could have done
  TypicalTerms terms{};              ///< what the whole is the sum of
  std::size_t cache = 0;             ///< the machine's memory that holds the whole working set; 0: none does
};

}  // namespace roofline
