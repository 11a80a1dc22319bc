// Two runs of the same thing, before (a) and after (b): what changed per operation, and in total. The machines may differ.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/op_set.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

inline constexpr std::uint32_t no_op = 0xffffffff;

/// A change of time is one beyond this share of the time before, or beyond the spread of repeated runs where the source states it and it is
/// wider. What is within it is no change, but noise.
inline constexpr double least_change = 0.02;

/// Unknown: without both times.
enum class Verdict : std::uint8_t { unknown, unchanged, faster, slower };
template <>
inline constexpr auto names_of<Verdict> = std::to_array<const char*>({"unknown", "unchanged", "faster", "slower"});

/// One operation in either run or in both. NaN: not known, or only in one of them.
struct OpChange {
  std::uint32_t a = no_op, b = no_op;  ///< its indices; no_op: it vanished, or appeared
  bool renamed = false;                ///< matched by type and shape: the names differ
  bool same_name = false;              ///< as another operation of the run: only sizes tell them apart
  bool reformatted = false;            ///< it has a bound in both runs, and computes in another format
  Verdict verdict = Verdict::unknown;
  bool above_roof = false;  ///< its measured time after is shorter than its bound
  double time_a_s = unknown, time_b_s = unknown;
  double time_ratio = unknown;         ///< after / before, below 1 is faster; of rows with rates alone: the rates' inverse ratio
  double time_saved_s = unknown;       ///< before - after; what vanished saves all its time, what appeared costs all of its
  double efficiency_change = unknown;  ///< after - before, as a fraction

  [[nodiscard]] bool appeared() const { return a == no_op; }
  [[nodiscard]] bool vanished() const { return b == no_op; }
  [[nodiscard]] bool in_both() const { return !appeared() && !vanished(); }
  /// In JSON and CSV.
  [[nodiscard]] const char* change_word() const { return appeared() ? "appeared" : vanished() ? "vanished" : "matched"; }
  /// Its index in the later run; in the earlier one if it vanished.
  [[nodiscard]] std::uint32_t op() const { return vanished() ? a : b; }
  /// The one of the run that op() counts in.
  template <class T>
  [[nodiscard]] const T& pick(const T& before, const T& after) const {
    return vanished() ? before : after;
  }
  /// As fast as before, in the same format.
  [[nodiscard]] bool unchanged() const { return verdict == Verdict::unchanged && !reformatted; }
};

/// All operations of one type in both runs. NaN: not known, or the run has no such operations.
struct TypeChange {
  std::string type;                ///< the common part of `types`, "Conv" of "Conv" and "QLinearConv", or the family
  std::vector<std::string> types;  ///< as the runs write them
  std::size_t ops_a = 0, ops_b = 0;
  double time_a_s = unknown, time_b_s = unknown;  ///< of those with a time
  double time_ratio = unknown;                    ///< after / before
  double time_saved_s = unknown;                  ///< before - after; a run without such operations spends no time on them
};

/// The operations whose names begin with the same part up to the first '.' or '/': "layer3" of "layer3.0.conv1".
struct ModuleChange {
  std::string name;
  std::size_t ops = 0;
  double time_a_s = 0, time_b_s = 0;
  [[nodiscard]] double saved_s() const { return time_a_s - time_b_s; }
};

/// Changes added up.
struct ChangeTotals {
  std::size_t matched = 0, appeared = 0, vanished = 0;
  std::size_t appeared_untimed = 0, vanished_untimed = 0;  ///< of those, without a time
  std::size_t renamed = 0;                                 ///< of the matched ones
  OpChange last_renamed;                                   ///< of `renamed`
  std::size_t faster = 0, slower = 0, unchanged = 0;       ///< likewise; the rest lacks a time
  double time_a_s = 0, time_b_s = 0;                       ///< of all operations of each run
  double matched_time_a_s = 0, matched_time_b_s = 0;       ///< of those in both runs, with both times
  double unchanged_time_s = 0;                             ///< after
  std::size_t above_roof = 0;                              ///< OpChange::above_roof
  std::size_t reformatted = 0;                             ///< of the unchanged ones, those that compute in another format
  double reformatted_time_s = 0;                           ///< theirs, after
  double faster_saved_s = 0, slower_lost_s = 0;            ///< the time that the faster ones save, and the slower ones lose
  OpChange largest;                                        ///< of time, in either direction; its time unknown: none has one
  OpChange largest_slowdown;                               ///< of `slower`
  ModuleChange module;                                     ///< that changed most; without a name: no two operations are of one
  std::vector<TypeChange> types;                           ///< the one or two that changed most; empty: not summed

  /// Whether enough is in both runs to speak of a speed-up: at least half of the time of each, as far as times are known.
  [[nodiscard]] bool comparable() const { return 2 * matched_time_a_s >= time_a_s && 2 * matched_time_b_s >= time_b_s; }
};

struct Comparison {
  bool predicted = false;           ///< the times are bounds: one of the runs has no measured times
  std::vector<OpChange> ops;        ///< largest change of time first, in either direction; then what has no times, in order
  ChangeTotals totals;              ///< of `ops`
  std::optional<ChangeTotals> all;  ///< of everything, where a filter leaves some of it out
  std::vector<TypeChange> by_type;  ///< of `ops`, largest change of time first
  bool by_family = false;           ///< `by_type` has a row per OpFamily: little of the time is in common types
};

/// Matches by name, type and shape, equal ones in order; then the same whatever the formats; then by name without its numbers, type and
/// shape, if the runs number such names differently; then by name and type; then by type and work, or type and shape. Names and types are
/// those of original_node() and original_type(). Operations without a name are matched by type and shape. Filters leave what either side
/// lets through, in both runs where it is in both: a filter by what changed, such as the status, shows where it went.
[[nodiscard]] Comparison compare(const OpSet& a, const OpSet& b);

/// What changes can be sorted by: `saved` is signed, `change` its size, `efficiency` is the change of it.
enum class ChangeOrder : std::uint8_t { name, type, before, after, speedup, saved, efficiency, limited_by, change };
template <>
inline constexpr auto names_of<ChangeOrder> =
    std::to_array<const char*>({"name", "type", "before", "after", "speedup", "saved", "efficiency", "limited_by", "change"});

/// The name of a change for sentences and tables: "k_proj → fused_1" if `renamed`; else that in the last run that has the operation, with
/// the sizes of its product if `same_name`.
[[nodiscard]] std::string name_of_change(const Workload& a, const Workload& b, const OpChange& change);

/// In another order than by the largest change first; unknown values go last. Types keep their order if it is by efficiency or limit.
void sort_changes(const Plan& a, const Plan& b, Comparison& comparison, ChangeOrder by, bool descending);

/// "0.7 ms saved (5%). conv1 alone saved 0.5 ms; 7 faster (1.1 ms saved), 9 slower (0.4 ms lost), 78 unchanged. 12 matched by type and
/// shape: their names differ." Where less than half of either run matches the other, it says that instead. `predicted` as in Comparison.
[[nodiscard]] Finding changes_finding(const Plan& a, const Plan& b, const ChangeTotals& totals, bool predicted);
/// changes_finding(), then the names of both machines if they differ.
[[nodiscard]] Finding compare_finding(const Plan& a, const Plan& b, const ChangeTotals& totals, bool predicted);

}  // namespace roofline
