// A frontier's request as a JSON value, and what "roofline-frontier/1" consists of.
#pragma once

#include <roofline/serving/frontier.hpp>

#include "base/json.hpp"
#include "base/members.hpp"

namespace roofline {

[[nodiscard]] Result<FrontierRequest> frontier_request_from(const Json& json, const Scenario& base);

/// Of frontier_json().
[[nodiscard]] ObjectSchema frontier_schema();

}  // namespace roofline
