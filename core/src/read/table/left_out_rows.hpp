// Rows of a kernel table that are no operations: headers, remarks, what did not run, statistics of repetitions.
#pragma once

#include <string>

#include "read/table/columns/column_map.hpp"
#include "read/table/table_rows.hpp"

namespace roofline {

class WorkloadBuilder;

class LeftOutRows {
 public:
  explicit LeftOutRows(const ColumnMap& map) : map_(map) {}

  /// Whether the current row is to be left out; counts it if so.
  [[nodiscard]] bool takes(const TableRows& table) {
    return repeats_header(table) || is_remark(table) || (map_.has(ColumnRole::success) && did_not_run(table)) ||
           (map_.has(ColumnRole::time_unit) && is_statistic(table));
  }
  [[nodiscard]] std::size_t not_run() const { return not_run_; }
  void report(WorkloadBuilder& rows) const;

 private:
  /// Concatenated tables repeat their header.
  [[nodiscard]] bool repeats_header(const TableRows& table) const;
  /// A comment between the rows, or a sentence below them.
  bool is_remark(const TableRows& table);
  /// A benchmark that the tool skipped: it has no time, and its work was not done.
  bool did_not_run(const TableRows& table);
  /// Google Benchmark's mean, median and deviation of repetitions. If the file has no repetitions, the mean is kept.
  bool is_statistic(const TableRows& table);

  const ColumnMap& map_;
  std::size_t not_run_ = 0, sentences_ = 0, statistics_ = 0;  // rows
  std::string not_run_word_, first_sentence_, repeated_name_;
};

}  // namespace roofline
