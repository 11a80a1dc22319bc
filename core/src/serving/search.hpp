// Whole numbers to try: a grid, and the last one that holds.
#pragma once

#include <cmath>
#include <roofline/base/whole_numbers.hpp>

namespace roofline {

/// 1, 2, 3, 4, 6, 8, 12, ... up to `most`, and `most` itself.
template <class Use>
void for_each_on_grid(double most, const Use& use) {
  for (double power = 1; power <= most; power *= 2) {
    use(power);
    if (const double between = 1.5 * power; power > 1 && between < most) use(between);
  }
  if (std::exp2(std::floor(std::log2(most))) != most) use(most);
}

/// The largest whole number from 1 to `most` that holds, where 1 does and those that hold come first.
template <class Test>
double last_that_holds(double most, const Test& holds) {
  return holds(most) ? most : last_whole(1, most, holds);
}

}  // namespace roofline
