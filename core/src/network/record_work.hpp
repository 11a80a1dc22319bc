// The work of a node's record.
#pragma once

#include <optional>
#include <roofline/base/result.hpp>
#include <roofline/workload/work.hpp>

#include "base/json.hpp"
#include "network/record_text.hpp"

namespace roofline {

/// The record as in commands.json.
[[nodiscard]] Json record_json(const RecordText& record);

/// nullopt: no operator is known for it, or it cannot derive the record.
[[nodiscard]] std::optional<Work> record_work(const RecordText& record);

/// The multiply-adds of its products, 0 if it has none. Fails where a reader of commands.json gives the record no cost; the message says
/// why.
[[nodiscard]] Result<double> record_macs(const RecordText& record);

}  // namespace roofline
