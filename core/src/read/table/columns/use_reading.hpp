// What becomes of a table's columns under the reading that was chosen.
#pragma once

#include "read/table/columns/column_solver.hpp"
#include "read/table/columns/table_sample.hpp"

namespace roofline {

class WorkloadBuilder;

/// Puts the columns, units and formats of `best` into `map`. Notes where they differ from what the headers say, and what proves them, or
/// that nothing does.
void use_reading(ColumnMap& map, const TableSample& sample, const ColumnUnitSolver& best, WorkloadBuilder& notes);

}  // namespace roofline
