// How a row of a language model was derived: its formulas with the numbers put in.
#pragma once

#include <roofline/llm/inference.hpp>

#include "read/operations/formulas.hpp"

namespace roofline {

/// Of row `op` of the workload of a request; empty where there is no such row.
[[nodiscard]] DerivationText llm_derivation(const LlmRequest& request, const Scenario& scenario, std::size_t op);

}  // namespace roofline
