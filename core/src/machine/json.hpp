// A machine as a JSON value: what parse_machine() and machine_json() have as text.
#pragma once

#include <roofline/machine/machine.hpp>

#include "base/json.hpp"
#include "base/members.hpp"

namespace roofline {

[[nodiscard]] Result<Machine> machine_from(const Json& json);
/// A preset by its id, or a machine given as an object. `path`: of the value, for errors.
[[nodiscard]] Result<Machine> machine_from_id_or_object(const Json& value, const std::string& path);

/// The JSON Schema of machine_json().
[[nodiscard]] ObjectSchema machine_value_schema(bool sourced);
/// "figure", which the sourced one refers to.
[[nodiscard]] ObjectSchema figure_schema();

}  // namespace roofline
