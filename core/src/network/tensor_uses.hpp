// Which nodes make and read each tensor of a network.
#pragma once

#include <vector>

#include "network/sized.hpp"

namespace roofline {

inline constexpr std::size_t no_node = static_cast<std::size_t>(-1);

struct TensorUse {
  std::size_t maker = no_node;   ///< the node of the main graph that makes it; no_node: none does
  std::size_t reader = no_node;  ///< the last node that reads it; no_node: none does
  std::size_t readers = 0;       ///< nodes that read it, and one more if it is an output of the network
};

/// By TensorId.
[[nodiscard]] std::vector<TensorUse> tensor_uses(const SizedNetwork& network);

}  // namespace roofline
