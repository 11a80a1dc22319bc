// The type of operation of a kernel table's rows. In a header, so that it is inlined: it is called for every row.
#pragma once

#include <roofline/operators/operator.hpp>
#include <string>

#include "base/interner.hpp"
#include "base/letters.hpp"
#include "read/table/columns/column_map.hpp"
#include "read/table/table_rows.hpp"
#include "workload/builder.hpp"

namespace roofline {

struct RowType {
  std::uint32_t word = 0, category = 0;  ///< WorkloadBuilder::word()
  const Operator* op = nullptr;
  OpFamily family = OpFamily::other;  ///< a matrix product: M, N, K are its sizes
  bool vector = false;                ///< its FLOPs are the vector unit's
};

class RowTypes {
 public:
  RowTypes(const ColumnMap& map, WorkloadBuilder& rows)
      : map_(map),
        rows_(rows),
        shape_type_(map.product()       ? "gemm"
                    : map.convolution() ? "conv"
                                        : "kernel") {}

  /// The type of `table`'s current row: by its type column, else by the table's shape columns. In tables that list arguments, the name of a
  /// known operator takes precedence.
  [[nodiscard]] RowType of(const TableRows& table) {
    const CsvField* cell = table.field(map_.at(ColumnRole::type));
    RowType type = called(!cell ? shape_type_ : cell->escaped ? std::string_view(cell->text()) : cell->view());
    const CsvField* name = map_.has(ColumnRole::dims) ? table.field(map_.at(ColumnRole::name)) : nullptr;
    if (!name) return type;
    const std::uint32_t word = type.word;
    if (const RowType& by_name = called(name->text()); by_name.op) type = by_name;
    type.word = word;
    return type;
  }

 private:
  const RowType& called(std::string_view name) {
    return types_.of(name, [this](std::string_view word) { return type_of(word); });
  }
  RowType type_of(std::string_view name) {
    RowType type;
    type.word = rows_.word(name);
    type.op = find_operator(name);
    type.category = rows_.word(type.op ? to_string(type.op->family) : "kernel");
    const std::string low = lower(name);
    const bool product = contains(low, "gemm") || contains(low, "matmul");
    type.family = type.op ? type.op->family : product ? OpFamily::matrix_product : OpFamily::other;
    // Known operators other than products, convolutions and attention run on the vector unit (docs/reference/conventions.md).
    type.vector =
        type.op && type.family != OpFamily::matrix_product && type.family != OpFamily::convolution && type.family != OpFamily::attention;
    return type;
  }

  const ColumnMap& map_;
  WorkloadBuilder& rows_;
  const std::string_view shape_type_;  // of a row that names no type
  ByWord<RowType> types_;
};

}  // namespace roofline
