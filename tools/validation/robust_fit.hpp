// Gauss-Newton for relative errors, in which what is far off for a reason of its own does not pull the others.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace roofline::validation {

/// The parameters' values, in their order. Those that are fitted are above 0.
using Values = std::vector<double>;

/// ln(estimated / measured) of every figure under values; where only the parameter `moved` differs, `before` has the errors without that.
using ErrorsUnder = std::function<std::vector<double>(const Values&, std::optional<std::size_t> moved, const std::vector<double>& before)>;

/// The values with the least Cauchy loss near those given; only the `free` ones change.
[[nodiscard]] Values robust_fit(Values values, const std::vector<std::size_t>& free, const ErrorsUnder& errors);

}  // namespace roofline::validation
