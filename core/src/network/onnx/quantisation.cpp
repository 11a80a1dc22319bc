#include "network/onnx/quantisation.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "network/onnx/rules.hpp"

namespace roofline::onnx {
namespace {

using Names = std::span<const std::string_view>;
bool is_one_of(Names names, std::string_view type) { return std::find(names.begin(), names.end(), type) != names.end(); }

/// A Cast of dequantised weights to another float type: the file still stores integers.
bool casts_dequantised_weight(const PlacedNode& node, const std::vector<SizedTensor>& tensors) {
  const TensorId out = node.output(0);
  return node.node->type == "Cast" && out != no_tensor && tensors[out].constant && !tensors[out].type.integer;
}

/// The type that a DequantizeLinear reads. Elements of four bits with a scale per block have formats that include the scales.
TensorType stored_type(const PlacedNode& dequantize, const std::vector<SizedTensor>& tensors) {
  if (dequantize.input(0) == no_tensor) return {};
  const TensorType type = tensors[dequantize.input(0)].type;
  const double block = dequantize.number("block_size", 0);
  if (type.bits != 4 || !(block > 0)) return type;
  return type.integer ? int4_type(block) : element_type(block <= 16 ? "nvfp4" : "mxfp4");
}

IntegerRole role_of(const PlacedNode& node, const std::vector<SizedTensor>& tensors) {
  constexpr std::array<std::string_view, 4> products = {"Conv", "ConvTranspose", "Gemm", "MatMul"};
  constexpr std::array<std::string_view, 19> type_preserving = {
      "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Relu",   "Clip",   "LeakyRelu",    "MaxPool",     "Transpose",
      "Slice",   "Split",   "Gather",  "Concat",    "Pad",      "Resize", "Expand", "DepthToSpace", "SpaceToDepth"};
  const std::string_view type = node.node->type;
  if (!find_rule(node)) return IntegerRole::float_only;
  if (type == "QuantizeLinear") return IntegerRole::quantise;
  if (type == "DequantizeLinear") return IntegerRole::dequantise;
  if (is_one_of(products, type)) return IntegerRole::product;
  return is_one_of(type_preserving, type) || casts_dequantised_weight(node, tensors) ? IntegerRole::keeps_type
                                                                                     : IntegerRole::needs_quantised_result;
}

}  // namespace

std::vector<QuantisedExecution> use_integers(const Block& block, std::vector<SizedTensor>& tensors) {
  std::vector<QuantisedNode> nodes;
  std::vector<TensorId> kept = block.outputs;  // stored as the file says: outputs, and what bodies read
  for (const PlacedNode& node : block.nodes) {
    QuantisedNode entry{role_of(node, tensors), node.inputs, node.outputs};
    if (entry.role == IntegerRole::dequantise) entry.stored = stored_type(node, tensors);
    if (entry.role == IntegerRole::quantise && node.output(0) != no_tensor) entry.stored = tensors[node.output(0)].type;
    nodes.push_back(std::move(entry));
    each_read_of_bodies(node, [&](TensorId id) { kept.push_back(id); });
  }
  return roofline::use_integers(nodes, kept, tensors);
}

}  // namespace roofline::onnx
