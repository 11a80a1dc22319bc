// The tensors that nodes have as weights.
#include <roofline/network/network.hpp>
#include <unordered_map>

#include "network/sized.hpp"

namespace roofline {
namespace {

bool is_float(const SizedTensor& tensor) {
  return tensor.type.format != no_format && !tensor.type.integer && (tensor.type.bits == 16 || tensor.type.bits == 32);
}

/// The stored tensor behind each: itself, or the one that a node of a single constant input makes it of.
class Origins {
 public:
  explicit Origins(const SizedNetwork& network) : network_(network) {
    for (const SizedNode& node : network.nodes) {
      if (node.reads.empty() || node.writes.size() != 1 || !node.records.empty()) continue;
      const SizedTensor& made = network.tensors[node.writes[0]];
      if (made.constant && !made.weight && made.elements() == network.tensors[node.reads[0]].elements())
        from_[node.writes[0]] = node.reads[0];
    }
  }

  /// no_tensor: it is not a weight.
  [[nodiscard]] TensorId of(TensorId id) const {
    constexpr int longest_chain = 16;
    for (int i = 0; i < longest_chain && !network_.tensors[id].weight; ++i) {
      if (network_.tensors[id].view_of != no_tensor) {
        id = network_.tensors[id].view_of;
        continue;
      }
      const auto found = from_.find(id);
      if (found == from_.end()) return no_tensor;
      id = found->second;
    }
    return network_.tensors[id].weight ? id : no_tensor;
  }

 private:
  const SizedNetwork& network_;
  std::unordered_map<TensorId, TensorId> from_;
};

}  // namespace

std::vector<NodeWeights> node_weights(const SizedNetwork& sized) {
  const Origins origins(sized);
  std::vector<NodeWeights> out;
  for (const SizedNode& node : sized.nodes) {
    if (node.records.empty()) continue;
    NodeWeights found;
    for (const TensorId read : node.reads) {
      const TensorId id = origins.of(read);
      if (id == no_tensor) continue;
      const SizedTensor& tensor = sized.tensors[id];
      const bool floats = is_float(tensor);
      if (tensor.type.format == no_format || tensor.shape.size() < 2 || floats < found.floats) continue;
      if (floats == found.floats && !(tensor.elements() > found.elements)) continue;
      found = {node.name,          node.type,
               node.module,        std::string(tensor.name),
               tensor.elements(),  tensor.elements() / tensor.shape[0],
               tensor.type.format, floats,
               tensor.data,        id};
    }
    if (node.unnamed && !node.writes.empty()) found.unnamed_output = sized.tensors[node.writes[0]].name;
    if (found.elements > 0) out.push_back(std::move(found));
  }
  return out;
}

Result<std::vector<NodeWeights>> node_weights(const Network& network, const DimensionValues& given) {
  const Result<std::vector<Dimension>> dimensions = set_dimensions(network, given);
  if (!dimensions) return Unexpected(dimensions.error());
  return node_weights(network.at(*dimensions));
}

}  // namespace roofline
