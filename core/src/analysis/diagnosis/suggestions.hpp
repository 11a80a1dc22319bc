// What would help an operation: formats, a larger batch, a better kernel, another machine.
#pragma once

#include <roofline/analysis/explain.hpp>
#include <vector>

namespace roofline {

/// In the order of Diagnosis::suggestions; empty where neither its bound nor a missing rate is known. `one_rate`: set if a suggestion
/// computes in narrower formats at the same rate (computes_narrower_at_one_rate).
[[nodiscard]] std::vector<Suggestion> suggestions(const Plan& plan, std::size_t op, const OpAnalysis& analysis, bool& one_rate);

}  // namespace roofline
