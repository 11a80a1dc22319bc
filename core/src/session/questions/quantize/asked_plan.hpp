// What questions about plans have in common.
#pragma once

#include <roofline/accuracy/format_plan.hpp>
#include <span>
#include <string>

#include "base/json.hpp"

namespace roofline {

/// {"kind", "value"} of one of the `allowed` kinds.
[[nodiscard]] Result<Budget> budget_from(const Json& json, std::span<const BudgetKind> allowed);

/// The plan, and its text for the tool.
[[nodiscard]] Json plan_answer(const FormatPlan& plan, const std::string& tool);

}  // namespace roofline
