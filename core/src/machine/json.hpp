// A machine as a JSON value: what parse_machine() and machine_json() have as text.
#pragma once

#include <roofline/machine/machine.hpp>

#include "base/json.hpp"
#include "base/members.hpp"

namespace roofline {

[[nodiscard]] Result<Machine> machine_from(const Json& json);
/// A preset by its id, or the machine that is given as an object. Errors say where it stands, at `path`.
[[nodiscard]] Result<Machine> machine_named_or_given(const Json& value, const std::string& path);

/// The JSON Schema of machine_json().
[[nodiscard]] ObjectSchema machine_value_schema(bool sourced);
/// "figure", which the sourced one refers to.
[[nodiscard]] ObjectSchema figure_schema();

}  // namespace roofline
