// Which operands of an operation a number format is given to.
#pragma once

#include <array>
#include <cstdint>
#include <roofline/base/enum_names.hpp>
#include <roofline/scenario/scenario.hpp>

namespace roofline {

/// Which operands take a format. Formats for weights alone never reach the others.
enum class Roles : std::uint8_t { weights, weights_activations, all };
template <>
inline constexpr auto names_of<Roles> = std::to_array<const char*>({"weights", "weights_activations", "all"});

/// `whatif` with the operands of `roles` in `format`, and the others as they are.
[[nodiscard]] WhatIf with_format(WhatIf whatif, FormatId format, Roles roles);

}  // namespace roofline
