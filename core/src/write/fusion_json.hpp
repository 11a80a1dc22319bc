// The schemas of a fusion's document.
#pragma once

#include "base/members.hpp"

namespace roofline {

[[nodiscard]] ObjectSchema fusion_schema();
[[nodiscard]] ObjectSchema fusion_part_schema();
[[nodiscard]] ObjectSchema fusion_passed_schema();
[[nodiscard]] ObjectSchema fusion_resource_schema();

}  // namespace roofline
