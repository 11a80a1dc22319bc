// What a session tells of a model beside its workload: how a row was derived, and the answer.
#pragma once

#include <roofline/llm_answer.hpp>

#include "write/formulas.hpp"

namespace roofline {

/// Of row `op` of the workload of a request, as JSON; empty where there is no such row.
[[nodiscard]] DerivationText llm_derivation(std::string_view request, const Scenario& scenario, std::size_t op);

/// What a document of that workload has beside the operations: the answer and the measured points.
void add_llm_answer(std::string_view request, const Scenario& scenario, WriteOptions& options);

}  // namespace roofline
