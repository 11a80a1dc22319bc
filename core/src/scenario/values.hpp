// One setting's value as JSON, by the type of the member it stands for.
#pragma once

#include <roofline/scenario/settings.hpp>

#include "base/json.hpp"

namespace roofline {

/// A preset by id or alias. Its exact id is the common case, and spares parsing all the others.
[[nodiscard]] std::optional<Machine> preset_machine(std::string_view id);

/// "expected one of a, b".
[[nodiscard]] std::string one_of(const std::vector<std::string>& names);

/// Null, or no text where a text is expected, takes a setting back to its default. An error says what was expected at `path`, where the
/// value stands.
[[nodiscard]] Result<void> read_value(const Setting& setting, Scenario& scenario, const Json& value, const std::string& path);

/// Null where it is not set.
[[nodiscard]] Json written(const Setting& setting, Scenario& scenario);

}  // namespace roofline
