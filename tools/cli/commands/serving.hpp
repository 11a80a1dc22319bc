// The phase "serving" of `roofline llm`.
#pragma once

#include <nlohmann/json.hpp>
#include <roofline/scenario/scenario.hpp>
#include <string>

#include "commands.hpp"

namespace roofline::cli {

/// Prints the operating point of a request as parse_serving_request() reads it; the exit code.
int serving(const nlohmann::ordered_json& request, Scenario scenario, const std::string& form);

}  // namespace roofline::cli
