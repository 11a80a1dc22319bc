// The work of an operation that a node comes to.
#pragma once

#include <optional>
#include <roofline/workload/work.hpp>

#include "base/json.hpp"
#include "network/record_text.hpp"

namespace roofline {

/// As commands.json has it.
[[nodiscard]] Json record_json(const RecordText& record);

/// nullopt: no operator is known for it, or it cannot derive the record.
[[nodiscard]] std::optional<Work> record_work(const RecordText& record);

}  // namespace roofline
