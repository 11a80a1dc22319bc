// All ways to read a table's columns, for column_solver.hpp to choose from.
#pragma once

#include "read/table/columns/column_solver.hpp"
#include "read/table/columns/table_sample.hpp"

namespace roofline {

/// The reading under which most of what the table states twice agrees. A header's unit is taken to be wrong only if nothing else makes all
/// of it agree, and one wrong header does.
[[nodiscard]] ColumnUnitSolver best_reading(const ColumnMap& map, const TableSample& sample);

}  // namespace roofline
