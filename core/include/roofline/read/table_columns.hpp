// The columns of a table of any tool: what each is taken for, and what else it can be said to be (ReadOptions::columns).
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A header that every reader of tables knows: "time_us", and what it means: "time of one run, µs".
struct ColumnChoice {
  std::string_view header, meaning;
};
/// All that a column can be read as. The first, without a header, is a column that is not used.
[[nodiscard]] const std::vector<ColumnChoice>& column_choices();

struct TableColumn {
  std::string header;
  std::string meaning;             ///< by its header: "time"; empty: none, it is a label to filter by
  std::vector<std::string> first;  ///< the first rows' texts, at most three
};

/// Of a table's first bytes (UTF-8, CSV or a JSON list of records). An error where they are no table.
[[nodiscard]] Result<std::vector<TableColumn>> table_columns(std::string_view head);

}  // namespace roofline
