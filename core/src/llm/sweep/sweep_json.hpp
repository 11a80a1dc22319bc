// What "roofline-llm-sweep/1" consists of, as schemas.
#pragma once

#include "base/members.hpp"

namespace roofline {

[[nodiscard]] ObjectSchema llm_sweep_schema();
[[nodiscard]] Definitions llm_sweep_definitions();

}  // namespace roofline
