// Names of GPUs as their vendors form them: a series, a model number, and words for variants of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace roofline {

struct ProductName {
  std::size_t length = 0;  ///< the first parts that form the name; 0: no GPU's name comes first
  std::size_t number = 0;  ///< index of the part with the model number
};

/// The name at the start of parts in lower case: length 3 and number 1 for "rtx", "4090", "laptop", "gpu".
[[nodiscard]] ProductName product_name(std::span<const std::string> parts);

}  // namespace roofline
