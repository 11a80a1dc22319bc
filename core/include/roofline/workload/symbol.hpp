// What kind of operation it is, as the chart shows it.
#pragma once

#include <cstdint>

namespace roofline {

/// The marker on the chart: square convolution, circle matrix product, triangle element-wise, diamond other, star unknown.
enum class Symbol : std::uint8_t { square, circle, triangle, diamond, star, cross, x };
[[nodiscard]] const char* to_string(Symbol symbol);

}  // namespace roofline
