// Columns of few different values, which rows can be told apart by.
#pragma once

#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "base/interner.hpp"
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
  /// Appends the column to the workload, where it tells rows apart.
  void keep(Workload& workload, const std::vector<std::string>& header);

 private:
  std::size_t column_;
  bool numbers_ = true, few_ = true;
  Interner values_;
  std::vector<std::uint32_t> value_;
};

}  // namespace roofline
