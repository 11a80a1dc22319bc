// Which elements a reduction puts together; shared with max and min, which frameworks use for both.
#pragma once

#include "operators/derivation.hpp"

namespace roofline {

/// How many elements of `shape` become one: the product of the dimensions that `axis` names, of all without it.
[[nodiscard]] double reduced_elements(Derivation& d, Shape shape);

}  // namespace roofline
