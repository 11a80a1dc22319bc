// "roofline-operations/1": the operations of a file in numbers, which a link carries instead of the file. Read as a workload with the same
// figures; write/runs/operation_rows.cpp writes it.
#pragma once

#include <string_view>

namespace roofline {

inline constexpr std::string_view operations_schema_id = "roofline-operations/1";

}  // namespace roofline
