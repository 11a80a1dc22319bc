// Numbers that may not be known. Unknown is NaN: it is never zero, and every comparison with it is false.
#pragma once

#include <limits>

namespace roofline {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

[[nodiscard]] constexpr bool known(double value) { return value == value; }

/// `value`; where it is not known, `otherwise`.
[[nodiscard]] constexpr double known_or(double value, double otherwise) { return known(value) ? value : otherwise; }

}  // namespace roofline
