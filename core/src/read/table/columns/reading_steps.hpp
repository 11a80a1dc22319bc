// The steps of settle_reading(), each in a file of its name.
#pragma once

#include <roofline/base/result.hpp>

#include "read/table/columns/column_solver.hpp"
#include "read/table/columns/table_sample.hpp"

namespace roofline {

class WorkloadBuilder;

/// The reading under which most of what the table states twice agrees. A header's unit is taken to be wrong only if nothing else makes all
/// of it agree, and one wrong header does.
[[nodiscard]] ColumnUnitSolver best_reading(const ColumnMap& map, const TableSample& sample);

/// Puts the columns, units and formats of `best` into `map`. Notes where they differ from what the headers say, and what proves them, or
/// that nothing does.
void use_reading(ColumnMap& map, const TableSample& sample, const ColumnUnitSolver& best, WorkloadBuilder& notes);

// --- table_errors.cpp

/// Of a table without any time, work, traffic or size.
[[nodiscard]] Error lacks_columns(const ColumnMap& map);
/// Refuses a table that has shapes or sizes and, in all other columns, times of several runs ("baseline_us", "optimized_us") or numbers
/// under the names of implementations (Triton's perf_report).
[[nodiscard]] Result<void> check_unnamed(const ColumnMap& map, const TableSample& sample);
/// Does not use a time without a unit; refuses a table that has nothing but such a time.
[[nodiscard]] Result<void> check_time_unit(ColumnMap& map, WorkloadBuilder& notes);

}  // namespace roofline
