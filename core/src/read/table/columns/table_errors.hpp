// Tables that cannot be read because of their columns.
#pragma once

#include <roofline/base/result.hpp>

#include "read/table/columns/table_sample.hpp"

namespace roofline {

class WorkloadBuilder;

/// Of a table without any time, work, traffic or size.
[[nodiscard]] Error lacks_columns(const ColumnMap& map);

/// Refuses a table that has shapes or sizes and, in all other columns, times of several runs ("baseline_us", "optimized_us") or numbers
/// under the names of implementations (Triton's perf_report).
[[nodiscard]] Result<void> check_unnamed(const ColumnMap& map, const TableSample& sample);

/// Does not use a time without a unit; refuses a table that has nothing but such a time.
[[nodiscard]] Result<void> check_time_unit(ColumnMap& map, WorkloadBuilder& notes);

}  // namespace roofline
