// A calculation as a JSON value: what parse_calculation() reads as text.
#pragma once

#include <roofline/calculator/calculator.hpp>

#include "base/json.hpp"

namespace roofline {

[[nodiscard]] Result<Calculation> calculation_from(const Json& json);

}  // namespace roofline
