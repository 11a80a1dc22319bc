// The columns of a table of any tool: what each is taken for, and what else it can be said to be (ReadOptions::columns).
#pragma once

#include <array>
#include <cstdint>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A header that every reader of tables knows: "time_us", and what it means: "time of one run, µs".
struct ColumnChoice {
  std::string_view header, meaning;
};
/// All that a column can be read as. The first, without a header, is a column that is not used.
[[nodiscard]] const std::vector<ColumnChoice>& column_choices();

enum class ColumnUse : std::uint8_t { used, filter, ignored };
template <>
inline constexpr auto names_of<ColumnUse> = std::to_array<const char*>({"used", "filter", "ignored"});

struct TableColumn {
  std::string header;
  std::string meaning;             ///< by its header: "time"; empty: none
  std::vector<std::string> first;  ///< the first rows' texts, at most three
  ColumnUse use = ColumnUse::ignored;
  std::string as;    ///< how it is used: "time of all runs"; empty: it is not
  std::string unit;  ///< of its values: "µs"; empty: none, or not used
};

/// All columns of a table, by its first bytes (UTF-8, CSV or a JSON list of records, a NUL byte behind them). `as`: ReadOptions::columns.
/// An error where they are no table, or `as` names a column that is not there.
[[nodiscard]] Result<std::vector<TableColumn>> table_columns(std::string_view head,
                                                             const std::vector<std::pair<std::string, std::string>>& as = {});

}  // namespace roofline
