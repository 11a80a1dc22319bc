// The cells of a kernel table's row that hold quantities. Functions called for every row are inline.
#pragma once

#include <cstring>
#include <map>
#include <roofline/base/text.hpp>
#include <string>
#include <vector>

#include "read/table/kernel_amounts.hpp"
#include "read/table/table_rows.hpp"
#include "workload/builder.hpp"

namespace roofline {

class RowNumbers {
 public:
  explicit RowNumbers(const ColumnMap& map);

  /// Reads the cells of the row that `table` stands at, and reports those that cannot be used. Such a cell counts
  /// as empty: the rest of the row may still place it. False if there was one, or the row is too short.
  bool read(const TableRows& table, const LineIndex& lines, WorkloadBuilder& rows) {
    bool all = true;
    const std::vector<CsvField>& fields = table.fields();
    for (const Column& c : columns_) {
      double& cell = cells_[c.role];
      const double other_parts = c.adds ? cell : 0;
      cell = unknown;
      const auto index = static_cast<std::size_t>(c.index);
      if (index >= fields.size()) {
        all = false;
        continue;
      }
      const CsvField& f = fields[index];
      const double scale = c.unit_in_row ? table.seconds_in(map_.at(ColumnRole::time_unit)) : c.scale;
      if (f.size > 0 && !known(scale)) {
        all = false;
        rows.report(Severity::warning, [&] { return unit_fault(table, lines); });
        continue;
      }
      double value = unknown;
      const bool is_number = table.read(f, value), is_time = c.role == ColumnRole::time || c.role == ColumnRole::time_sum;
      const char* expected = !is_number                                                ? "a number"
                             : value < 0 || value > 0x1p63                             ? "a number from 0 to 2^63"
                             : is_time && value > 0 && value * scale < shortest_time_s ? "a time of at least 1 ps"
                                                                                       : nullptr;
      if (!expected) {
        cell = other_parts + value * scale;
        if (f.size > 0 && !known(value))
          if (Missing& missing = missing_[c.index]; missing.rows++ == 0) missing.first = f.text();
        continue;
      }
      all = false;
      rows.report(Severity::warning, [&] {
        return lines.at(f.size > 0 ? table.offset(f) : table.row_begin(), map_.raw_header(c.index) + ": expected " + expected + ", found " +
                                                                              printed(f.text().substr(0, 60)) + ": the cell is not used");
      });
    }
    return all;
  }
  [[nodiscard]] const Cells& cells() const { return cells_; }

  /// Equal for equal M, N, K and the like.
  [[nodiscard]] std::uint32_t shape_hash() const {
    std::uint64_t h = 0;
    for (const ColumnRole role : shape_) {
      std::uint64_t bits = 0;
      if (const double cell = cells()[role]; known(cell)) std::memcpy(&bits, &cell, sizeof bits);
      h = (h ^ bits) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    return static_cast<std::uint32_t>(h >> 16);
  }

  /// "M, N and K or time_us": the headers of the first of them, those of the shape together.
  [[nodiscard]] std::string headers() const;
  void report(WorkloadBuilder& rows) const;

 private:
  /// Of a row with a time whose time_unit cell names no unit.
  [[nodiscard]] Error unit_fault(const TableRows& table, const LineIndex& lines) const;

  struct Column {
    int index;
    ColumnRole role;
    double scale;
    bool unit_in_row;
    bool adds = false;  ///< to what the column before it holds of this role
  };
  struct Missing {
    std::size_t rows = 0;
    std::string first;
  };
  const ColumnMap& map_;
  std::vector<Column> columns_;
  std::vector<ColumnRole> shape_;  // of these, the roles that make a shape
  Cells cells_;
  std::map<int, Missing> missing_;  // by column: cells that state that they have no number, such as "NaN" or "n/a"
};

}  // namespace roofline
