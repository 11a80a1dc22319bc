// One setting's value as JSON, by the type of the member it stands for.
#pragma once

#include <roofline/scenario/settings.hpp>

#include "base/json.hpp"

namespace roofline {

/// Null, or no text where a text is expected, takes a setting back to its default. An error says what was expected at `path`, where the
/// value stands.
[[nodiscard]] Result<void> read_value(const Setting& setting, Scenario& scenario, const Json& value, const std::string& path);

/// Null where it is not set.
[[nodiscard]] Json written(const Setting& setting, Scenario& scenario);

}  // namespace roofline
