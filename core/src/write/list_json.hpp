// What `list` and `show` print, as schemas. A machine's file has presets/machine.schema.json; a model is its config.json.
#pragma once

#include "base/members.hpp"

namespace roofline {

/// Of "machines", "models", "formats", "operators" or "stacks".
[[nodiscard]] ObjectSchema list_schema(std::string_view kind);

[[nodiscard]] ObjectSchema format_schema();
[[nodiscard]] ObjectSchema operator_schema();
[[nodiscard]] Definitions operator_definitions();
[[nodiscard]] ObjectSchema stack_schema();
[[nodiscard]] Definitions stack_definitions();

}  // namespace roofline
