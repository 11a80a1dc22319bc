// The first rows of a table, which tell how its columns are to be read.
#pragma once

#include <roofline/base/number.hpp>
#include <roofline/machine/format.hpp>
#include <set>
#include <string>
#include <vector>

#include "read/table/columns/column_map.hpp"
#include "read/table/table_rows.hpp"

namespace roofline {

/// What the sampled rows hold in one column.
struct ColumnSample {
  std::vector<double> numbers;    ///< of a quantity: by row; NaN: none above 0
  std::vector<FormatId> formats;  ///< of a column for number formats: by row
  std::size_t named = 0, unnamed = 0,
              transposes = 0;   ///< of such a column: rows that name a format, that do not, that name a transposition
  std::set<std::string> texts;  ///< of other columns; none if a row has a number or an empty cell
  bool fractions = false;       ///< of other columns: they hold numbers, some with a decimal point
};

class TableSample {
 public:
  /// Reads up to 64 of `rows`. `map` outlives this, and may change.
  TableSample(const ColumnMap& map, TableRows& rows);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Whether a cell whose column is a quantity, or is not recognised, holds a finite number. Prose with commas has none.
  [[nodiscard]] bool has_numbers() const { return has_numbers_; }
  [[nodiscard]] const std::vector<ColumnSample>& columns() const { return columns_; }
  [[nodiscard]] const ColumnSample& operator[](int column) const { return columns_[static_cast<std::size_t>(column)]; }
  /// In the column's own unit; NaN where there is no column.
  [[nodiscard]] double number(int column, std::size_t row) const;
  /// In SI.
  [[nodiscard]] double value(ColumnRole role, std::size_t row) const;
  [[nodiscard]] FormatId format(std::size_t row) const;
  /// FLOPs of a row that lists the arguments of a matrix product or a convolution, which every tool counts the same way.
  [[nodiscard]] double call_flops(std::size_t row) const { return row < call_flops_.size() ? call_flops_[row] : unknown; }
  /// Whether column `one` (the time of one occurrence) times column `count` is column `all` (the time of all).
  [[nodiscard]] bool multiplies(int one, int count, int all) const;

 private:
  const ColumnMap& map_;
  std::vector<ColumnSample> columns_;
  std::vector<double> call_flops_;
  std::size_t rows_ = 0;
  bool has_numbers_ = false;
};

}  // namespace roofline
