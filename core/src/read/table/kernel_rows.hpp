// The rows of a table of kernels become operations.
#pragma once

#include <optional>
#include <vector>

#include "read/operations/arguments.hpp"
#include "read/table/columns/category_columns.hpp"
#include "read/table/left_out_rows.hpp"
#include "read/table/repeated_rows.hpp"
#include "read/table/row_formats.hpp"
#include "read/table/row_numbers.hpp"
#include "read/table/row_types.hpp"
#include "read/table/stated_twice.hpp"
#include "read/text/text_window.hpp"
#include "workload/spread.hpp"

namespace roofline {

class KernelRows {
 public:
  /// The references must outlive this object.
  KernelRows(const ReadOptions& options, const ColumnMap& map, const TableRows& table, WorkloadBuilder& rows);

  /// Adds the table's current row; `window` and `lines` are of the current text.
  void add(const TextWindow& window, const LineIndex& lines);
  void reserve(std::size_t rows) {
    for (CategoryColumn& column : categories_) column.reserve(rows);
  }
  /// Call after the last row: reports what was found and stores the columns that rows can be filtered by.
  void finish();

 private:
  /// The work that follows from the operator and its argument shapes; nullopt if the operator is unknown or the shapes do not suffice.
  [[nodiscard]] std::optional<Work> work_of_arguments(const RowType& type) const;
  /// `derived`: the work follows from the row's arguments alone.
  void put_work(const Amounts& a, const RowType& type, const OperandFormats& formats, bool derived, OpNumbers& n, OpClass& traits) const;
  void check_success();

  const ColumnMap& map_;
  const TableRows& table_;
  WorkloadBuilder& rows_;
  const bool keep_records_;
  LeftOutRows left_out_;
  RowNumbers numbers_;
  RowFormats formats_;
  RowTypes types_;
  StatedTwice twice_;
  RepeatedRows repeated_;
  SpreadColumns spread_;
  std::size_t spread_measure_ = 0;
  std::vector<CategoryColumn> categories_;
  std::size_t failed_ = 0, assumed_formats_ = 0, derived_ = 0, time_only_ = 0;  // rows
  std::string failed_word_;
};

}  // namespace roofline
