// Which nodes make and read each tensor of a network.
#pragma once

#include <vector>

#include "network/sized.hpp"

namespace roofline {

inline constexpr std::size_t no_node = static_cast<std::size_t>(-1);

struct TensorUse {
  std::size_t maker = no_node;   ///< of the main graph
  std::size_t reader = no_node;  ///< the last one
  std::size_t readers = 0;       ///< nodes, and the network where it is an output
};

/// Of each tensor.
[[nodiscard]] std::vector<TensorUse> tensor_uses(const SizedNetwork& network);

}  // namespace roofline
