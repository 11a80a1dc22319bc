// What the calculator's documents consist of, as schemas: "roofline-sweep/1" and "roofline-machines/1".
#pragma once

#include "base/members.hpp"

namespace roofline {

/// Of network_sweep_json().
[[nodiscard]] ObjectSchema network_sweep_schema();

[[nodiscard]] ObjectSchema sweep_schema();
[[nodiscard]] Definitions sweep_definitions();

/// Of comparison_json().
[[nodiscard]] ObjectSchema comparison_schema();

[[nodiscard]] ObjectSchema machines_schema();
[[nodiscard]] Definitions machines_definitions();

}  // namespace roofline
