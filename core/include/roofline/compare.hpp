// Two runs of the same thing, before (a) and after (b): what changed per operation, and in total. The machines may differ.
#pragma once

#include <cstdint>
#include <roofline/analysis.hpp>
#include <roofline/write.hpp>
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

struct Comparison {
  bool predicted = false;     ///< the times are bounds: one of the runs has no measured times
  std::vector<OpChange> ops;  ///< most time saved first; then what has no times, in order
  std::size_t matched = 0, appeared = 0, vanished = 0;
  double time_a_s = 0, time_b_s = 0;                  ///< of all operations
  double matched_time_a_s = 0, matched_time_b_s = 0;  ///< of those in both runs, with both times
};

/// Matches by name, type and shape, equal ones in order; what is left by name and type. Operations without a name are matched by type and
/// shape.
[[nodiscard]] Comparison compare(const Plan& a, const Plan& b);

void write_compare_json(const Plan& a, const Plan& b, const Comparison& comparison, const WriteOptions& options, const Sink& sink);
void write_compare_csv(const Plan& a, const Plan& b, const Comparison& comparison, const WriteOptions& options, const Sink& sink);
void write_compare_table(const Plan& a, const Plan& b, const Comparison& comparison, const WriteOptions& options, const Sink& sink);

/// "1.8 times as fast: 40 ms instead of 72 ms; 3 of 214 operations hold 71 % of what changed."
[[nodiscard]] std::string headline(const Comparison& comparison);

}  // namespace roofline
