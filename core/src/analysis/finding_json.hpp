// A finding as its member of an answer or a document.
#pragma once

#include <roofline/analysis/finding.hpp>

#include "base/json.hpp"
#include "base/json_out.hpp"

namespace roofline {

/// "finding": [{"text", and of a figure "formula" and what it was made from: "categories", "bounds", "steps", "op"}, ...]
void write_finding(JsonOut& out, const Finding& finding);
/// The member's value.
[[nodiscard]] Json finding_json(const Finding& finding);

}  // namespace roofline
