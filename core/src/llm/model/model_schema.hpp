// What `show model` prints, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// Of model_json().
[[nodiscard]] ObjectSchema model_schema();

}  // namespace roofline
