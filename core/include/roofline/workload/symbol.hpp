// What kind of operation it is, as the chart shows it.
#pragma once

#include <cstdint>
#include <roofline/base/enum_names.hpp>

namespace roofline {

/// The marker on the chart: square convolution, circle matrix product, triangle element-wise, x collective,
/// diamond other, star unknown; a file may choose any of them, or a cross.
enum class Symbol : std::uint8_t { square, circle, triangle, diamond, star, cross, x };
template <>
inline constexpr auto names_of<Symbol> = std::to_array<const char*>({"square", "circle", "triangle", "diamond", "star", "cross", "x"});

}  // namespace roofline
