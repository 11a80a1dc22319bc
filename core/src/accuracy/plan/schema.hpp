// What "roofline-format-plan/1" consists of, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// Of plan_json().
[[nodiscard]] ObjectSchema format_plan_schema();

}  // namespace roofline
