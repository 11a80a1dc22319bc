// Names of GPUs as their vendors form them: a series, a model number, and words for variants of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace roofline {

struct ProductName {
  std::size_t length = 0;  ///< parts, from the first on; 0: they begin with no GPU's name
  std::size_t number = 0;  ///< which of them is the model number
};

/// Of parts in lower case: 3 of "rtx", "4090", "laptop", "gpu", the second being the number.
[[nodiscard]] ProductName product_name(std::span<const std::string> parts);

}  // namespace roofline
