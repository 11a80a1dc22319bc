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

  /// Whether the row that `table` stands at is one of them.
  [[nodiscard]] bool has(const TableRows& table) {
    return repeats_header(table) || is_remark(table) || (map_.has(ColumnRole::success) && did_not_run(table)) ||
           (map_.has(ColumnRole::time_unit) && is_of_repetitions(table));
  }
  [[nodiscard]] std::size_t not_run() const { return not_run_; }
  void report(WorkloadBuilder& rows) const;

 private:
  /// Tables that were put after each other have their header again.
  [[nodiscard]] bool repeats_header(const TableRows& table) const;
  /// A comment between the rows, or a sentence below them.
  bool is_remark(const TableRows& table);
  /// A row of what its tool did not run: no time stands for it, and its work was not done.
  bool did_not_run(const TableRows& table);
  /// Google Benchmark's mean, median and deviation of the repetitions of a benchmark; without these, the mean stands for them.
  bool is_of_repetitions(const TableRows& table);

  const ColumnMap& map_;
  std::size_t not_run_ = 0, sentences_ = 0, statistics_ = 0;  // rows
  std::string not_run_word_, first_sentence_, repeated_name_;
};

}  // namespace roofline
