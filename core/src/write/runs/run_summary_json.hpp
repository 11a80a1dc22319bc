// What "roofline-summary/1" consists of, as schemas.
#pragma once

#include "base/members.hpp"

namespace roofline {

[[nodiscard]] ObjectSchema run_summary_schema();
[[nodiscard]] ObjectSchema run_summary_row_schema();
[[nodiscard]] ObjectSchema run_summary_formats_schema();
[[nodiscard]] ObjectSchema run_summary_channel_schema();

}  // namespace roofline
