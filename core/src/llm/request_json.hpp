// Requests and measurements as JSON values: what parse_llm_request(), parse_llm_measurements() and llm_sweep() read as text.
#pragma once

#include <roofline/llm/answer.hpp>
#include <roofline/llm/sweep.hpp>

#include "base/json.hpp"

namespace roofline {

[[nodiscard]] Result<LlmRequest> llm_request_from(const Json& json);
[[nodiscard]] Result<std::vector<LlmMeasurement>> llm_measurements_from(const Json& json, const LlmRequest& request);
[[nodiscard]] Result<LlmSweep> llm_sweep_of(const Json& request, const std::optional<SweepAxis>& axis, std::vector<LlmChoices> choices,
                                            const Scenario& scenario);

}  // namespace roofline
