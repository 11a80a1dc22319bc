// The steps of settle_reading(). best_reading() and use_reading() are in files of the same name.
#pragma once

#include <roofline/base/result.hpp>

#include "read/table/columns/column_solver.hpp"
#include "read/table/columns/table_sample.hpp"

namespace roofline {

class WorkloadBuilder;

/// The reading under which most values that the table states twice agree. A header's unit counts as wrong only if no other reading makes
/// all of them agree, and it is clear which headers are wrong.
[[nodiscard]] ColumnUnitSolver best_reading(const ColumnMap& map, const TableSample& sample);

/// Puts the columns, units and formats of `best` into `map`. Notes where they differ from what the headers say, and what proves them, or
/// that nothing does.
void use_reading(ColumnMap& map, const TableSample& sample, const ColumnUnitSolver& best, WorkloadBuilder& notes);

// --- table_errors.cpp

/// Of text without a known header and without a cell that is a number.
[[nodiscard]] Error no_table_error();
/// Of a table without any time, work, traffic or size.
[[nodiscard]] Error no_columns_error(const ColumnMap& map);
/// Refuses a table that has shapes or sizes and, in all other columns, times of several runs ("baseline_us", "optimized_us") or numbers
/// under the names of implementations (Triton's perf_report).
[[nodiscard]] Result<void> refuse_unnamed_times(const ColumnMap& map, const TableSample& sample);
/// Warns if a table with work has no time column, only times named after runs ("baseline_us"): none of them is used.
void note_unnamed_times(const ColumnMap& map, WorkloadBuilder& notes);
/// Drops a time without a unit. Refuses the table if it has neither a rate nor a bandwidth, or if the time counts cycles.
[[nodiscard]] Result<void> check_time_unit(ColumnMap& map, WorkloadBuilder& notes);

}  // namespace roofline
