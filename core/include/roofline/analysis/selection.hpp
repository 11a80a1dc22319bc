// Which rows of a workload to look at: what the command line's filters and the page's views choose.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Per row 1 where it is meant; empty: every row.
using RowMask = std::vector<std::uint8_t>;

enum class Level : std::uint8_t { operations, program, both };
template <>
inline constexpr auto names_of<Level> = std::to_array<const char*>({"operations", "program", "both"});

/// The rows of a level, with or without the time of infeed and outfeed. Empty where that is every row.
[[nodiscard]] RowMask scope(const Workload& workload, Level level, bool infeed);

/// `mask` without rows that are totals over others, unless nothing else is left.
[[nodiscard]] RowMask operations_of(const Workload& workload, RowMask mask);

/// Where each operation of a profile stands by its self time, as the profiler itself lists them.
struct ProfileRank {
  std::vector<std::uint32_t> rank;   ///< per row, from 1; 0: not an operation, or not in view
  std::vector<double> cumulative_s;  ///< per row: its self time and that of all before it
  double whole_s = 0;                ///< what shares are of: the program's time, else all self time
};
[[nodiscard]] ProfileRank profile_rank(const Workload& workload, bool infeed);

/// Rows by what they are. Within a list any of the words will do, case and punctuation ignored; an empty list lets everything through.
struct Selection {
  bool infeed = true;
  std::vector<std::string> steps;
  std::vector<std::string> categories;  ///< a category or a type
  std::vector<std::string> bounds;      ///< a resource's name, "compute", "memory", "link" or "none"
  std::string name;                     ///< occurs in the name
  [[nodiscard]] bool active() const { return !steps.empty() || !categories.empty() || !bounds.empty() || !name.empty(); }
};

/// The rows that a selection means. An error names the list (path: "step", "category", "bound-by") and the words there are.
[[nodiscard]] Result<RowMask> select(const Plan& plan, const Selection& selection);

/// The same of two runs. A word has to mean something in one of them; where the other lacks it, nothing of that one is let through. Bounds
/// as known_bounds has them.
[[nodiscard]] Result<std::pair<RowMask, RowMask>> select(const Plan& a, const Plan& b, const Selection& selection);

/// Bit per resource that one of the words means, as Filter::bounds; nullopt where a word means none.
[[nodiscard]] std::optional<std::uint32_t> bounds_of(const Plan& plan, const std::vector<std::string>& words);

/// The same of those words that mean one; 0: none of them does. A word that means none here but the device memory of `beside`, another run,
/// means the device memory: two machines call theirs HBM and GDDR6.
[[nodiscard]] std::uint32_t known_bounds(const Plan& plan, const std::vector<std::string>& words, const Plan& beside);

/// Which operations to show.
struct Filter {
  std::uint16_t statuses = 0xffff;  ///< bit per Status
  std::vector<std::uint8_t> kinds;  ///< per kind 1: shown; empty: all
  std::vector<std::uint8_t> ops;    ///< per op 1: matches the search; empty: all
  std::uint32_t bounds = ~0u;       ///< bit per resource that bounds it; bit 31: no bound is known
  static constexpr unsigned no_bound_bit = 31;
  [[nodiscard]] bool active() const { return !keeps_all_found() || !kinds.empty() || !ops.empty(); }
  /// Whether every Status and bound passes.
  [[nodiscard]] bool keeps_all_found() const { return statuses == 0xffff && bounds == ~0u; }
  /// Whether `statuses` and `bounds` let through an op of that Status, bound by that resource.
  [[nodiscard]] bool keeps(std::int32_t status, std::int32_t bound) const {
    const unsigned bit = static_cast<unsigned>(bound) < no_bound_bit ? static_cast<unsigned>(bound) : no_bound_bit;
    return (statuses >> static_cast<unsigned>(status) & 1) != 0 && (bounds >> bit & 1) != 0;
  }
};

/// Per-op 1 where `text` occurs in the name or (`types`) the type, case ignored; empty where `text` is empty.
[[nodiscard]] std::vector<std::uint8_t> search(const Workload& workload, std::string_view text, bool types = true);

/// Words to keep by the name of a workload's category: rows with any of them, in every category named.
using Where = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Clears in `mask` (empty: all ones) what `where` does not keep. Names that are no category keep everything.
void keep_where(const Workload& workload, const Where& where, std::vector<std::uint8_t>& mask);

}  // namespace roofline
