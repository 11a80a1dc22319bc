#include "network/onnx/quantisation.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace roofline::onnx {
namespace {

using Names = std::span<const std::string_view>;
bool is_one_of(Names names, std::string_view type) { return std::find(names.begin(), names.end(), type) != names.end(); }

/// A Cast of dequantised weights to another float type: the integers are still behind them.
bool widens_constant(const PlacedNode& node, const std::vector<SizedTensor>& tensors) {
  const TensorId out = node.output(0);
  return node.node->type == "Cast" && out != no_tensor && tensors[out].constant && !tensors[out].type.integer;
}

/// What a DequantizeLinear reads. Elements of four bits with a scale for each block have a format for that.
TensorType stored_type(const PlacedNode& dequantize, const std::vector<SizedTensor>& tensors) {
  if (dequantize.input(0) == no_tensor) return {};
  const TensorType type = tensors[dequantize.input(0)].type;
  const double block = dequantize.number("block_size", 0);
  if (type.bits != 4 || !(block > 0)) return type;
  return type.integer ? int4_type(block) : element_type(block <= 16 ? "nvfp4" : "mxfp4");
}

IntegerRole role_of(const PlacedNode& node, const std::vector<SizedTensor>& tensors) {
  constexpr std::array<std::string_view, 4> products = {"Conv", "ConvTranspose", "Gemm", "MatMul"};
  constexpr std::array<std::string_view, 19> keeping = {
      "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Relu",   "Clip",   "LeakyRelu",    "MaxPool",     "Transpose",
      "Slice",   "Split",   "Gather",  "Concat",    "Pad",      "Resize", "Expand", "DepthToSpace", "SpaceToDepth"};
  const std::string_view type = node.node->type;
  if (type == "QuantizeLinear") return IntegerRole::quantize;
  if (type == "DequantizeLinear") return IntegerRole::dequantize;
  if (is_one_of(products, type)) return IntegerRole::product;
  return is_one_of(keeping, type) || widens_constant(node, tensors) ? IntegerRole::keeps_type : IntegerRole::computes;
}

}  // namespace

std::vector<IntegerUse> use_integers(const Block& block, std::vector<SizedTensor>& tensors) {
  std::vector<IntegerStep> steps;
  for (const PlacedNode& node : block.nodes) {
    IntegerStep step{role_of(node, tensors), node.inputs, node.outputs};
    if (step.role == IntegerRole::dequantize) step.stored = stored_type(node, tensors);
    if (step.role == IntegerRole::quantize && node.output(0) != no_tensor) step.stored = tensors[node.output(0)].type;
    steps.push_back(std::move(step));
  }
  return roofline::use_integers(steps, block.outputs, tensors);
}

}  // namespace roofline::onnx
