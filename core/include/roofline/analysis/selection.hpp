// Choosing operations by words, as the command's options and the page's filters do.
#pragma once

#include <optional>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

enum class Level : std::uint8_t { operations, program, both };
template <>
inline constexpr auto names_of<Level> = std::to_array<const char*>({"operations", "program", "both"});

using Words = std::vector<std::string>;

/// Words to keep by the name of a workload's category: rows with any of them, in every category named.
using Where = std::vector<std::pair<std::string, Words>>;

/// Within a list any of the words will do; an empty list lets everything through.
struct OpFilter {
  Level level = Level::both;  ///< of a profile: operations, the program and its steps, or all of its rows
  bool infeed = true;         ///< with the time of infeed and outfeed, where a profile has both
  std::string text;           ///< occurs in the name or the type, case ignored
  bool names_only = false;    ///< `text` occurs in the name
  Words steps;
  Words category_or_type;      ///< case and punctuation ignored
  Words categories;            ///< as they are written
  std::optional<Words> types;  ///< as they are written; absent: all
  Where where;
  std::uint16_t statuses = 0xffff;  ///< bit per Status
  Words bounds;                     ///< a resource's name, "compute", "memory", "link" or "none"
  Words limits;                     ///< likewise, of what limits an operation, or "neither"
  /// Whether anything but level and infeed is asked for.
  [[nodiscard]] bool active() const;
  bool operator==(const OpFilter&) const = default;
};

/// The rows that a filter's words mean; words that mean nothing here let nothing through. Status and bound are not looked at.
[[nodiscard]] RowSelection select_rows(const Workload& workload, const OpFilter& filter);

/// The operations that a filter means. An error names the list (path: "step", "category", "bound-by") and the words there are.
[[nodiscard]] Result<OpSet> select(const Plan& plan, const OpFilter& filter);

/// The same of two runs. A word has to mean something in one of them; where the other lacks it, nothing of that one is let through.
[[nodiscard]] Result<std::pair<OpSet, OpSet>> select(const Plan& a, const Plan& b, const OpFilter& filter);

/// Bit per resource that one of the words means, as ResultFilter::bounds. No words: every bit. A word that means none here but the device
/// memory of `beside`, another run, means the device memory: two machines call theirs HBM and GDDR6. Other words mean nothing.
[[nodiscard]] std::uint32_t bounds_of(const Plan& plan, const Words& words, const Plan& beside);

/// The same for ResultFilter::limits; "neither" is a word, too.
[[nodiscard]] std::uint32_t limits_of(const Plan& plan, const Words& words, const Plan& beside);

/// `mask` without rows that are totals over others, unless nothing else is left.
[[nodiscard]] RowMask operations_of(const Workload& workload, RowMask mask);

/// Per-op 1 where `text` occurs in the name or (`types`) the type, case ignored; empty where `text` is empty.
[[nodiscard]] RowMask search(const Workload& workload, std::string_view text, bool types = true);

/// Clears in `mask` (empty: all ones) what `where` does not keep. Names that are no category keep everything.
void keep_where(const Workload& workload, const Where& where, RowMask& mask);

/// Where each operation of a profile ranks by its self time, as the profiler itself lists them.
struct ProfileRank {
  std::vector<std::uint32_t> rank;   ///< per row, from 1; 0: not an operation, or not in view
  std::vector<double> cumulative_s;  ///< per row: its self time and that of all before it
  double whole_s = 0;                ///< what shares are of: the program's time, else all self time
};
[[nodiscard]] ProfileRank profile_rank(const Workload& workload, bool infeed);

}  // namespace roofline
