// A machine as a JSON value: what parse_machine() and machine_json() have as text.
#pragma once

#include <roofline/machine/machine.hpp>

#include "base/json.hpp"

namespace roofline {

[[nodiscard]] Result<Machine> machine_from(const Json& json);
[[nodiscard]] Json machine_value(const Machine& machine, bool figures);

}  // namespace roofline
