#include "network/tensor_uses.hpp"

#include <set>

namespace roofline {

std::vector<TensorUse> tensor_uses(const SizedNetwork& network) {
  std::vector<TensorUse> uses(network.tensors.size());
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    const SizedNode& node = network.nodes[i];
    for (const TensorId id : std::set(node.reads.begin(), node.reads.end())) {
      ++uses[id].readers;
      uses[id].reader = i;
    }
    if (node.body.empty())
      for (const TensorId id : node.writes) uses[id].maker = i;
  }
  for (const TensorId id : network.outputs)
    if (id != no_tensor) ++uses[id].readers;
  return uses;
}

}  // namespace roofline
