#include "session/questions/quantize/asked_plan.hpp"

#include <algorithm>
#include <cmath>

namespace roofline {

Result<Budget> budget_from(const Json& json, std::span<const BudgetKind> allowed) {
  const std::optional<BudgetKind> kind = named<BudgetKind>(text_of(member(json, "kind")));
  const double value = number_of(member(json, "value"));
  if (!kind || std::find(allowed.begin(), allowed.end(), *kind) == allowed.end()) {
    std::string names;
    for (const BudgetKind one : allowed) names += (names.empty() ? "" : ", ") + std::string(to_string(one));
    return fail("expected a kind: " + names, "budget.kind");
  }
  if (!(value > 0 && std::isfinite(value))) return fail("expected a positive number", "budget.value");
  return Budget{*kind, value};
}

Json plan_answer(const FormatPlan& plan, const std::string& tool) {
  return {{"plan", Json::parse(plan_json(plan), nullptr, false)}, {"text", plan_for(plan, tool)}};
}

}  // namespace roofline
