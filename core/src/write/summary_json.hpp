// The summary of a document, and of what it consists.
#pragma once

#include <roofline/analysis/op_set.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/members.hpp"

namespace roofline {

/// Totals alone: in a comparison, and of the page's frames.
void write_summary(JsonOut& out, const Plan& plan, const Summary& summary);
/// With what only a whole document says. `further`: more members, names with JSON text.
void write_document_summary(JsonOut& out, const OpSet& ops, const std::vector<std::pair<std::string, std::string>>& further);

[[nodiscard]] ObjectSchema summary_schema();
[[nodiscard]] ObjectSchema document_summary_schema();
[[nodiscard]] ObjectSchema summary_whatif_schema();
/// "status", which the others refer to.
[[nodiscard]] ObjectSchema status_schema();

}  // namespace roofline
