// A finding as its member of an answer or a document.
#pragma once

#include <roofline/analysis/finding.hpp>

#include "base/json.hpp"
#include "base/members.hpp"

namespace roofline {

/// "finding": [{"text", and of a figure "formula" and what it was made from: "categories", "bounds", "limits", "steps", "op"}, ...]
void write_finding(JsonOut& out, const Finding& finding);
/// The member's value.
void write_finding_value(JsonOut& out, const Finding& finding);
[[nodiscard]] Json finding_json(const Finding& finding);

/// Of the member's value, and of one of its parts.
[[nodiscard]] std::string finding_schema();
[[nodiscard]] ObjectSchema finding_part_schema();

}  // namespace roofline
