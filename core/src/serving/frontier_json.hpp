// A frontier's request as a JSON value, and what "roofline-frontier/1" consists of.
#pragma once

#include <roofline/serving/frontier.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/members.hpp"

namespace roofline {

[[nodiscard]] Result<FrontierRequest> frontier_request_from(const Json& json, const Scenario& base);

/// The distinct layouts of a machine's points, as tables show them, and the index of each point's layout.
struct PointLayouts {
  std::vector<std::string> texts;
  std::vector<std::size_t> of_point;
};
[[nodiscard]] PointLayouts point_layouts(const FrontierMachine& machine, const FrontierRequest& request);

/// Of frontier_json().
[[nodiscard]] ObjectSchema frontier_schema();

}  // namespace roofline
