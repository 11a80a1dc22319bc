// Requests and measurements as JSON values: what parse_llm_request() and parse_llm_measurements() read as text.
#pragma once

#include <roofline/llm/answer.hpp>

#include "base/json.hpp"

namespace roofline {

[[nodiscard]] Result<LlmRequest> llm_request_from(const Json& json);
[[nodiscard]] Result<std::vector<LlmMeasurement>> llm_measurements_from(const Json& json, const LlmRequest& request);

}  // namespace roofline
