// How one row of a model's workload was derived.
#pragma once

#include <roofline/llm_answer.hpp>

#include "write/formulas.hpp"

namespace roofline {

/// Of row `op` of llm_workload(request, scenario); empty where there is no such row.
[[nodiscard]] DerivationText llm_derivation(const LlmRequest& request, const Scenario& scenario, std::size_t op);

}  // namespace roofline
