// What "roofline-quantize/1" consists of, as a schema.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// Of quantize_json().
[[nodiscard]] ObjectSchema quantize_schema();

}  // namespace roofline
