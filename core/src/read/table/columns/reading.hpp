// How a table is to be read. Headers leave open whether a time is of one call or of all, in which unit it is, whether GB are 10^9 or 2^30
// bytes, whether FLOPs are MACs: the first rows tell, by column_solver.hpp.
#pragma once

#include <roofline/base/result.hpp>

#include "read/table/columns/column_map.hpp"
#include "read/table/table_rows.hpp"

namespace roofline {

class WorkloadBuilder;

/// Settles `map` by the first rows of `rows`, which then stand at their start again. What was found out, and what is assumed because
/// nothing tells, is noted in `notes`. An error where a time has no unit and nothing tells it.
[[nodiscard]] Result<void> settle_reading(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes);

/// Arm Vela's per-layer table of an Ethos-U. It counts cycles, and states neither the clock nor the NPU: MACs / (cycles x utilisation) are
/// the MACs of a cycle, which tell the NPU, whose preset has the clock (docs/formats/npu.md).
[[nodiscard]] bool is_vela(const std::vector<std::string>& header);
/// The clock, the format and the machine of such a table, by all rows of `rows`; notes what it took for granted. In vela.cpp.
void settle_vela(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes);

}  // namespace roofline
