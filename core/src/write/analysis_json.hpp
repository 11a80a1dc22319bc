// What "roofline-analysis/1" consists of, as schemas.
#pragma once

#include "base/members.hpp"

namespace roofline {

[[nodiscard]] ObjectSchema analysis_schema();
[[nodiscard]] ObjectSchema findings_schema();

}  // namespace roofline
