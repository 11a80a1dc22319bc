// Bisection over whole numbers.
#pragma once

#include <cmath>

namespace roofline {

/// The last whole number from `low` on for which `holds` is true. It is true for `low`, false for `high`, and changes once in between.
template <class Holds>
[[nodiscard]] double last_whole(double low, double high, const Holds& holds) {
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

/// The first whole number above `low` for which `holds` is true. It is false for `low`, true for `high`, and changes once in between.
template <class Holds>
[[nodiscard]] double first_whole(double low, double high, const Holds& holds) {
  return last_whole(low, high, [&](double number) { return !holds(number); }) + 1;
}

}  // namespace roofline
