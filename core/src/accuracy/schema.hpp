// What "roofline-accuracy/1" consists of, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// Of accuracy_json().
[[nodiscard]] ObjectSchema accuracy_schema();

}  // namespace roofline
