// What "roofline-serving/1" consists of, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// Of serving_json().
[[nodiscard]] ObjectSchema serving_schema();

}  // namespace roofline
