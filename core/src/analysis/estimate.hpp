// What estimate_json() consists of, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

[[nodiscard]] ObjectSchema estimate_schema();

}  // namespace roofline
