// Columns of few different values, which rows can be filtered by; and what became of every column.
#pragma once

#include <roofline/read/table_columns.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "base/interner.hpp"
#include "read/table/columns/spread_columns.hpp"
#include "read/table/table_rows.hpp"

namespace roofline {

/// A column that may turn out to have few different values.
class CategoryColumn {
 public:
  explicit CategoryColumn(std::size_t column) : column_(column) {}
  /// The value of the row that `rows` stands at.
  void add(const TableRows& rows);
  void reserve(std::size_t rows) {
    if (few_) value_.reserve(rows);
  }
  [[nodiscard]] std::size_t column() const { return column_; }
  /// It has few values, and more than one, among `rows` rows.
  [[nodiscard]] bool tells_apart(std::size_t rows) const { return few_ && values_.size() >= 2 && values_.size() * 2 <= rows + 2; }
  /// It has numbers, and not 1 alone: a factor, perhaps.
  [[nodiscard]] bool may_multiply() const { return numbers_ && above_one_; }
  /// Appends the column to the workload, where it tells rows apart.
  void keep(Workload& workload, const std::vector<std::string>& header);

 private:
  std::size_t column_;
  bool numbers_ = true, above_one_ = false, few_ = true;
  Interner values_;
  std::vector<std::uint32_t> value_;
};

class WorkloadBuilder;

/// One for each header, in its order; `filters` have seen the rows, of which there are `rows`.
[[nodiscard]] std::vector<TableColumn> column_uses(const ColumnMap& map, const SpreadColumns& spread,
                                                   const std::vector<CategoryColumn>& filters, std::size_t rows);

/// The columns that may become filters: all but names and amounts.
[[nodiscard]] std::vector<CategoryColumn> possible_filters(const std::vector<std::string>& header);

/// Notes which columns are ignored; a warning names those that may hold a factor of the work.
void note_ignored(const std::vector<TableColumn>& columns, const std::vector<CategoryColumn>& filters, WorkloadBuilder& notes);

}  // namespace roofline
