// Number formats of a kernel table's rows. In a header, so that it is inlined: it is called for every row.
#pragma once

#include <array>
#include <roofline/base/text.hpp>
#include <string>

#include "base/interner.hpp"
#include "read/assumed_format.hpp"
#include "read/table/columns/column_map.hpp"
#include "read/table/table_rows.hpp"
#include "read/text/format_words.hpp"
#include "workload/builder.hpp"

namespace roofline {

struct OperandFormats {
  FormatId activation = no_format, weight = no_format, output = no_format;
  bool assumed = false;                      ///< nothing names that of the activations
  std::array<const CsvField*, 3> unknown{};  ///< of each: the cell that names no format we know; null: none
};

class RowFormats {
 public:
  RowFormats(const ColumnMap& map, const ReadOptions& options)
      : map_(map),
        chosen_(options.assumed_format != no_format),
        assumed_(!chosen_ && map.format != no_format ? map.format : assumed_format(options, "fp32")) {}

  /// Of the row that `table` stands at.
  [[nodiscard]] OperandFormats of(const TableRows& table) {
    OperandFormats out;
    for (const int c : map_.formats) {  // the first that names one
      const CsvField* cell = table.field(c);
      if (!cell) continue;
      if (out.activation = cells_.of(cell->view(), format_in); out.activation != no_format) break;
      if (!out.unknown[0] && c != map_.at(ColumnRole::dim_types)) out.unknown[0] = cell;
    }
    const CsvField* name = table.field(map_.at(ColumnRole::name));
    if (out.activation != no_format)
      out.unknown[0] = nullptr;
    else if (name && !out.unknown[0] && map_.format == no_format && !chosen_)
      if (out.activation = kernels_.of(name->view(), format_of_kernel); out.activation != no_format) ++by_kernel_;
    if (out.assumed = out.activation == no_format; out.assumed) out.activation = assumed_;
    out.weight = own(table, ColumnRole::weight_format, out.activation, out.unknown[1]);
    out.output = own(table, ColumnRole::output_format, map_.output != no_format ? map_.output : out.activation, out.unknown[2]);
    return out;
  }

  /// What was taken by name or assumed; the latter for `assumed` of the rows with work.
  void report(WorkloadBuilder& rows, std::size_t assumed) const {
    if (by_kernel_ > 0) rows.note(Severity::info, quantity(by_kernel_, "row") + " of a format by the name of the kernel: no column has it");
    if (map_.formats.empty() && map_.has_work_columns() && map_.format == no_format && by_kernel_ < rows.size())
      rows.note(Severity::info, "no column names a number format: " + is_assumed(assumed_), std::string(assumed_key));
    else if (assumed > 0 && !map_.formats.empty())
      rows.note(Severity::info, rows_without_format(assumed, assumed_), std::string(assumed_key));
  }

 private:
  FormatId own(const TableRows& table, ColumnRole role, FormatId otherwise, const CsvField*& misnamed) {
    const CsvField* cell = table.field(map_.at(role));
    if (!cell) return otherwise;
    const FormatId format = cells_.of(cell->view(), format_in);
    if (format == no_format) misnamed = cell;
    return format != no_format ? format : assumed_;
  }

  const ColumnMap& map_;
  const bool chosen_;  // by the user
  const FormatId assumed_;
  ByWord<FormatId> cells_, kernels_;
  std::size_t by_kernel_ = 0;  // rows
};

}  // namespace roofline
