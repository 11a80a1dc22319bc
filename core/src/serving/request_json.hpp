// A serving request as a JSON value: what parse_serving_request() reads as text.
#pragma once

#include <roofline/serving/request.hpp>
#include <string>

#include "base/json.hpp"

namespace roofline {

[[nodiscard]] Result<ServingRequest> serving_request_from(const Json& json);

}  // namespace roofline
