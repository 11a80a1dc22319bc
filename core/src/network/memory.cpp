#include "network/memory.hpp"

#include <algorithm>
#include <cstddef>

namespace roofline {

std::vector<double> activation_bytes(const SizedNetwork& network) {
  constexpr std::size_t never = static_cast<std::size_t>(-1);
  std::vector<const SizedNode*> nodes;
  for (const SizedNode& node : network.nodes)
    if (node.body.empty()) nodes.push_back(&node);
  std::vector<std::size_t> first(network.tensors.size(), never), last(network.tensors.size(), 0);
  const auto owner = [&](TensorId id) { return network.tensors[id].view_of == no_tensor ? id : network.tensors[id].view_of; };
  for (const TensorId id : network.inputs) first[id] = 0;
  // A body's nodes read while the node that has it runs.
  std::size_t at = 0;
  for (const SizedNode& node : network.nodes) {
    const std::size_t runs = node.body.empty() ? at++ : at == 0 ? 0 : at - 1;
    for (const TensorId id : node.reads) last[owner(id)] = std::max(last[owner(id)], runs);
    if (!node.body.empty()) continue;
    // Tensors without a producer, such as a compiled operator's scratch memory, live from the start.
    for (const TensorId id : node.reads)
      if (first[owner(id)] == never) first[owner(id)] = 0;
    for (const TensorId written : node.writes) {
      const TensorId id = owner(written);
      first[id] = std::min(first[id], runs);
      last[id] = std::max(last[id], runs);
    }
  }
  for (const TensorId id : network.outputs)
    if (id != no_tensor && !nodes.empty()) last[owner(id)] = nodes.size() - 1;
  std::vector<double> change(nodes.size() + 1, 0);
  double always = 0;
  for (std::size_t id = 0; id < network.tensors.size(); ++id) {
    const SizedTensor& tensor = network.tensors[id];
    if (tensor.always_alive) {
      always += tensor.bytes();
    } else if (!tensor.constant && first[id] != never && !nodes.empty()) {
      change[first[id]] += tensor.bytes();
      change[last[id] + 1] -= tensor.bytes();
    }
  }
  std::vector<double> out;
  for (std::size_t i = 0; i < nodes.size(); ++i) out.push_back((always += change[i]));
  return out;
}

}  // namespace roofline
