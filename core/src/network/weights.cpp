// The tensors that nodes have as weights.
#include <roofline/network/network.hpp>
#include <unordered_map>

#include "base/json.hpp"
#include "network/record_work.hpp"
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

/// Whether a product sums over the first dimension of a stored matrix, as MatMul does of [K, N]. A square matrix does not tell: a Gemm has
/// [N, K], as PyTorch's exporter writes it.
bool k_is_first_dimension(const SizedNode& node, const Lengths& stored) {
  if (stored.size() != 2) return false;
  const bool square = stored[0] == stored[1];
  for (const RecordText& record : node.records) {
    const Json json = record.type() == "matmul" || record.type() == "linear" ? record_json(record) : Json();
    const Json &second = member(json, "input_mat2"), &weight = member(json, "weight_shape");
    if (second.size() == 2) return number_of(second[0]) == stored[0] && !(square && node.type == "Gemm");    // [K, N]
    if (weight.size() == 2) return number_of(weight[1]) == stored[0] && (!square || node.type == "MatMul");  // [N, K]
  }
  return false;
}

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
    if (found.elements > 0 && found.floats) found.k_is_first_dimension = k_is_first_dimension(node, sized.tensors[found.tensor_id].shape);
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
