// Columns that say how far repeated runs lie apart: a standard deviation, or the shortest and the longest time. They become the measure of
// workload/spread.hpp.
#pragma once

#include "read/table/columns/column_map.hpp"
#include "read/table/table_rows.hpp"

namespace roofline {

class SpreadColumns {
 public:
  /// By the headers: those of the time that is read, whose headers are the same but for the statistic, and name a unit.
  explicit SpreadColumns(const ColumnMap& map);

  [[nodiscard]] bool any() const { return deviation_.used() || (shortest_.used() && longest_.used()); }
  [[nodiscard]] bool uses(int column) const {
    return any() && (deviation_.index == column || shortest_.index == column || longest_.index == column);
  }
  /// Of the current row, in seconds; NaN where it does not say.
  [[nodiscard]] double of(const TableRows& table) const;

 private:
  struct Column {
    int index = ColumnMap::none;
    double to_s = 0;
    [[nodiscard]] bool used() const { return index != ColumnMap::none; }
    [[nodiscard]] double of(const TableRows& table) const;
  };
  Column deviation_, shortest_, longest_;
};

}  // namespace roofline
