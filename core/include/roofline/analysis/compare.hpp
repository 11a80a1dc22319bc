// Two runs of the same thing, before (a) and after (b): what changed per operation, and in total. The machines may differ.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/op_set.hpp>
#include <string_view>
#include <vector>

namespace roofline {

inline constexpr std::uint32_t no_op = 0xffffffff;

/// One operation in either run or in both. NaN: not known, or only in one of them.
struct OpChange {
  std::uint32_t a = no_op, b = no_op;  ///< its indices; no_op: it vanished, or appeared
  double time_a_s = unknown, time_b_s = unknown;
  double time_ratio = unknown;         ///< after / before, below 1 is faster; of rows with rates alone: the rates' inverse ratio
  double time_saved_s = unknown;       ///< before - after; what vanished saves all its time, what appeared costs all of its
  double efficiency_change = unknown;  ///< after - before, as a fraction
};

/// Changes added up.
struct ChangeTotals {
  std::size_t matched = 0, appeared = 0, vanished = 0;
  double time_a_s = 0, time_b_s = 0;                  ///< of all operations of each run
  double matched_time_a_s = 0, matched_time_b_s = 0;  ///< of those in both runs, with both times
  double saved_s = 0, lost_s = 0;                     ///< of those that take less time, and of those that take more
};

struct Comparison {
  bool predicted = false;           ///< the times are bounds: one of the runs has no measured times
  std::vector<OpChange> ops;        ///< most time saved first; then what has no times, in order
  ChangeTotals totals;              ///< of `ops`
  std::optional<ChangeTotals> all;  ///< of everything, where a filter leaves some of it out
};

/// Matches by name, type and shape, equal ones in order; what is left by name and type. Operations without a name are matched by type and
/// shape. Filters leave what either side lets through, in both runs where it is in both: a filter by what changed, such as the status,
/// shows where it went.
[[nodiscard]] Comparison compare(const OpSet& a, const OpSet& b);

/// What changes can be sorted by; `efficiency` is its change.
enum class ChangeOrder : std::uint8_t { name, type, before, after, speedup, saved, efficiency, bound_by };
template <>
inline constexpr auto names_of<ChangeOrder> =
    std::to_array<const char*>({"name", "type", "before", "after", "speedup", "saved", "efficiency", "bound_by"});

/// In another order than by most time saved first. What is not known goes last.
void sort_changes(const Plan& a, const Plan& b, Comparison& comparison, ChangeOrder by, bool descending);

/// "1.8 times as fast: 40 ms instead of 72 ms. 35 ms saved, 3 ms lost. 214 operations in both runs." `predicted` as in Comparison.
[[nodiscard]] std::string headline(const ChangeTotals& totals, bool predicted);

}  // namespace roofline
